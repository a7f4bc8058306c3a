// Values inside of a loop nest: as expressions of the loops' variables.
#include "emit/cuda/free_names.h"
#include "emit/lower/loop_nest.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

AxisRefs identityRefs(const Layout &layout) {
  AxisRefs refs;
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis) refs.push_back(axis);
  return refs;
}

AxisRefs operandRefs(const Op *op, const Value *operand, const AxisRefs &refs) {
  if (!operand->type.isTile()) return {};
  if (op->kind == OpKind::ReduceThread) return refs;  // its result has fewer registers
  const Type &result = op->numResults() ? op->result()->type : operand->type;
  if (!result.isTile() || *operand->type.layout() == *result.layout()) {
    if (operand->type.isTile() && operand->type.layout()->registerAxes().size() == refs.size())
      return refs;
  }
  auto map = passes::axisMap(op, *operand->type.layout(), *result.layout());
  AxisRefs mapped;
  for (int axis : map) mapped.push_back(axis < 0 ? -1 : refs[axis]);
  return mapped;
}

// Whether a range counts the elements that a loop nest copies to shared memory.
static bool isOfCopy(const Op *op) {
  return op->kind == OpKind::Arange && !op->getBool(Attr::registers_only) &&
         llvm::any_of(op->parent->ops,
                      [](const auto &other) { return other->kind == OpKind::AsyncCopy; });
}

bool wantsLocal(const Value *value) {
  const Op *op = value->definition;
  if (!op || op->is(View) || op->kind == OpKind::Splat || op->kind == OpKind::Convert) return false;
  if (value->type.isPointer()) return value->users.size() > 1 && !value->name.empty();
  // The place of a copy in shared memory is written with its coordinates as well.
  unsigned uses = isOfCopy(op) ? 1 : 0;
  llvm::SmallVector<const Value *, 4> open{value};
  while (!open.empty()) {
    const Value *v = open.pop_back_val();
    for (const Op *user : v->users) {
      if (user->isShapeView())
        open.push_back(user->result());
      else
        ++uses;
    }
  }
  return uses > 1 || (!value->name.empty() && op->kind != OpKind::Cast);
}

// The loops' variables along these axes, the first element of a vector where all are meant.
static Vars indicesOf(const LoopNest &nest, const AxisRefs &refs, Level level) {
  Vars indices;
  for (int axis : refs) {
    const bool isFirst = axis < 0 || (level == Level::Vector && axis == nest.vectorAxis);
    indices.push_back(isFirst ? integer(0) : nest.vars[axis]);
  }
  return indices;
}

// The dimension of the loop nest's tiles that a range with this layout counts; none if that is not
// known. `refs`: the registers of the range.
static std::optional<unsigned> dimOfRange(const LoopNest &nest, const Layout &range,
                                          const AxisRefs &refs) {
  const auto areSame = [&](const Digit &own, const Digit &of) {
    return own.unit == of.unit && own.stride == of.stride && own.extent == of.extent &&
           (own.unit != Unit::Register || refs[own.axis] == int(of.axis));
  };
  const LayoutDim &own = range.dim(0);
  for (unsigned d = 0; d < nest.layout.rank(); ++d) {
    const LayoutDim &dim = nest.layout.dim(d);
    const bool hasRegisters =
        llvm::any_of(dim.digits, [](const Digit &digit) { return digit.unit == Unit::Register; });
    if (hasRegisters && own.size == dim.size && own.size.hasFormulaOf(dim.size) &&
        llvm::equal(own.digits, dim.digits, areSame))
      return d;
  }
  return std::nullopt;
}

// The elements of a range. A tile says more of the threads along its rows than the range alone.
static Expr rangeAt(LoopNest &nest, ArangeOp range, const AxisRefs &refs, Level level) {
  const auto at = range.registers_only_opt() ? coordinateOfFirstThread : coordinate;
  const Layout &own = *range->result()->type.layout();
  if (const auto dim = dimOfRange(nest, own, refs))
    return at(nest.ctx, nest.layout, *dim, indicesOf(nest, identityRefs(nest.layout), level));
  return at(nest.ctx, own, 0, indicesOf(nest, refs, level));
}

Expr computeAt(LoopNest &nest, const Op *op, const AxisRefs &refs, Level level) {
  LoweringContext &ctx = nest.ctx;
  if (const auto splat = SplatOp::of(op)) return scalar(ctx, splat.source());
  if (op->is(View) || op->kind == OpKind::Convert)
    return valueAt(nest, op->operand(0), operandRefs(op, op->operand(0), refs), level);
  if (const auto range = ArangeOp::of(op)) {
    const Expr e = rangeAt(nest, range, refs, level);
    return range.start() ? sum(ctx.constants.number(range.start()), e) : e;
  }
  T2C_ASSERT(op->is(Elementwise));
  llvm::SmallVector<Expr, 4> operands;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const Value *operand = implicitSource(op, i);
    operands.push_back(operand->type.isTile()
                           ? valueAt(nest, operand, operandRefs(op, op->operand(i), refs), level)
                           : scalar(ctx, operand));
  }
  if (const Expr e = withoutZero(op, operands)) return e;
  return elementwise(op, operands, ctx.info.style);
}

// The name of the coordinate that a range with this layout is in the tiles of the loop nest.
static std::string indexName(LoopNest &nest, const Layout &range) {
  const Layout &layout = nest.layout;
  if (layout.rank() != 2) return "index";
  auto runsAlong = [&](unsigned dim) {
    return llvm::equal(range.dim(0).digits, layout.dim(dim).digits,
                       [](const Digit &a, const Digit &b) {
                         return a.unit == b.unit && a.stride == b.stride && a.extent == b.extent;
                       });
  };
  if (runsAlong(0) == runsAlong(1)) return "index";
  return runsAlong(0) ? "row" : "column";
}

// Whether the expression reads an element of an array.
static bool readsElements(const Expr &e) {
  return anyOf(e, [](const Expr &node) { return node.is(ExprKind::Index); });
}

// Gives a value a name of its own in the loop's body, or that of the same number for another tile
// of the same layout. Elements of arrays are read again.
static Expr namedLocal(LoopNest &nest, const Value *value, const Expr &e) {
  LoweringContext &ctx = nest.ctx;
  const OpKind kind = value->definition->kind;
  const Expr type = kind == OpKind::UniformThreshold ? word("auto") : typeOf(value->type);
  const bool steady = !readsElements(e);
  if (const Names::Constant *same = steady ? ctx.names.constant(type, e) : nullptr) {
    ctx.values.requireCurrent(value, same->reads);
    return named(same->name);
  }
  // Equal ranges are one value, with the name of one of them. A tile may have several.
  const std::string index = kind == OpKind::Arange ? indexName(nest, *value->type.layout()) : "";
  const std::string role = !index.empty()                         ? index
                           : value->type.scalar() == Scalar::Bool ? "inside"
                                                                  : "offset";
  // cols -> col, one number of this thread. Where that is the index within the tile, start + col is
  // global_col.
  const bool isSum = kind == OpKind::Add && isInteger(value->type.scalar());
  const std::string second = isSum ? "global_" + singular(value->name) : index;
  const Symbol name = value->name.empty()
                          ? ctx.names.take(role)
                          : ctx.names.take(singular(value->name), {.second = second});
  ctx.out.declareConstant(type, name, e);
  if (steady) ctx.names.rememberConstant(type, e, name);
  return named(name);
}

Expr valueAt(LoopNest &nest, const Value *value, const AxisRefs &refs, Level level) {
  LoweringContext &ctx = nest.ctx;
  if (!value->type.isTile()) return scalar(ctx, value);
  const Op *op = value->definition;
  if (level == Level::Element)
    if (const auto known = nest.elementExprs.find(value); known != nest.elementExprs.end())
      return ctx.values.recalled(value, known->second);
  if (!op || !nest.isInside(op) || ctx.values.isPlaced(value))
    return storageRef(ctx, ctx.values.stored(value), indicesOf(nest, refs, level));
  const Run run = runOf(nest, value, refs);
  if (level == Level::Element && nest.vectorAxis >= 0 && run != Run::Varies) {
    const Expr e = valueAt(nest, value, refs, Level::Vector);
    return run == Run::Counts ? sum(e, nest.vars[nest.vectorAxis]) : e;
  }
  auto &exprs = level == Level::Vector ? nest.vectorExprs : nest.elementExprs;
  if (const auto known = exprs.find(value); known != exprs.end())
    return ctx.values.recalled(value, known->second);
  const Expr e = computeAt(nest, op, refs, level);
  if (!wantsLocal(value) || e.isAtom()) return e;
  return (exprs[value] = ctx.values.remembered(namedLocal(nest, value, e))).expr;
}

void vectorLocals(LoopNest &nest, const Value *value, const AxisRefs &refs) {
  LoweringContext &ctx = nest.ctx;
  if (!value || !value->type.isTile() || !nest.vectorLocalsOf.insert({value, refs}).second) return;
  const Op *op = value->definition;
  if (!op || !nest.isInside(op) || ctx.values.isPlaced(value) || nest.elementExprs.count(value))
    return;
  bool element = nest.segmentOps.count(op) &&
                 !passes::isInlinedAtUse(op);  // computed in the element loop itself
  if (!element && runOf(nest, value, refs) != Run::Varies) {
    valueAt(nest, value, refs, Level::Vector);
    return;
  }
  if (nest.segmentOps.count(op) || passes::isInlinedAtUse(op))
    for (Value *operand : op->operands())
      if (operand) vectorLocals(nest, operand, operandRefs(op, operand, refs));
}

}  // namespace tile2cu::emit
