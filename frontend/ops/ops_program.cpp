// Program ids, the grid, hints and debugging.
#include "clang/AST/ExprCXX.h"
#include "fmt/format.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/inline_call.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/ops/operations.h"
#include "llvm/Support/MathExtras.h"
#include "passes/ir/text/prose.h"
#include "passes/ir/walk.h"
#include "passes/ir/written_out.h"

namespace tile2cu::frontend {

using ir::DiagId;
using ir::OpKind;
using ir::Scalar;

namespace {

// Whether C++ has the operation on the host: the others are device functions.
bool isHostOperation(const ir::Op *op) {
  const Scalar type = op->result()->type.scalar();
  const bool isWide = !ir::isFloat(type) || ir::bitWidth(type) >= 32;
  if (op->is(ir::Comparison)) return true;
  switch (op->kind) {
    case OpKind::Constant:
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::Div:
    case OpKind::Neg:
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
    case OpKind::Not:
    case OpKind::Shl:
    case OpKind::Shr:
    case OpKind::Select:
    case OpKind::Hint:
      return true;
    case OpKind::Rem:
    case OpKind::Abs:
    case OpKind::Clamp:
    case OpKind::Fma:
    case OpKind::Bitcast:
      return isWide;
    case OpKind::Minimum:
    case OpKind::Maximum:
      return isWide && !op->getBool(ir::Attr::propagate_nan);
    case OpKind::Cast: {
      // Conversions to 16 bits, and those that round toward zero, are device helpers.
      const Scalar from = op->operand(0)->type.scalar();
      const bool isPlain = isWide || from == Scalar::F32 || from == type;
      return isPlain && op->get(ir::Attr::rounding) != ir::Rounding::TowardZero &&
             !ir::isFloat8(type);
    }
    default:
      return false;
  }
}

// The operation that keeps the launcher from computing a value of parameters, constants and
// num_sms(); null if it can compute it. `isHost` becomes false if the value has other
// sources.
const ir::Op *firstForDevice(const ir::Value *value, bool &isHost) {
  if (value->isArgument()) {
    isHost &= value->owner->parent == nullptr && !value->type.isPointer();
    return nullptr;
  }
  const ir::Op *op = value->definition, *found = nullptr;
  if (op->kind == OpKind::NumSms) return nullptr;
  if (op->kind == OpKind::DeviceCall) return op;
  // The launcher computes nothing with pointers but whether they are null.
  if (op->is(ir::Comparison) && op->operand(0)->type.isPointer()) {
    for (const ir::Value *operand : op->operands())
      isHost &= operand->isArgument() ? operand->owner->parent == nullptr
                                      : operand->definition->kind == OpKind::Constant;
    return nullptr;
  }
  isHost &=
      !op->is(ir::Uniform) && op->is(ir::Pure) && op->regions.empty() && !value->type.isTile();
  for (const ir::Value *operand : op->operands())
    if (operand && isHost && !found) found = firstForDevice(operand, isHost);
  return !found && isHost && !isHostOperation(op) ? op : found;
}

// The name of the operation in the source.
std::string nameInSource(const ir::Op *op) {
  if (const auto function = ir::DeviceCallOp::of(op))
    return op->has(ir::Attr::text) ? "cuda" : function.callee();
  std::string name = ir::mnemonic(op->kind).str();
  if (op->kind == OpKind::Mulhi && !ir::isSigned(op->result()->type.scalar())) return "u" + name;
  llvm::StringRef rounded = name;
  if (!rounded.consume_back("rounded")) return name;
  return rounded.str() + ir::suffixOf(*op->get(ir::Attr::rounding)).str();
}

// Whether the division is one that the program may only do on some paths.
bool mayDivideByZero(const ir::Op *op) {
  const bool divides = op->kind == OpKind::Div || op->kind == OpKind::Rem;
  return divides && ir::isInteger(op->result()->type.scalar()) &&
         scalarConstant(op->operand(1)).value_or(0) == 0;
}

// Copies scalars for the launcher: a branch that chooses between two numbers becomes a select. The
// numbers of both sides are computed then, which is harmless for sums and products.
struct HostCopy {
  Lowering &l;
  std::map<ir::Value *, ir::Value *> copies = {};

  // Null if the value depends on more than parameters and constants, on one side of a branch.
  ir::Value *of(ir::Value *value) {
    if (value->isArgument()) return value->owner == &l.kernel.body ? value : nullptr;
    auto [known, isNew] = copies.try_emplace(value, nullptr);
    if (!isNew) return known->second;
    ir::Op *op = value->definition;
    ir::Value *copy = op->kind == OpKind::If ? choice(op, value->index) : computed(op, value);
    if (!copy && op->parent == &l.kernel.body) copy = value;
    return copies[value] = copy;
  }

  ir::Value *choice(ir::Op *op, unsigned index) {
    llvm::SmallVector<ir::Value *, 3> parts{of(op->operand(0))};
    for (const auto &region : op->regions) {
      const ir::Op *end = region->terminator();
      if (!end || end->kind != OpKind::Yield) return nullptr;
      parts.push_back(of(end->operand(index)));
    }
    if (parts.size() != 3 || llvm::is_contained(parts, nullptr)) return nullptr;
    return l.builder.select(parts[0], parts[1], parts[2]);
  }

  ir::Value *computed(ir::Op *op, ir::Value *value) {
    const bool isInside = op->parent != &l.kernel.body;
    if (!op->is(ir::Pure) || !op->regions.empty() || op->numResults() != 1 ||
        value->type.isTile() || (isInside && mayDivideByZero(op)))
      return nullptr;
    std::map<ir::Value *, ir::Value *> operands;
    bool isSame = !isInside;
    for (ir::Value *operand : op->operands()) {
      ir::Value *copy = operand ? of(operand) : nullptr;
      if (operand && !copy) return nullptr;
      isSame &= copy == operand;
      if (operand) operands[operand] = copy;
    }
    return isSame ? value : ir::clone(op, l.builder, operands)->result();
  }
};

// The value as the launcher computes it; the value itself if it cannot.
ir::Value *forHost(Lowering &l, ir::Value *value) {
  return ir::writtenOut(value) > ir::kMostWrittenOut ? value : HostCopy{l}.of(value);
}

void checkHead(Lowering &l, ir::Value *value, llvm::StringRef what, clang::SourceLocation loc) {
  if (ir::writtenOut(value) > ir::kMostWrittenOut)
    return l.error(DiagId::HostValueTooLong, loc,
                   {what.str(), std::to_string(ir::kMostWrittenOut)});
  bool isHost = true;
  const ir::Op *op = firstForDevice(value, isHost);
  const std::string name = op ? fmt::format("'{}' in ", nameInSource(op)) : "";
  if (!isHost || op) l.error(DiagId::HostValue, loc, {name + what.str()});
}

}  // namespace

// A launch has one dimension; program ids and counts along the user's axes are computed from the
// grid. Without grid(...), the caller defines the launch.
ir::Value *programId(Lowering &l, unsigned axis) {
  if (ir::Op *grid = l.kernel.grid())
    return axis < grid->numResults() ? grid->result(axis) : l.builder.constant(Scalar::I64, 0);
  ir::Op *id = l.builder.create(OpKind::ProgramId, {}, {ir::Type(Scalar::I64)});
  id->setInt(ir::Attr::axis, axis);
  return id->result();
}

// Only the launch itself knows how many programs of a persistent kernel fit on the device.
ir::Value *numPrograms(Lowering &l, unsigned axis) {
  ir::Op *grid = l.kernel.grid();
  if (grid && axis >= grid->numOperands()) return l.builder.constant(Scalar::I64, 1);
  if (grid && !grid->getBool(ir::Attr::persistent)) return grid->operand(axis);
  ir::Op *count = l.builder.create(OpKind::NumPrograms, {}, {ir::Type(Scalar::I64)});
  count->setInt(ir::Attr::axis, axis);
  return count->result();
}

ir::Value *makeGrid(Lowering &l, llvm::ArrayRef<ir::Value *> sizes, clang::SourceLocation loc) {
  if (!l.inKernelBody())
    l.error(DiagId::GridPlace, loc);
  else if (l.kernel.grid())
    l.error(DiagId::GridTwice, loc);
  bool isLate = l.mayHaveReturned;
  ir::walk(l.kernel.body, [&](ir::Op *op) {
    if (op->kind == OpKind::ProgramId || op->kind == OpKind::NumPrograms)
      l.error(DiagId::GridLate, loc);
    isLate |= op->is(ir::Reads) || op->is(ir::Writes);
  });
  llvm::SmallVector<ir::Value *, 3> extents;
  for (ir::Value *size : sizes) extents.push_back(l.inKernelBody() ? forHost(l, size) : size);
  for (ir::Value *extent : extents) checkHead(l, extent, "the grid", loc);
  // Sizes that are loaded from memory have an error of their own.
  if (isLate && !l.diagnostics.hasErrors()) l.error(DiagId::GridAfterAccess, loc);
  llvm::SmallVector<ir::Type, 3> results(sizes.size(), ir::Type(Scalar::I64));
  return l.builder.create(OpKind::Grid, extents, results)->result();
}

Val lowerGrid(Lowering &l, const Operation &operation) {
  llvm::SmallVector<ir::Value *, 3> sizes;
  for (unsigned i = 0; i < operation.arguments.size(); ++i)
    sizes.push_back(convertElement(l, argument(l, operation, i), Scalar::I64));
  ir::Value *first = makeGrid(l, sizes, operation.loc);
  if (sizes.size() == 1) return first;
  std::vector<Val> ids;
  for (auto &result : first->definition->results) ids.emplace_back(result.get());
  return Val::aggregate(std::move(ids));
}

Val lowerProgramId(Lowering &l, const Operation &operation) {
  if (operation.arguments.empty())
    return l.builder.create(operation.kind, {}, {resultOf(operation)})->result();
  auto axis = l.evaluateInt(operation.arguments[0]);
  if (!axis || *axis < 0 || *axis > 2)
    l.error(DiagId::ProgramAxis, operation.arguments[0]->getExprLoc());
  return operation.kind == OpKind::ProgramId ? programId(l, axis.value_or(0))
                                             : numPrograms(l, axis.value_or(0));
}

// The call as a check shows it: multiple_of<4>(at)
static std::string callText(Lowering &l, const Operation &operation,
                            llvm::ArrayRef<int64_t> numbers) {
  std::string text = operation.name.str();
  if (!numbers.empty()) text += fmt::format("<{}>", fmt::join(numbers, ", "));
  return text + "(" + l.source.oneLine(operation.arguments[0]->getSourceRange()) + ")";
}

Val lowerHeadCondition(Lowering &l, const Operation &operation) {
  ir::Value *condition = lowerCondition(l, operation.arguments[0]);
  if (operation.kind == OpKind::Require) {
    if (!l.inKernelBody() || l.mayHaveReturned)
      l.error(DiagId::RequirePlace, operation.loc);
    else
      checkHead(l, condition = forHost(l, condition), "a requirement", operation.loc);
  }
  ir::Op *op = l.builder.create(operation.kind, {condition}, {});
  if (l.checks && operation.kind == OpKind::Assume)
    op->setString(ir::Attr::message, callText(l, operation, {}));
  return {};
}

// A hint about a parameter that every program reaches is stored with the parameter; any other
// becomes an operation, whose result has the property. So does each that is checked.
Val lowerHint(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  auto numbers = integerTemplateArguments(operation.callee);
  bool isParameter = source->isArgument() && source->owner == &l.kernel.body && l.inKernelBody() &&
                     !l.mayHaveReturned && !l.checks;
  if (isParameter && operation.name == "assume_aligned") {
    int64_t &alignment = l.kernel.parameters[source->index].alignment;
    alignment = std::max(alignment, numbers[0]);
    return source;
  }
  if (isParameter && (operation.name == "assume_divisible" || operation.name == "multiple_of")) {
    int64_t &divisibility = l.kernel.parameters[source->index].divisibility;
    divisibility = std::max(divisibility, numbers[0]);
    return source;
  }
  const bool isIndex = operation.name == "index_below";
  std::vector<ir::Value *> operands = {source};
  if (isIndex) operands.push_back(argument(l, operation, 1));
  ir::Op *op = l.builder.create(OpKind::Hint, operands, {source->type});
  op->result()->name = source->name;
  if (isIndex) {
    op->setBool(ir::Attr::non_negative, true);
    return op->result();
  }
  if (l.checks) op->setString(ir::Attr::message, callText(l, operation, numbers));
  const ir::PerDimAttr attribute = operation.name == "assume_aligned"   ? ir::Attr::alignment
                                   : operation.name == "max_contiguous" ? ir::Attr::contiguity
                                                                        : ir::Attr::divisibility;
  if (numbers.size() == 1)
    op->set(attribute, numbers[0]);
  else
    op->set(attribute, ir::Ints(numbers.begin(), numbers.end()));
  return op->result();
}

static std::string textOf(const clang::Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (const auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e))
    return textOf(argument->getExpr());
  const auto *literal = llvm::dyn_cast<clang::StringLiteral>(e);
  return literal ? literal->getString().str() : "";
}

Val lowerDeviceAssert(Lowering &l, const Operation &operation) {
  ir::Value *condition = argument(l, operation, 0);
  std::vector<ir::Value *> operands = {condition};
  if (operation.arguments.size() > 2) {
    ir::Value *mask = argument(l, operation, 2);
    // As for operators: dimensions of 1, and dimensions that one operand lacks, are broadcast.
    ir::Shape shape = condition->type.shape(), other = mask->type.shape();
    if (shape.size() < other.size()) std::swap(shape, other);
    for (size_t d = 0; d < other.size(); ++d) {
      ir::Dim &size = shape[shape.size() - other.size() + d];
      if (size == 1) size = other[d];
    }
    operands = {stretch(l, condition, shape), stretch(l, mask, shape)};
  }
  ir::Op *op = l.builder.create(OpKind::DeviceAssert, operands, {});
  if (operation.arguments.size() > 1)
    op->setString(ir::Attr::message, textOf(operation.arguments[1]));
  return {};
}

// The bits of the elements as unsigned integers; a bool is itself.
static ir::Value *bitsOf(Lowering &l, ir::Value *value) {
  static constexpr Scalar kUnsigned[] = {Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64};
  const Scalar type = value->type.scalar();
  if (type == Scalar::Bool) return value;
  const Scalar bits = kUnsigned[llvm::Log2_32(ir::byteWidth(type))];
  if (type == bits) return value;
  return l.builder.create(OpKind::Bitcast, {value}, {value->type.withScalar(bits)})->result();
}

// One operation for each value: a line for each of its elements.
Val lowerDevicePrint(Lowering &l, const Operation &operation) {
  const std::string text = textOf(operation.arguments[0]);
  if (!llvm::isa<clang::StringLiteral>(operation.arguments[0]->IgnoreParenImpCasts()))
    l.error(DiagId::PrintText, operation.loc);
  if (l.regionDepth) l.error(DiagId::PrintInRegion, operation.loc);
  const bool isHex = isOption(operation.arguments.back(), "hex_t");
  const unsigned values = operation.arguments.size() - 1 - isHex;
  for (unsigned i = 1; i <= values; ++i) {
    ir::Value *value = argument(l, operation, i);
    const bool hasBits = isHex && !value->type.isPointer();
    if (hasBits) value = bitsOf(l, value);
    ir::Op *op =
        l.builder.create(OpKind::DevicePrint,
                         {value, nullptr, programId(l, 0), programId(l, 1), programId(l, 2)}, {});
    if (hasBits) op->setBool(ir::Attr::hex, true);
    op->setString(ir::Attr::message,
                  values == 1 ? text : fmt::format("{} (operand {})", text, i - 1));
  }
  return {};
}

Val lowerDebugBarrier(Lowering &l, const Operation &) {
  l.builder.create(OpKind::DebugBarrier, {}, {});
  return {};
}

static std::string describe(const Val &value) {
  if (value.isValue()) {
    if (auto number = scalarConstant(value.value)) return std::to_string(*number);
    const ir::Type &type = value.value->type;
    const llvm::SmallVector<int64_t, 4> sizes(type.shape().begin(), type.shape().end());
    const ir::Type plain(type.element(), ir::Shape(llvm::ArrayRef<int64_t>(sizes)));
    return (value.value->name.empty() ? "" : value.value->name + ": ") + plain.str();
  }
  std::string text;
  for (const Val &field : value.fields) text += (text.empty() ? "" : ", ") + describe(field);
  return "(" + text + ")";
}

Val lowerStaticPrint(Lowering &l, const Operation &operation) {
  std::string text;
  for (const clang::Expr *e : operation.arguments) {
    std::string literal = textOf(e);
    text += (text.empty() ? "" : " ") + (literal.empty() ? describe(lowerValue(l, e)) : literal);
  }
  l.error(DiagId::StaticPrint, operation.loc, {text});
  return {};
}

Val lowerStaticFor(Lowering &l, const Operation &operation) {
  Inlined call;
  call.function = operation.callee;
  call.arguments = operation.arguments;
  call.loc = operation.loc;
  return inlineCall(l, call);
}

Val lowerMisplacedRange(Lowering &l, const Operation &operation) {
  const std::string name = operation.name.str();
  l.reject(operation.loc, fmt::format("{}() outside a loop's head", name),
           fmt::format("write for (auto i : {}(...))", name));
  return l.placeholder(operation.resultType);
}

Val lowerMisplacedConfiguration(Lowering &l, const Operation &operation) {
  const std::string name = operation.name.str();
  l.reject(operation.loc, fmt::format("{}() inside a function", name),
           fmt::format("declare inline constexpr auto name = {}(...) at namespace scope", name));
  return l.placeholder(operation.resultType);
}

}  // namespace tile2cu::frontend
