// Loads the operands of mma from shared memory into registers.
#include "emit/lower/lowerings.h"
#include "emit/lower/mma_fragments.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
using passes::FragmentLoad;
using passes::MmaShape;

namespace {
Expr laneOver(int64_t by) {
  return binary(Prec::Multiplicative, "/", named("lane"), literal(Scalar::I32, by));
}
Expr laneModulo(int64_t by) {
  return binary(Prec::Multiplicative, "%", named("lane"), literal(Scalar::I32, by));
}
// Each lane of ldmatrix names a row of 16 bytes. Here: 16 rows after each other, then those that
// follow in memory.
Expr sixteenRows() { return laneModulo(16); }
Expr pieceAfter(int64_t elements) { return product(laneOver(16), literal(Scalar::I32, elements)); }
// 8 rows, those that follow in memory, then the next 8 rows.
Expr eightRows() { return sum(laneModulo(8), pieceAfter(8)); }
Expr pieceBetween(int64_t elements) {
  Expr part = binary(Prec::Multiplicative, "%", laneOver(8), literal(Scalar::I32, int64_t{2}));
  return product(part, literal(Scalar::I32, elements));
}

// How operand `which` is loaded: by the way in which rows of its shared tile run.
FragmentLoad loadOf(const Op *dot, unsigned which) {
  return passes::fragmentLoad(shapeOf(dot), isAlongK(dot, which));
}
}  // namespace

// Which of the matrices of a dimension: the warp's and the loop's part of the coordinate.
static Expr matrixIndex(LoweringContext &ctx, const Layout &layout, unsigned dim, unsigned axis,
                        const Symbol &var) {
  Expr warp = integer(0);
  if (const auto ofMma = ctx.constants.mmaWarps(layout, dim))
    warp = ofMma->index;
  else
    for (const Digit &digit : layout.dim(dim).digits)
      if (digit.unit == Unit::Warp) warp = unitPart(ctx, digit);
  if (ctx.constants.isDropped(layout, axis)) return warp;
  return sum(product(warp, ctx.constants.extent(layout, axis)), named(var));
}

void openMatrices(LoweringContext &ctx, const Layout &layout, unsigned axis, const Symbol &var,
                  int64_t by) {
  if (ctx.constants.isDropped(layout, axis)) return;
  For loop = unrolledLoop(var, ctx.constants.extent(layout, axis));
  if (by != 1) loop.advance = {named(var), "+=", integer(by)};
  ctx.out.open({std::move(loop)});
}
void closeMatrices(LoweringContext &ctx, const Layout &layout, unsigned axis) {
  if (!ctx.constants.isDropped(layout, axis)) ctx.out.close();
}
Expr matrixOf(LoweringContext &ctx, const Expr &array, const Layout &layout, unsigned axis,
              const Symbol &var) {
  return ctx.constants.isDropped(layout, axis) ? array : elementOf(array, named(var));
}

// An element of operand `which` of a dot, or of one dot of a batch.
static Expr matrixElement(LoweringContext &ctx, const Op *op, unsigned which, const Fragments &of,
                          const Expr &row, const Expr &column) {
  const Layout &layout = *op->result()->type.layout();
  llvm::SmallVector<Expr, 3> at;
  if (layout.rank() == 3) at.push_back(matrixIndex(ctx, layout, 0, 0, of.batch));
  at.append({row, column});
  return operandElement(ctx, op, which, of.stage, at);
}

// Loads element by element what ldmatrix cannot transpose: the lane's first element of the matrix
// at (across, k), and those after it.
static void gather(LoweringContext &ctx, const Op *op, unsigned which, const Fragments &to,
                   const Expr &into, const Expr &across, const Expr &k) {
  const MmaShape &shape = shapeOf(op);
  const auto &all = op->getInts(which ? Attr::b_strides : Attr::a_strides);
  const auto strides = llvm::ArrayRef(all).take_back(2);
  const Expr row = sum(across, laneOver(4));
  const Expr depth = sum(k, product(laneModulo(4), literal(Scalar::I32, shape.perRegister())));
  auto element = [&](const Expr &r, const Expr &d) {
    return addressOf(which ? matrixElement(ctx, op, 1, to, d, r)
                           : matrixElement(ctx, op, 0, to, r, d));
  };
  if (!ctx.kernel.shared[op->getInts(Attr::buffers)[which]].swizzled) {
    ctx.out.add(evaluate(
        call("tile2cu::gather_fragment",
             {into, element(row, depth), integer(strides[which]), integer(strides[1 - which])})));
    return;
  }
  ctx.names.open();
  const Symbol rows = ctx.names.take("across"), steps = ctx.names.take("along");
  const Expr place = element(sum(row, named(rows)), sum(depth, named(steps)));
  ctx.out.add(evaluate(call("tile2cu::gather_fragment_at", {into, lambda({rows, steps}, place)})));
  ctx.names.close();
}

void loadFirstInPlace(LoweringContext &ctx, const Op *op, const Fragments &to, const Symbol &i) {
  const Value *a = op->operand(2);
  const Expr tile = matrixOf(ctx, named(ctx.values.stored(a).name), *a->type.layout(), 0, i);
  const Expr twice = product(literal(Scalar::I32, int64_t{2}), named(to.kk));
  ctx.out.add(evaluate(call("tile2cu::operand_fragment",
                            {matrixOf(ctx, to.a, *op->result()->type.layout(), 0, i),
                             elementOf(tile, twice), elementOf(tile, sum(twice, integer(1)))})));
}

// Matrix i of the first operand.
static void loadFirst(LoweringContext &ctx, const Op *op, const Fragments &to, const Symbol &i) {
  const Layout &layout = *op->result()->type.layout();
  const MmaShape &shape = shapeOf(op);
  const int64_t piece = 16 / shape.elementBytes();
  const unsigned rows = rowAxis(layout);
  const Expr into = matrixOf(ctx, to.a, layout, rows, i);
  Expr row = product(matrixIndex(ctx, layout, rows, rows, i), literal(Scalar::I32, shape.m));
  Expr k = product(named(to.kk), literal(Scalar::I32, shape.k));
  auto loadAt = [&](const char *helper, const Expr &first, const Expr &second) {
    const Expr from = addressOf(matrixElement(ctx, op, 0, to, first, second));
    ctx.out.add(evaluate(call(helper, {into, from})));
  };
  switch (loadOf(op, 0)) {
    case FragmentLoad::Rows:
      return loadAt("tile2cu::ldmatrix_x4", sum(row, sixteenRows()), sum(k, pieceAfter(piece)));
    case FragmentLoad::Columns:
      return loadAt("tile2cu::ldmatrix_x4_trans", sum(row, pieceBetween(piece)),
                    sum(k, eightRows()));
    case FragmentLoad::Elements:
      gather(ctx, op, 0, to, into, row, k);
  }
}

// Matrix j of the second operand; by ldmatrix also the next, if their number is even.
static void loadSecond(LoweringContext &ctx, const Op *op, const Fragments &to, const Symbol &j) {
  const Layout &layout = *op->result()->type.layout();
  const MmaShape &shape = shapeOf(op);
  const FragmentLoad load = loadOf(op, 1);
  const unsigned columns = rowAxis(layout) + 1;
  const int64_t piece = 16 / shape.elementBytes();
  const bool pairs = load != FragmentLoad::Elements && layout.registerAxes()[columns] % 2 == 0 &&
                     !ctx.constants.isDropped(layout, columns);
  llvm::SmallVector<Expr, 3> arguments{matrixOf(ctx, to.b, layout, columns, j)};
  if (pairs) arguments.push_back(elementOf(to.b, sum(named(j), integer(1))));
  Expr column =
      product(matrixIndex(ctx, layout, columns, columns, j), literal(Scalar::I32, shape.n));
  Expr k = product(named(to.kk), literal(Scalar::I32, shape.k));
  if (pairs) ctx.constants.require(noRemainder(ctx.constants.extent(layout, columns), integer(2)));
  openMatrices(ctx, layout, columns, j, pairs ? 2 : 1);
  switch (load) {
    case FragmentLoad::Rows:
      column = sum(column, pairs ? eightRows() : laneModulo(8));
      k = sum(k, pieceBetween(piece));
      break;
    case FragmentLoad::Columns:
      if (pairs) column = sum(column, pieceAfter(piece));
      k = sum(k, sixteenRows());
      break;
    case FragmentLoad::Elements:
      gather(ctx, op, 1, to, arguments[0], column, k);
      closeMatrices(ctx, layout, columns);
      return;
  }
  arguments.push_back(addressOf(matrixElement(ctx, op, 1, to, k, column)));
  ctx.out.add(evaluate(call("tile2cu::ldmatrix_x" + std::string(pairs ? "4" : "2") +
                                (load == FragmentLoad::Columns ? "_trans" : ""),
                            arguments)));
  closeMatrices(ctx, layout, columns);
}

void loadOperands(LoweringContext &ctx, const Op *op, const Fragments &to) {
  const Layout &layout = *op->result()->type.layout();
  ctx.names.open();
  const Symbol i = ctx.names.take("i"), j = ctx.names.take("j");
  openMatrices(ctx, layout, rowAxis(layout), i);
  op->operand(2) ? loadFirstInPlace(ctx, op, to, i) : loadFirst(ctx, op, to, i);
  closeMatrices(ctx, layout, rowAxis(layout));
  loadSecond(ctx, op, to, j);
  ctx.names.close();
}

}  // namespace tile2cu::emit
