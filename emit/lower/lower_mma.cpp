// Dots on tensor cores: the loop over k, and the instructions for each pair of fragments.
#include "emit/lower/lowerings.h"
#include "emit/lower/mma_fragments.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
using passes::MmaShape;

Expr stepsOfK(LoweringContext &ctx, const Op *dot) {
  const Dim depth = depthOf(dot);
  const int64_t step = dot->getInt(Attr::instruction_k);
  if (depth % step == 0) return ctx.constants.number(depth.over(step));
  const Expr size = ctx.constants.number(depth);
  if (size.isLiteral()) return integer(llvm::divideCeil(depth, step));
  return binary(Prec::Multiplicative, "/", sum(size, literal(Scalar::I32, step - 1)),
                literal(Scalar::I32, step));
}

static void mmaComment(LoweringContext &ctx, const Op *dot) {
  const MmaShape &shape = shapeOf(dot);
  const bool tripled = dot->get(Attr::precision) == Precision::Tf32x3;
  ctx.out.comment(
      fmt::format("Tensor cores: {}{} for each {} x {} tile of accumulators, in k-steps of {}.",
                  tripled ? "three " : "", shape.helper(), shape.m, shape.n, shape.k));
}

// uint32_t a_frag[M_TILES][4], b_frag[N_TILES][2]; with `sets` before the extents.
static Stmt fragmentArrays(LoweringContext &ctx, const Op *dot, const Symbol &a, const Symbol &b,
                           const Expr &sets) {
  const MmaShape &shape = shapeOf(dot);
  const Layout &layout = *dot->result()->type.layout();
  auto array = [&](const Symbol &name, unsigned axis, int64_t registers) {
    Declarator result{name};
    if (sets) result.extents.push_back(sets);
    if (!ctx.constants.isDropped(layout, axis))
      result.extents.push_back(ctx.constants.extent(layout, axis));
    result.extents.push_back(integer(registers));
    return result;
  };
  const Expr type = word(shape.registerBytes() == 8 ? "double" : "uint32_t");
  return {Declare{type,
                  {array(a, rowAxis(layout), shape.registersOfA()),
                   array(b, rowAxis(layout) + 1, shape.registersOfB())}}};
}

// The matrix of accumulators at the loops' variables i and j.
static Expr accumulatorsAt(LoweringContext &ctx, const Storage &storage, const Layout &layout,
                           const Fragments &of, const Symbol &i, const Symbol &j) {
  const unsigned rows = rowAxis(layout);
  Expr acc = named(storage.name);
  if (layout.rank() == 3) acc = matrixOf(ctx, acc, layout, 0, of.batch);
  return matrixOf(ctx, matrixOf(ctx, acc, layout, rows, i), layout, rows + 1, j);
}

// Its registers, as the instruction takes them: those of 16-bit elements are pairs.
static Expr registersOf(const Storage &storage, const MmaShape &shape, const Expr &matrix) {
  if (storage.isFragment) return matrix;
  return isHalf(shape.d) ? call("tile2cu::packed_fragment", {matrix}) : member(matrix, "elem");
}

// Splits each float into two tf32 and multiplies all pairs of parts but the two small ones.
static void multiplyTripled(LoweringContext &ctx, const Op *op, const Storage &storage,
                            const Fragments &from) {
  const MmaShape &shape = shapeOf(op);
  const Layout &layout = *op->result()->type.layout();
  ctx.names.open();
  const Expr aSmall = named(ctx.names.take("a_small")), bSmall = named(ctx.names.take("b_small"));
  const Symbol i = ctx.names.take("i"), j = ctx.names.take("j");
  const unsigned rows = rowAxis(layout), columns = rows + 1;
  const Expr acc = accumulatorsAt(ctx, storage, layout, from, i, j);
  auto matrix = [&](const Expr &array, bool isSecond) {
    return matrixOf(ctx, array, layout, isSecond ? columns : rows, isSecond ? j : i);
  };
  ctx.out.add(fragmentArrays(ctx, op, aSmall.symbol(), bSmall.symbol(), {}));
  openMatrices(ctx, layout, rows, i);
  ctx.out.add(
      evaluate(call("tile2cu::split_tf32", {matrix(from.a, false), matrix(aSmall, false)})));
  closeMatrices(ctx, layout, rows);
  openMatrices(ctx, layout, columns, j);
  ctx.out.add(evaluate(call("tile2cu::split_tf32", {matrix(from.b, true), matrix(bSmall, true)})));
  closeMatrices(ctx, layout, columns);
  openMatrices(ctx, layout, rows, i);
  openMatrices(ctx, layout, columns, j);
  const std::pair<Expr, Expr> products[] = {{aSmall, from.b}, {from.a, bSmall}, {from.a, from.b}};
  for (const auto &[a, b] : products)
    ctx.out.add(evaluate(Effect::Synchronizes,
                         call("tile2cu::" + shape.helper(), {registersOf(storage, shape, acc),
                                                             matrix(a, false), matrix(b, true)})));
  ctx.names.change(storage.name);
  closeMatrices(ctx, layout, columns);
  closeMatrices(ctx, layout, rows);
  ctx.names.close();
}

// A matrix instruction for each pair of fragments.
static void multiply(LoweringContext &ctx, const Op *op, const Storage &storage,
                     const Fragments &from) {
  if (op->get(Attr::precision) == Precision::Tf32x3) return multiplyTripled(ctx, op, storage, from);
  const MmaShape &shape = shapeOf(op);
  const Layout &layout = *op->result()->type.layout();
  ctx.names.open();
  const Symbol i = ctx.names.take("i"), j = ctx.names.take("j");
  const unsigned rows = rowAxis(layout), columns = rows + 1;
  const Expr acc = accumulatorsAt(ctx, storage, layout, from, i, j);
  openMatrices(ctx, layout, rows, i);
  openMatrices(ctx, layout, columns, j);
  ctx.out.add(evaluate(Effect::Synchronizes, call("tile2cu::" + shape.helper(),
                                                  {registersOf(storage, shape, acc),
                                                   matrixOf(ctx, from.a, layout, rows, i),
                                                   matrixOf(ctx, from.b, layout, columns, j)})));
  ctx.names.change(storage.name);
  closeMatrices(ctx, layout, columns);
  closeMatrices(ctx, layout, rows);
  ctx.names.close();
}

void mmaShared(LoweringContext &ctx, const Op *op, const Storage &storage) {
  const Layout &layout = *op->result()->type.layout();
  const bool isBatch = layout.rank() == 3;
  ctx.names.open();
  const Symbol a = ctx.names.take("a_frag"), b = ctx.names.take("b_frag"),
               kk = ctx.names.take("kk");
  Fragments fragments{named(a), named(b), kk, op->operand(1) ? scalar(ctx, op->operand(1)) : Expr{},
                      isBatch ? ctx.names.take("batch") : Symbol()};
  ctx.out.openPart("multiply_" + storage.name.wanted().str());
  mmaComment(ctx, op);
  if (isBatch) openMatrices(ctx, layout, 0, fragments.batch);
  ctx.out.open({unrolledLoop(kk, stepsOfK(ctx, op))});
  ctx.out.add(fragmentArrays(ctx, op, a, b, {}));
  loadOperands(ctx, op, fragments);
  multiply(ctx, op, storage, fragments);
  ctx.out.close();
  if (isBatch) closeMatrices(ctx, layout, 0);
  ctx.out.closePart();
  ctx.names.close();
}

// The set of registers of a k-step: a_frag[kk % 2].
static Expr setOf(const Symbol &array, const Symbol &kk) {
  return elementOf(named(array), binary(Prec::Multiplicative, "%", named(kk), integer(2)));
}

// Declares the fragments of a dot that loads them one k-step ahead and the function that loads
// them, and calls it for the first k-step.
void lower(LoweringContext &ctx, const LoadFragmentsOp &load) {
  const Op *const dot = ctx.info.localFunctions.callersOf(load.op).back();
  LocalFunctionText function;
  function.a = ctx.names.take("a_frag");
  function.b = ctx.names.take("b_frag");
  function.name = ctx.names.take("load_fragments");
  ctx.localFunctions[load.op] = function;
  ctx.out.blank();
  ctx.out.comment("Double-buffered fragments: a k-step of " +
                  std::to_string(dot->getInt(Attr::instruction_k)) +
                  " is loaded from shared memory while the tensor cores compute the previous one.");
  const Expr steps = stepsOfK(ctx, dot);
  if (!steps.isLiteral())
    ctx.out.add(staticAssertion(noRemainder(steps, integer(2)),
                                "each stage starts with the first of the two fragment buffers"));
  ctx.out.add(fragmentArrays(ctx, dot, function.a, function.b, integer(2)));
  ctx.names.open();
  Symbol stage = ctx.names.take("stage"), kk = ctx.names.take("kk");
  const Expr type = word("int");
  ctx.out.open(localFunction(function.name, {{type, stage}, {type, kk}}));
  loadOperands(ctx, dot, {setOf(function.a, kk), setOf(function.b, kk), kk, named(stage)});
  ctx.out.close();
  ctx.names.close();
  ctx.out.add(evaluate(call(named(function.name), {scalar(ctx, load.stage()), integer(0)})));
}

void mmaDoubleBuffered(LoweringContext &ctx, const Op *op, const Storage &storage) {
  const LocalFunctionText &function = ctx.localFunctions.at(ctx.info.localFunctions.calledBy(op));
  ctx.names.open();
  const Symbol kk = ctx.names.take("kk");
  const Expr steps = stepsOfK(ctx, op), one = integer(1), zero = integer(0);
  auto isStep = [&](const Expr &step) {
    return branchOn(binary(Prec::Equality, "==", named(kk), step));
  };
  auto load = [&](const Value *stage, const Expr &step) {
    ctx.out.add(evaluate(call(named(function.name), {scalar(ctx, stage), step})));
  };
  mmaComment(ctx, op);
  ctx.out.open({unrolledLoop(kk, steps)});
  ctx.out.open(isStep(binary(Prec::Additive, "-", steps, one)));
  lowerBlock(ctx, *op->region(1));
  load(op->operand(3), zero);
  ctx.out.openElse();
  load(op->operand(1), sum(named(kk), one));
  ctx.out.close();
  ctx.out.open(isStep(zero));
  lowerBlock(ctx, *op->region(0));
  ctx.out.close();
  multiply(ctx, op, storage, {setOf(function.a, kk), setOf(function.b, kk), kk, {}});
  ctx.out.close();
  ctx.names.close();
}

}  // namespace tile2cu::emit
