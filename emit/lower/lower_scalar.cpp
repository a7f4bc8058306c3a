// Operations on scalars, and accesses of one element.
#include "emit/lower/access_helpers.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/lower/text_functions.h"
#include "emit/spelling/cuda_scalar.h"
#include "fmt/format.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/text_operands.h"

namespace tile2cu::emit {
using namespace ir;

// ---- numbers

static const char *axisName(int64_t axis) {
  constexpr const char *kAxes[] = {"x", "y", "z"};
  return kAxes[axis];
}

void lower(LoweringContext &ctx, const ProgramIdOp &id) {
  bindScalar(ctx, id.op, id->result(), member(word("blockIdx"), axisName(id.axis())), true);
}

void lower(LoweringContext &ctx, const ThreadCoordinateOp &first) {
  bindScalar(ctx, first.op, first->result(), coordinateOfThread(ctx, *first->layout, first.axis()));
}

void lower(LoweringContext &ctx, const NumProgramsOp &count) {
  Expr blocks = member(word("gridDim"), axisName(count.axis()));
  if (ctx.kernel.packed()) blocks = product(call("int64_t", {blocks}), named("PROGRAMS_PER_BLOCK"));
  bindScalar(ctx, count.op, count->result(), blocks, true);
}

void lower(LoweringContext &ctx, const NumSmsOp &count) {
  bindScalar(ctx, count.op, count->result(), named("num_sms"));
}

// The text's type of an address is the pointer.
void lower(LoweringContext &ctx, const AsPointerOp &pointer) {
  bindScalar(ctx, pointer.op, pointer->result(), scalar(ctx, pointer.address()));
}

void lower(LoweringContext &ctx, const MapOp &map) {
  llvm::SmallVector<Expr, 4> operands;
  for (const Value *operand : map->operands()) operands.push_back(scalar(ctx, operand));
  const Expr e = mapped(ctx, map.op, operands);
  for (auto &result : map->results) bindScalar(ctx, map.op, result.get(), e, true);
}

// The function may be overloaded, so the type of each argument counts.
static Expr typedArgument(const Value *value, const Expr &e) {
  const Scalar type = value->type.scalar();
  if (!isInteger(type) || type == Scalar::I32) return typedLiteral(type, e);
  const std::string name = cppType(type);
  return e.isCallOf(name) ? e : call(name, {e});
}

Expr callOf(LoweringContext &ctx, const DeviceCallOp &function, llvm::ArrayRef<Expr> arguments) {
  if (function->has(Attr::text)) {
    const KernelOptions &options = ctx.info.options;
    return options.isEmulated ? call(functorOf(ctx, function.op), arguments)
                              : call(options.texts->calleeOf(function.op), arguments);
  }
  llvm::SmallVector<Expr, 4> typed;
  for (unsigned i = 0; i < arguments.size(); ++i)
    typed.push_back(typedArgument(function->operand(i), arguments[i]));
  // From the global namespace on, so that no name of the text hides it.
  return call("::" + function.callee(), typed);
}

void lower(LoweringContext &ctx, const DeviceCallOp &function) {
  llvm::SmallVector<Expr, 4> arguments;
  for (const Value *operand : function->operands()) arguments.push_back(scalar(ctx, operand));
  bindScalar(ctx, function.op, function->result(), callOf(ctx, function, arguments));
}

void lowerElementwise(LoweringContext &ctx, const Op *op) {
  llvm::SmallVector<Expr, 4> operands;
  for (unsigned i = 0; i < op->numOperands(); ++i)
    operands.push_back(scalar(ctx, implicitSource(op, i)));
  T2C_ASSERT(op->numResults() == 1);
  if (const Expr e = withoutZero(op, operands)) return bindScalar(ctx, op, op->result(), e);
  const Value *dividend, *divisor;
  if (passes::isCdiv(op->result(), dividend, divisor) && op->kind == OpKind::Add &&
      dividend->type == op->result()->type && divisor->type == dividend->type) {
    const std::string type = cppType(dividend->type.element());
    bindScalar(ctx, op, op->result(),
               call("tile2cu::cdiv" + (type == "int64_t" ? "" : "<" + type + ">"),
                    {scalar(ctx, dividend), scalar(ctx, divisor)}));
    return;
  }
  // Random bits cost more than a name.
  bindScalar(ctx, op, op->result(), elementwise(op, operands, ctx.info.style),
             op->kind == OpKind::RandomBits);
}

// ---- accesses

// Whether what is added to a pointer is an expression of 64 bits in the text.
static bool hasWideOffset(const Op *addptr) {
  const Value *offset = addptr->operand(1);
  return offset->type.scalar() == Scalar::I64 && !constantInt(offset) &&
         !isConvertedInPlace(addptr, 1);
}

// The offset that is added to the name at the left of the sum `e`, which is the text of `addptr`:
// row + 1 of in + row + 1. None if C++ would add the offsets in fewer than 64 bits, where the sum
// might not fit; added to the pointer one after the other they do.
static std::optional<std::pair<Expr, Expr>> baseAndOffset(const Expr &e, const Op *addptr) {
  if (!e.is(ExprKind::Binary, "+")) return std::nullopt;
  const Expr &left = e.operand(0), &right = e.operand(1);
  if (left.isName() || left.is(ExprKind::Word)) return std::pair(left, right);
  const Op *before = addptr->operand(0)->definition;
  if (!before || before->kind != OpKind::AddPtr) return std::nullopt;
  const auto inner = baseAndOffset(left, before);
  const bool isFirst = left.is(ExprKind::Binary) && left.operand(0).isName();
  if (!inner || (isFirst && !hasWideOffset(before) && !hasWideOffset(addptr))) return std::nullopt;
  return std::pair(inner->first, sum(inner->second, right));
}

// The object a scalar pointer points to: in[row] for in + row.
static Expr dereference(LoweringContext &ctx, const Value *pointer) {
  const Op *op = pointer->definition;
  Expr e = scalar(ctx, pointer);
  const bool isSum = op && op->kind == OpKind::AddPtr;
  if (const auto parts = isSum ? baseAndOffset(e, op) : std::nullopt)
    return elementOf(parts->first, parts->second);
  return unary("*", e);
}

// Whether an access says how it uses the caches.
static bool isHinted(const Op *op) { return op->has(Attr::cache) || op->has(Attr::evict); }

// One thread computes the value, and all threads learn it through shared memory.
static void shareScalar(LoweringContext &ctx, const Op *op, const Expr &value) {
  const Expr shared = elementOf(sharedTile(ctx, op->getInt(Attr::buffer)), integer(0));
  // Shared memory has the number of a pointer.
  const bool isAddress = op->result()->type.element().target != Scalar::None;
  const auto cast = [](const Expr &type, const Expr &e) {
    return call(instance("reinterpret_cast", {type}), {e});
  };
  const Expr written = isAddress ? cast(typeOf(Scalar::U64), value) : value;
  ctx.out.add(shortIf(loneThread(ctx), {Assign{shared, "=", written}}));
  const bool isLoad = op->kind == OpKind::Load || op->get(Attr::update) == AtomicUpdate::Load;
  ctx.out.add(barrierCall(ctx, op->kind == OpKind::CudaEffect
                                   ? "all threads see what the text returned"
                               : isLoad ? "all threads see the value that was loaded"
                                        : "all threads can read the old value now"));
  bindScalar(ctx, op, op->result(), isAddress ? cast(typeOf(op->result()->type), shared) : shared,
             true);
}

void lower(LoweringContext &ctx, const LoadOp &load) {
  const Value *mask = load.mask_opt(), *otherwise = load.other_opt();
  const Expr other =
      otherwise ? scalar(ctx, otherwise) : literal(load->result()->type.scalar(), int64_t{0});
  const Expr active = mask ? scalar(ctx, mask) : word("true");
  const Expr e = isHinted(load.op) ? call(elementHelper(ctx, load.op),
                                          {active, scalar(ctx, load.pointer()), other})
                 : mask            ? conditional(active, dereference(ctx, load.pointer()), other)
                                   : dereference(ctx, load.pointer());
  if (load->result()->name.empty()) {
    // A pointer has the name that the source gives it.
    const Op *user = load->result()->users.empty() ? nullptr : load->result()->users.front();
    const bool isNamed = user && user->kind == OpKind::AsPointer && !user->result()->name.empty();
    const std::string parameter = ctx.scalarNames.parameterOf(load.pointer());
    ctx.scalarNames.setHint(load->result(), isNamed             ? user->result()->name
                                            : parameter.empty() ? "loaded"
                                                                : parameter + "_value");
  }
  if (!load->has(Attr::buffer)) return bindScalar(ctx, load.op, load->result(), e, true);
  ctx.comments.statement(load.op);
  ctx.out.setAfterComment(false);
  shareScalar(ctx, load.op, e);
}

// A value that a scalar store or atomic takes. A literal is cast if no suffix says its type.
static Expr argument(LoweringContext &ctx, const Value *value) {
  Expr e = scalar(ctx, value);
  Scalar type = value->type.scalar();
  bool natural =
      type == Scalar::I32 || type == Scalar::F32 || type == Scalar::F64 || type == Scalar::Bool;
  return e.isLiteral() && !natural ? call(cppType(type), {e}) : e;
}

void lower(LoweringContext &ctx, const StoreOp &store) {
  ctx.comments.statement(store.op);
  ctx.out.setAfterComment(false);
  const Expr active = store.mask_opt() ? scalar(ctx, store.mask_opt()) : Expr{};
  const Expr condition = bothOf(loneThread(ctx), active);
  if (isHinted(store.op)) {
    const Expr pointer = scalar(ctx, store.pointer());
    ctx.out.add(evaluate(
        call(elementHelper(ctx, store.op), {condition, pointer, argument(ctx, store.value())})));
    return;
  }
  const Expr target = dereference(ctx, store.pointer());
  ctx.out.addStore(shortIf(condition, {Assign{target, "=", argument(ctx, store.value())}}));
}

// One thread makes the call, and all learn its value if it is used.
static void callOnce(LoweringContext &ctx, const Op *op, const Value *mask, const Expr &call) {
  const Expr active = mask ? scalar(ctx, mask) : Expr{};
  if (op->numResults() == 0 || op->result()->unused()) {
    ctx.out.add(shortIf(bothOf(loneThread(ctx), active), evaluate(call)));
    return;
  }
  T2C_ASSERT(op->has(Attr::buffer));
  shareScalar(ctx, op, oldValue(op, active, call));
}

void lower(LoweringContext &ctx, const AtomicOp &atomic) {
  ctx.comments.statement(atomic.op);
  ctx.out.setAfterComment(false);
  const Value *value = atomic.value_opt(), *expected = atomic.expected_opt();
  callOnce(
      ctx, atomic.op, atomic.mask_opt(),
      atomicCall(atomic.op, scalar(ctx, atomic.pointer()), value ? argument(ctx, value) : Expr{},
                 expected ? argument(ctx, expected) : Expr{}));
}

void lower(LoweringContext &ctx, const CudaEffectOp &effect) {
  ctx.comments.statement(effect.op);
  ctx.out.setAfterComment(false);
  llvm::SmallVector<Expr, 4> arguments;
  for (const Value *operand : textOperands(effect.op)) arguments.push_back(scalar(ctx, operand));
  callOnce(ctx, effect.op, effect.mask_opt(),
           call(ctx.info.options.texts->calleeOf(effect.op), arguments));
}

// ---- assertions

void writeAssert(LoweringContext &ctx, const DeviceAssertOp &assertion, const Expr &condition,
                 const Expr &mask, const Expr &value) {
  const Expr holds = mask ? binary(Prec::Or, "||", unary("!", mask), condition) : condition;
  const bool isCheck = assertion->getBool(Attr::always);
  const Statement *statement = ctx.comments.statementOf(assertion->loc.statement);
  std::string what = assertion->getString(Attr::message);
  if (what.empty() && statement) what = shortened(statement->text);
  const Location &loc = assertion->loc;
  const auto &files = ctx.info.options.fileNames;
  if (isCheck)
    what = shortened(what);  // it says where
  else if (loc.line > 0 && loc.file < files.size())
    what = fmt::format("{}:{}: {}", files[loc.file], loc.line, what);
  std::string text;
  llvm::raw_string_ostream(text).write_escaped(what);
  llvm::SmallVector<Expr, 3> arguments{holds, word("\"" + text + "\"")};
  if (value) arguments.push_back(value);
  ctx.out.add(evaluate(call(value     ? "tile2cu::check_value"
                            : isCheck ? "tile2cu::check"
                                      : "tile2cu::device_assert",
                            arguments)));
}

void lower(LoweringContext &ctx, const DeviceAssertOp &assertion) {
  ctx.comments.statement(assertion.op);
  const Expr condition = scalar(ctx, assertion.condition());
  const Value *mask = assertion.mask_opt();
  const Value *value = assertion.value_opt();
  writeAssert(ctx, assertion, condition, mask ? scalar(ctx, mask) : Expr{},
              value ? scalar(ctx, value) : Expr{});
}

}  // namespace tile2cu::emit
