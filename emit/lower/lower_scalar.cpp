// Scalars of a kernel's text: which of them get a name, what that is, and accesses of one element.
#include "emit/host/host_expr.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/analysis/memory/alias.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

Expr KernelEmitter::scalar(const Value *value) {
  auto known = scalars_.find(value);
  if (known != scalars_.end()) return recalled(value, known->second);
  if (storage_.count(value)) {
    return stored(value).at();
  }
  const Op *op = value->definition;
  T2C_ASSERT(op && op->kind == OpKind::Constant);
  Scalar type = value->type.scalar();
  if (isFloat(type)) return literal(type, op->getDouble(Attr::value));
  if (type == Scalar::Bool) return word(op->getBool(Attr::value) ? "true" : "false");
  int64_t number = op->getInt(Attr::value);
  if (op->getBool(Attr::named)) return stagesName(number);
  for (const TemplateArgument &argument : templateArguments_)
    if (argument.integer == number && llvm::isInt<32>(number) && !argument.name.empty() &&
        argument.name == value->name)
      return named(constantName(argument.name, number));
  return this->number(number, type);
}

const Value *KernelEmitter::implicitSource(const Op *op, unsigned i) const {
  const Value *value = op->operand(i);
  return isWidenedInPlace(op, i) ? value->definition->operand(0) : value;
}

void KernelEmitter::scalarOp(Op *op) {
  llvm::SmallVector<Expr, 4> operands;
  for (unsigned i = 0; i < op->numOperands(); ++i)
    operands.push_back(scalar(implicitSource(op, i)));
  switch (op->kind) {
    case OpKind::ProgramId: {
      const char *const kAxes[] = {"x", "y", "z"};
      bindScalar(op, op->result(), member(word("blockIdx"), kAxes[op->getInt(Attr::axis)]), true);
      return;
    }
    case OpKind::NumPrograms: {
      const char *const kAxes[] = {"x", "y", "z"};
      Expr blocks = member(word("gridDim"), kAxes[op->getInt(Attr::axis)]);
      if (kernel_.packed())
        blocks = product(call("int64_t", {blocks}), named("PROGRAMS_PER_BLOCK"));
      bindScalar(op, op->result(), blocks, true);
      return;
    }
    case OpKind::NumSms:
      bindScalar(op, op->result(), named("num_sms"));
      return;
    case OpKind::RandomBits:
      bindScalar(op, op->result(), elementwise(op, operands, options_.preciseMath), true);
      return;
    case OpKind::Map: {
      const Expr function = functor(op, "map");
      for (unsigned i = 0; i < op->numResults(); ++i)
        bindScalar(op, op->result(i), call(function, operands), true);
      return;
    }
    default:
      break;
  }
  T2C_ASSERT(op->is(Elementwise) && op->numResults() == 1);
  const Value *dividend, *divisor;
  if (passes::isCdiv(op->result(), dividend, divisor) && op->kind == OpKind::Add &&
      dividend->type == op->result()->type && divisor->type == dividend->type) {
    const std::string type = cppType(dividend->type.element());
    bindScalar(op, op->result(),
               call("tile2cu::cdiv" + (type == "int64_t" ? "" : "<" + type + ">"),
                    {scalar(dividend), scalar(divisor)}));
    return;
  }
  bindScalar(op, op->result(), elementwise(op, operands, options_.preciseMath));
}

static bool usedElsewhere(const Value *value, const Block *home) {
  for (Op *user : value->users)
    if (user->parent != home) return true;
  return false;
}

// The name that a value has in the IR, or that its role in the text gave it; may be empty.
const std::string &KernelEmitter::hintOf(const Value *value) const {
  const auto role = roleNames_.find(value);
  return role == roleNames_.end() ? value->name : role->second;
}

// A name for a value that the user did not name, from what it is made of.
std::string KernelEmitter::roleName(const Op *op) {
  switch (op->kind) {
    case OpKind::AddPtr: {
      auto base = passes::basePointer(op->result());
      std::string pointer = base ? parameters_[*base].name : hintOf(op->operand(0));
      // What is handed to a function: a_tile.
      if (!base && llvm::StringRef(pointer).ends_with("_tile")) pointer.resize(pointer.size() - 5);
      if (pointer.empty()) pointer = "pointer";
      // The first named scalar of the offset says where: in_row; a program id by itself says only "this program's".
      std::string where = "tile";
      llvm::SmallVector<const Value *, 8> open{op->operand(1)};
      for (unsigned steps = 0; steps < 8 && !open.empty(); ++steps) {
        const Value *value = open.pop_back_val();
        if (!value) continue;
        const std::string &known = hintOf(value);
        bool plainId =
            known.starts_with("pid") || known.starts_with("bid") || known.starts_with("program");
        bool constant = value->definition && value->definition->kind == OpKind::Constant;
        if (!known.empty() && !plainId && !constant && !value->isArgument() && known.size() <= 12) {
          where = known;
          break;
        }
        if (value->definition && !plainId)
          for (size_t i = value->definition->operands().size(); i-- > 0;)
            open.push_back(value->definition->operand(i));
      }
      return pointer + "_" + where;
    }
    case OpKind::Reciprocal: {
      std::string of = hintOf(op->operand(0));
      return of.empty() ? "scale" : "inv_" + of;
    }
    case OpKind::Mul:
    case OpKind::Add:
    case OpKind::Sub: {
      const Value *dividend, *divisor;
      if (passes::isCdiv(op->result(), dividend, divisor))
        return hintOf(dividend).empty() ? "blocks" : hintOf(dividend) + "_blocks";
      if (op->kind == OpKind::Sub && isInteger(op->result()->type.scalar()) &&
          llvm::none_of(op->operands(), [](Value *value) { return constantInt(value); }))
        return op->operand(0)->isArgument() ? hintOf(op->operand(0)) + "_left" : "difference";
      for (Value *operand : op->operands()) {
        // int64_t(row) * 64, where row is a number of the kernel's own.
        const Op *cast = operand->definition;
        if (op->kind == OpKind::Mul && operand->name.empty() && cast &&
            cast->kind == OpKind::Cast) {
          const Value *row = cast->operand(0);
          const bool isParameter = row->isArgument() && !row->owner->parent;
          if (!row->name.empty() && !isParameter && isInteger(row->type.scalar()) &&
              isInteger(op->result()->type.scalar()))
            return row->name + "_offset";
        }
        std::string of = hintOf(operand);
        if (!of.empty() && !operand->type.isPointer() && operand->definition &&
            operand->definition->kind != OpKind::Constant)
          return isFloat(op->result()->type.scalar()) ? of + "_term" : of + "_start";
      }
      if (isFloat(op->result()->type.scalar())) return "term";
      if (op->kind == OpKind::Sub)
        return hintOf(op->operand(0)).empty() ? "left" : hintOf(op->operand(0)) + "_left";
      return op->kind == OpKind::Mul && constantInt(op->operand(0)) ? "step" : "start";
    }
    case OpKind::ProgramId:
      return "program";
    case OpKind::NumPrograms:
      return "programs";
    case OpKind::UniformThreshold:
      return "threshold";
    case OpKind::Clamp:
      return "limit";
    case OpKind::Minimum:
      return "lower";
    case OpKind::Maximum:
      return "upper";
    case OpKind::Cast: {
      std::string of = hintOf(op->operand(0));
      return of.empty() ? "value" : of + "_" + name(op->result()->type.scalar()).str();
    }
    default: {
      if (op->result()->type.scalar() == Scalar::Bool) return "condition";
      return op->mnemonic().str() + "_value";
    }
  }
}

void KernelEmitter::bindScalar(Op *op, Value *value, Expr e, bool mustName) {
  if (value->unused()) return;
  if (widensInPlace(op)) {
    remember(value, std::move(e));
    return;
  }
  // A converted parameter reads best in place.
  bool trivial = e.isAtom() || (op->kind == OpKind::Cast && op->operand(0)->isArgument() &&
                                op->result()->name.empty());
  bool named = !hintOf(value).empty();
  // The next value of a loop's variable is written into it, at the end of the body: left = left / 2.
  Op *user = value->users.size() == 1 ? value->users.front() : nullptr;
  const bool isHandedOn = user && user->kind == OpKind::Yield && user->parent == op->parent;
  const Op *holder = isHandedOn ? user->parentOp() : nullptr;
  if (!mustName && isLoop(holder)) {
    remember(value, std::move(e));
    return;
  }
  bool needs = mustName || (!trivial && (named || value->users.size() > 1 ||
                                         usedElsewhere(value, op->parent) || e.str().size() > 100));
  if (!needs) {
    remember(value, std::move(e));
    return;
  }
  statementComment(op);
  // What a branch becomes is written into its variable, which nobody reads before.
  if (holder && holder->kind == OpKind::If) {
    const unsigned at = llvm::find(user->operands(), value) - user->operands().begin();
    const std::string &variable = storage_.at(holder->result(at)).name;
    assign(emit::named(variable), e);
    remember(value, emit::named(variable));
    return;
  }
  std::string name = named ? names_.take(hintOf(value)) : names_.take(roleName(op), userNames_);
  const bool isThreshold = op->kind == OpKind::UniformThreshold;
  declareScalar(isThreshold ? word("auto") : typeOf(value->type), name, e);
  remember(value, emit::named(name));
}

void KernelEmitter::declareScalar(const Expr &type, const std::string &name, const Expr &init) {
  Stmt declaration = constant(type, name, init);
  declaration.as<Declare>()->isDroppable = true;
  add(std::move(declaration));
}

// Whether what is added to a pointer is an expression of 64 bits in the text.
static bool hasWideOffset(const Op *addptr) {
  const Value *offset = addptr->operand(1);
  return offset->type.scalar() == Scalar::I64 && !constantInt(offset) &&
         !isWidenedInPlace(addptr, 1);
}

// The offset that is added to the name at the left of the sum `e`, which is the text of `addptr`:
// row + 1 of in + row + 1. None if C++ would add the offsets in fewer than 64 bits, where the sum
// might not fit; added to the pointer one after the other they do.
static std::optional<std::pair<Expr, Expr>> baseAndOffset(const Expr &e, const Op *addptr) {
  if (!e.is(ExprKind::Binary, "+")) return std::nullopt;
  const Expr &left = e.operand(0), &right = e.operand(1);
  if (left.isName()) return std::pair(left, right);
  const Op *before = addptr->operand(0)->definition;
  if (!before || before->kind != OpKind::AddPtr) return std::nullopt;
  const auto inner = baseAndOffset(left, before);
  const bool isFirst = left.is(ExprKind::Binary) && left.operand(0).isName();
  if (!inner || (isFirst && !hasWideOffset(before) && !hasWideOffset(addptr))) return std::nullopt;
  return std::pair(inner->first, sum(inner->second, right));
}

// The object a scalar pointer points to: in[row] for in + row.
Expr KernelEmitter::dereference(const Value *pointer) {
  const Op *op = pointer->definition;
  Expr e = scalar(pointer);
  const bool isSum = op && op->kind == OpKind::AddPtr;
  if (const auto parts = isSum ? baseAndOffset(e, op) : std::nullopt)
    return elementOf(parts->first, parts->second);
  return unary("*", e);
}

Expr KernelEmitter::loneThread() {
  return binary(Prec::Equality, "==", named(threadWord()), integer(0));
}

// Whether an access says how it uses the caches.
static bool isHinted(const Op *op) { return op->has(Attr::cache) || op->has(Attr::evict); }

void KernelEmitter::scalarLoad(Op *op) {
  const Value *mask = op->operand(1), *otherwise = op->operand(2);
  const Expr other =
      otherwise ? scalar(otherwise) : literal(op->result()->type.scalar(), int64_t{0});
  const Expr active = mask ? scalar(mask) : word("true");
  Expr e = isHinted(op) ? call(elementHelper(op), {active, scalar(op->operand(0)), other})
           : mask       ? conditional(active, dereference(op->operand(0)), other)
                        : dereference(op->operand(0));
  if (op->result()->name.empty()) {
    auto base = passes::basePointer(op->operand(0));
    roleNames_[op->result()] = base ? parameters_[*base].name + "_value" : "loaded";
  }
  if (op->has(Attr::buffer)) {
    statementComment(op);
    commentOpen_ = false;
    return shareScalar(op, e);
  }
  bindScalar(op, op->result(), e, true);
}

// One thread computes the value, and all threads learn it through shared memory.
void KernelEmitter::shareScalar(Op *op, const Expr &value) {
  const Expr shared = elementOf(sharedTile(kernel_.shared[op->getInt(Attr::buffer)]), integer(0));
  add(shortIf(loneThread(), {Assign{shared, "=", value}}));
  add(evaluate(barrierCall(), op->kind == OpKind::Load ? "all threads get the value that was loaded"
                                                       : "the old value is there for all threads"));
  bindScalar(op, op->result(), shared, true);
}

// The value a scalar store or atomic writes; a literal of a type that literals do not have says it.
Expr KernelEmitter::storedValue(const Op *op) {
  Expr e = scalar(op->operand(1));
  Scalar type = op->operand(1)->type.scalar();
  bool natural =
      type == Scalar::I32 || type == Scalar::F32 || type == Scalar::F64 || type == Scalar::Bool;
  return e.isLiteral() && !natural ? call(cppType(type), {e}) : e;
}

void KernelEmitter::scalarStore(Op *op) {
  statementComment(op);
  commentOpen_ = false;
  const Expr active = op->operand(2) ? scalar(op->operand(2)) : Expr{};
  const Expr condition = bothOf(loneThread(), active);
  if (op->kind == OpKind::AtomicAdd) {
    const Expr helper = atomicHelper(op, "atomic_add", "ordered_add");
    Expr old = call(helper, {scalar(op->operand(0)), storedValue(op)});
    if (op->result()->unused()) {
      add(shortIf(condition, evaluate(old)));
      return;
    }
    T2C_ASSERT(op->has(Attr::buffer));
    // Where nothing is added, the old value is 0.
    if (op->operand(2)) {
      const Scalar type = op->result()->type.scalar();
      old = conditional(scalar(op->operand(2)), old,
                        isFloat(type) ? literal(type, 0.0) : literal(type, int64_t{0}));
    }
    return shareScalar(op, old);
  }
  if (isHinted(op)) {
    const Expr pointer = scalar(op->operand(0));
    add(evaluate(call(elementHelper(op), {condition, pointer, storedValue(op)})));
    return;
  }
  const Expr target = dereference(op->operand(0));
  addStore(shortIf(condition, {Assign{target, "=", storedValue(op)}}));
}

// tile2cu::device_assert(!(i < n) || x < 2.0f, "scale.tile.cpp:8: small");
void KernelEmitter::deviceAssert(const Op *op) {
  const auto element = [&](const Value *value) {  // of a tile: in the nest that is written
    if (!value->type.isTile()) return scalar(value);
    return valueAt(value, operandRefs(op, value, identityRefs(*nest_->layout)), Level::Element);
  };
  Expr holds = element(op->operand(0));
  if (Value *mask = op->operand(1))
    holds = binary(Prec::Or, "||", unary("!", element(mask)), holds);
  std::string what = op->getString(Attr::message);
  if (const Statement *statement = statementOf(op->loc.statement); what.empty() && statement)
    what = shortened(statement->text);
  if (op->loc.file == kernel_.loc.file)
    what = options_.sourceName + ":" + std::to_string(op->loc.line) + ": " + what;
  std::string text;
  llvm::raw_string_ostream(text).write_escaped(what);
  add(evaluate(call("tile2cu::device_assert", {holds, word("\"" + text + "\"")})));
}

}  // namespace tile2cu::emit
