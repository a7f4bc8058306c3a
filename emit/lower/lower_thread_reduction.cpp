// Reductions in the thread: each element of a loop nest joins its thread's partial result.
#include "emit/lower/loop_nest.h"
#include "emit/lower/reductions.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/value/reduction_identity.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

namespace {
// Whether the indices that argmax sees grow from one of a thread's elements to the next: they are
// the coordinates along the axis, and every register axis but the innermost steps further than
// those inside of it reach.
bool ascends(const Op *op) {
  const Op *index = op->operand(1)->definition;
  while (index && (index->kind == OpKind::Broadcast || index->kind == OpKind::ExpandDims ||
                   index->kind == OpKind::Cast))
    index = index->operand(0)->definition;
  if (!index || index->kind != OpKind::Arange) return false;
  const Layout &layout = *op->operand(0)->type.layout();
  unsigned axis = op->getInt(Attr::axis);
  int last = -1;
  for (size_t k = layout.dim(axis).digits.size(); k-- > 0;) {
    const Digit &digit = layout.dim(axis).digits[k];
    if (digit.unit != Unit::Register) continue;
    if (int(digit.axis) < last) return false;
    last = digit.axis;
  }
  return true;
}
}  // namespace

bool isIndexed(const Op *op) {
  const auto kind = op->get(Attr::kind);
  return kind == ReduceKind::Argmax || kind == ReduceKind::Argmin;
}

std::string memberName(const Op *op, unsigned i) {
  if (op->numOperands() == 1) return "";
  if (isIndexed(op)) return i == 0 ? "value" : "index";
  return "value" + std::to_string(i);
}

Expr valueTypeOf(const LoweringContext &ctx, const Op *op) {
  if (op->numOperands() == 1) return typeOf(op->operand(0)->type);
  if (isIndexed(op)) return instance("tile2cu::indexed", {typeOf(op->operand(0)->type)});
  return scoped(functorType(ctx, op), "Values");
}

// An expression as an initializer in braces, which must not narrow an int to a smaller integer:
// conditions and arithmetic are ints.
static Expr initializer(const Expr &e, Scalar type) {
  const bool promotes = type == Scalar::Bool || (isInteger(type) && byteWidth(type) < 4);
  return promotes && !e.isAtom() ? call(cppType(type), {e}) : e;
}

Expr combiner(LoweringContext &ctx, Op *op) {
  if (const auto kind = op->get(Attr::kind))
    return combineFunctor(*kind, op->operand(0)->type.scalar());
  return functorOf(ctx, op);
}

// ---- in the thread

void startPartial(LoweringContext &ctx, Op *op) {
  Value *first = op->result();
  const Type &type = first->type;
  // The loop nest's result of the same values, for its name.
  std::string wanted = first->name;
  Storage storage = makeStorage(
      ctx, type,
      wanted.empty() ? (op->has(Attr::kind) ? wordOf(*op->get(Attr::kind)).str() : "partial")
                     : wanted);
  storage.isVector = storage.isVector && op->numOperands() == 1;
  Expr start;
  Scalar scalarType = op->operand(0)->type.scalar();
  if (isIndexed(op) && !ascends(op)) {
    start = call(scoped(combiner(ctx, op).operand(0), "identity"), {});
  } else if (op->has(Attr::kind) && !isIndexed(op)) {
    const passes::Identity identity = passes::identityOf(*op->get(Attr::kind), scalarType);
    start = isFloat(scalarType) ? literal(scalarType, identity.real)
                                : literal(scalarType, identity.integer);
  }
  bool array = !isOneVariable(ctx, *type.layout());
  bool zero = start && isZero(start);
  const Expr init = !array ? start : zero ? braces({}, {}) : Expr{};
  ctx.out.add(declareArray(ctx, valueTypeOf(ctx, op), storage, init));
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Storage part = storage;
    part.member = memberName(op, i);
    ctx.values.place(op->result(i), part);
  }
  if (array && !zero && start) {
    ctx.out.add(evaluate(call("tile2cu::fill", {named(storage.name), start})));
    ctx.names.change(storage.name);
  }
}

void reduceThread(LoopNest &nest, Op *op) {
  LoweringContext &ctx = nest.ctx;
  const Layout &source = *op->operand(0)->type.layout(), &partial = *op->result()->type.layout();
  Storage storage = ctx.values.storageOf(op->result());
  storage.member.clear();
  auto map = passes::axisMap(op, partial, source);
  Vars vars;
  for (int axis : map) vars.push_back(axis < 0 ? integer(0) : nest.vars[axis]);
  Expr target = storageRef(ctx, storage, vars);
  auto refs = identityRefs(source);
  const auto kind = op->get(Attr::kind);
  if (op->numOperands() == 1 && kind) {
    Expr x = valueAt(nest, op->operand(0), refs, Level::Element);
    ctx.out.assign(target, combineInThread(*kind, op->operand(0)->type.scalar(), target, x));
    return;
  }
  llvm::SmallVector<Expr, 4> parts;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Expr x = valueAt(nest, op->operand(i), refs, Level::Element);
    parts.push_back(op->numOperands() > 1 ? initializer(x, op->operand(i)->type.scalar()) : x);
  }
  const Expr values = op->numOperands() > 1 ? braces(valueTypeOf(ctx, op), parts) : parts[0];
  const bool ascending = isIndexed(op) && ascends(op);
  const Expr combine = combiner(ctx, op);
  Expr combined = call(ascending ? scoped(combine.operand(0), "later") : combine, {target, values});
  if (!kind || ascending) {
    // No identity: the first element starts.
    Expr first;
    for (unsigned axis = 0; axis < source.registerAxes().size(); ++axis) {
      bool kept = std::find(map.begin(), map.end(), int(axis)) != map.end();
      auto use = source.axisUse(axis);
      if (kept || !use || use->dim != unsigned(op->getInt(Attr::axis)) ||
          source.registerAxes()[axis] == 1)
        continue;
      first = bothOf(first, binary(Prec::Equality, "==", nest.vars[axis], integer(0)));
    }
    combined = first ? conditional(first, values, combined) : values;
  }
  ctx.out.set(target, combined);
}

}  // namespace tile2cu::emit
