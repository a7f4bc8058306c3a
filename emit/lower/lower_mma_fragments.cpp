// Operands of tensor cores: from shared memory to the registers of mma.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/mma_fragments.h"
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
// Of the lanes of ldmatrix, each of which names a row of 16 bytes: 16 rows after each other, then those behind them in memory.
Expr sixteenRows() { return laneModulo(16); }
Expr pieceBehind(int64_t elements) { return product(laneOver(16), literal(Scalar::I32, elements)); }
// 8 rows, those behind them in memory, then the next 8 rows.
Expr eightRows() { return sum(laneModulo(8), pieceBehind(8)); }
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
Expr KernelEmitter::matrixIndex(const Layout &layout, unsigned dim, unsigned axis,
                                const std::string &var) {
  Expr warp = integer(0);
  for (const Digit &digit : layout.dim(dim).digits)
    if (digit.unit == Unit::Warp) warp = unitPart(digit);
  if (isDropped(layout, axis)) return warp;
  return sum(product(warp, named(extentName(layout, axis))), named(var));
}

// The loop over the matrices along an axis, if there are several.
void KernelEmitter::openMatrices(const Layout &layout, unsigned axis, const std::string &var,
                                 int64_t by) {
  if (isDropped(layout, axis)) return;
  For loop = unrolledLoop(var, named(extentName(layout, axis)));
  if (by != 1) loop.advance = {named(var), "+=", integer(by)};
  open({std::move(loop)});
}
void KernelEmitter::closeMatrices(const Layout &layout, unsigned axis) {
  if (!isDropped(layout, axis)) close();
}
// The matrix that such a loop counts.
Expr KernelEmitter::matrixOf(const Expr &array, const Layout &layout, unsigned axis,
                             const std::string &var) {
  return isDropped(layout, axis) ? array : elementOf(array, named(var));
}

// An element of operand `which` of a product, or of one of a batch.
Expr KernelEmitter::matrixElement(const Op *op, unsigned which, const Fragments &of,
                                  const Expr &row, const Expr &column) {
  const Layout &layout = *op->result()->type.layout();
  llvm::SmallVector<Expr, 3> at;
  if (layout.rank() == 3) at.push_back(matrixIndex(layout, 0, 0, of.batch));
  at.append({row, column});
  return operandElement(op, which, of.stage, at);
}

// Element by element what ldmatrix cannot turn: the lane's first element of the matrix at (across, k), and those behind it.
void KernelEmitter::gather(const Op *op, unsigned which, const Fragments &to, const Expr &into,
                           const Expr &across, const Expr &k) {
  const MmaShape &shape = shapeOf(op);
  const auto &all = op->getInts(which ? Attr::b_strides : Attr::a_strides);
  const auto strides = llvm::ArrayRef(all).take_back(2);
  const Expr row = sum(across, laneOver(4));
  const Expr depth = sum(k, product(laneModulo(4), literal(Scalar::I32, shape.perRegister())));
  auto element = [&](const Expr &r, const Expr &d) {
    return addressOf(which ? matrixElement(op, 1, to, d, r) : matrixElement(op, 0, to, r, d));
  };
  if (!kernel_.shared[op->getInts(Attr::buffers)[which]].swizzled) {
    add(evaluate(
        call("tile2cu::gather_fragment",
             {into, element(row, depth), integer(strides[which]), integer(strides[1 - which])})));
    return;
  }
  names_.open();
  const std::string rows = names_.take("across"), steps = names_.take("along");
  const Expr place = element(sum(row, named(rows)), sum(depth, named(steps)));
  add(evaluate(call("tile2cu::gather_fragment_at", {into, lambda({rows, steps}, place)})));
  names_.close();
}

// Matrix i of the first operand, which lies as sums do: two matrices of sums side by side.
void KernelEmitter::loadFirstInPlace(const Op *op, const Fragments &to, const std::string &i) {
  const Value *a = op->operand(2);
  const Expr tile = matrixOf(named(stored(a).name), *a->type.layout(), 0, i);
  const Expr twice = product(literal(Scalar::I32, int64_t{2}), named(to.kk));
  add(evaluate(call("tile2cu::operand_fragment",
                    {matrixOf(to.a, *op->result()->type.layout(), 0, i), elementOf(tile, twice),
                     elementOf(tile, sum(twice, integer(1)))})));
}

// Matrix i of the first operand.
void KernelEmitter::loadFirst(const Op *op, const Fragments &to, const std::string &i) {
  const Layout &layout = *op->result()->type.layout();
  const MmaShape &shape = shapeOf(op);
  const int64_t piece = 16 / shape.bytes();
  const unsigned rows = rowAxis(layout);
  const Expr into = matrixOf(to.a, layout, rows, i);
  Expr row = product(matrixIndex(layout, rows, rows, i), literal(Scalar::I32, shape.m));
  Expr k = product(named(to.kk), literal(Scalar::I32, shape.k));
  auto loadAt = [&](const char *helper, const Expr &first, const Expr &second) {
    const Expr from = addressOf(matrixElement(op, 0, to, first, second));
    add(evaluate(call(helper, {into, from})));
  };
  switch (loadOf(op, 0)) {
    case FragmentLoad::Rows:
      return loadAt("tile2cu::ldmatrix_x4", sum(row, sixteenRows()), sum(k, pieceBehind(piece)));
    case FragmentLoad::Columns:
      return loadAt("tile2cu::ldmatrix_x4_trans", sum(row, pieceBetween(piece)),
                    sum(k, eightRows()));
    case FragmentLoad::Elements:
      gather(op, 0, to, into, row, k);
  }
}

// Matrix j of the second operand; by ldmatrix also the next, if their number is even.
void KernelEmitter::loadSecond(const Op *op, const Fragments &to, const std::string &j) {
  const Layout &layout = *op->result()->type.layout();
  const MmaShape &shape = shapeOf(op);
  const FragmentLoad load = loadOf(op, 1);
  const unsigned columns = rowAxis(layout) + 1;
  const int64_t piece = 16 / shape.bytes();
  const bool pairs = load != FragmentLoad::Elements && layout.registerAxes()[columns] % 2 == 0 &&
                     !isDropped(layout, columns);
  llvm::SmallVector<Expr, 3> arguments{matrixOf(to.b, layout, columns, j)};
  if (pairs) arguments.push_back(elementOf(to.b, sum(named(j), integer(1))));
  Expr column = product(matrixIndex(layout, columns, columns, j), literal(Scalar::I32, shape.n));
  Expr k = product(named(to.kk), literal(Scalar::I32, shape.k));
  openMatrices(layout, columns, j, pairs ? 2 : 1);
  switch (load) {
    case FragmentLoad::Rows:
      column = sum(column, pairs ? eightRows() : laneModulo(8));
      k = sum(k, pieceBetween(piece));
      break;
    case FragmentLoad::Columns:
      if (pairs) column = sum(column, pieceBehind(piece));
      k = sum(k, sixteenRows());
      break;
    case FragmentLoad::Elements:
      gather(op, 1, to, arguments[0], column, k);
      closeMatrices(layout, columns);
      return;
  }
  arguments.push_back(addressOf(matrixElement(op, 1, to, k, column)));
  add(evaluate(call("tile2cu::ldmatrix_x" + std::string(pairs ? "4" : "2") +
                        (load == FragmentLoad::Columns ? "_trans" : ""),
                    arguments)));
  closeMatrices(layout, columns);
}

// Loads the fragments of both operands for one step of k.
void KernelEmitter::loadOperands(const Op *op, const Fragments &to) {
  const Layout &layout = *op->result()->type.layout();
  names_.open();
  const std::string i = names_.take("i"), j = names_.take("j");
  openMatrices(layout, rowAxis(layout), i);
  op->operand(2) ? loadFirstInPlace(op, to, i) : loadFirst(op, to, i);
  closeMatrices(layout, rowAxis(layout));
  loadSecond(op, to, j);
  names_.close();
}

}  // namespace tile2cu::emit
