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
  return binary(Prec::Multiplicative, "/", primary("lane"), literal(Scalar::I32, by));
}
Expr laneModulo(int64_t by) {
  return binary(Prec::Multiplicative, "%", primary("lane"), literal(Scalar::I32, by));
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
  Expr warp = primary("0");
  for (const Digit &digit : layout.dim(dim).digits)
    if (digit.unit == Unit::Warp) warp = unitPart(digit);
  if (isDropped(layout, axis)) return warp;
  return sum(product(warp, primary(extentName(layout, axis))), primary(var));
}

// The loop over the matrices along an axis, if there are several.
void KernelEmitter::openMatrices(const Layout &layout, unsigned axis, const std::string &var,
                                 int64_t by) {
  if (isDropped(layout, axis)) return;
  line("#pragma unroll");
  line("for (int " + var + " = 0; " + var + " < " + extentName(layout, axis) + "; " +
       (by == 1 ? "++" + var : var + " += " + std::to_string(by)) + ") {");
}
void KernelEmitter::closeMatrices(const Layout &layout, unsigned axis) {
  if (!isDropped(layout, axis)) line("}");
}
std::string KernelEmitter::matrixSubscript(const Layout &layout, unsigned axis,
                                           const std::string &var) {
  return isDropped(layout, axis) ? "" : "[" + var + "]";
}

// [batch], where a warp has several products of a batch.
std::string KernelEmitter::batchSubscript(const Layout &layout, const Fragments &of) {
  return layout.rank() == 3 ? matrixSubscript(layout, 0, of.batch) : "";
}

// An element of operand `which` of a product, or of one of a batch.
std::string KernelEmitter::matrixElement(const Op *op, unsigned which, const Fragments &of,
                                         const Expr &row, const Expr &column) {
  const Layout &layout = *op->result()->type.layout();
  llvm::SmallVector<Expr, 3> at;
  if (layout.rank() == 3) at.push_back(matrixIndex(layout, 0, 0, of.batch));
  at.append({row, column});
  return operandElement(op, which, of.stage, at);
}

// Element by element what ldmatrix cannot turn: the lane's first element of the matrix at (across, k), and those behind it.
void KernelEmitter::gather(const Op *op, unsigned which, const Fragments &to,
                           const std::string &into, const Expr &across, const Expr &k) {
  const MmaShape &shape = shapeOf(op);
  const auto &all = op->getInts(which ? Attr::b_strides : Attr::a_strides);
  const auto strides = llvm::ArrayRef(all).take_back(2);
  const Expr row = sum(across, laneOver(4));
  const Expr depth = sum(k, product(laneModulo(4), literal(Scalar::I32, shape.perRegister())));
  auto element = [&](const Expr &r, const Expr &d) {
    return "&" + (which ? matrixElement(op, 1, to, d, r) : matrixElement(op, 0, to, r, d));
  };
  if (!kernel_.shared[op->getInts(Attr::buffers)[which]].swizzled) {
    line("tile2cu::gather_fragment(" + into + ", " + element(row, depth) + ", " +
         std::to_string(strides[which]) + ", " + std::to_string(strides[1 - which]) + ");");
    return;
  }
  names_.open();
  const std::string rows = names_.take("across"), steps = names_.take("along");
  line("tile2cu::gather_fragment_at(" + into + ", [&](int " + rows + ", int " + steps +
       ") { return " + element(sum(row, primary(rows)), sum(depth, primary(steps))) + "; });");
  names_.close();
}

// Matrix i of the first operand, which lies as sums do: two matrices of sums side by side.
void KernelEmitter::loadFirstInPlace(const Op *op, const Fragments &to, const std::string &i) {
  const Value *a = op->operand(2);
  const Storage &tile = stored(a);
  auto matrix = [&](const Expr &of) {
    return tile.name + matrixSubscript(*a->type.layout(), 0, i) + "[" + of.str() + "]";
  };
  Expr twice = product(literal(Scalar::I32, int64_t{2}), primary(to.kk));
  line("tile2cu::operand_fragment(" + to.a + matrixSubscript(*op->result()->type.layout(), 0, i) +
       ", " + matrix(twice) + ", " + matrix(sum(twice, primary("1"))) + ");");
}

// Matrix i of the first operand.
void KernelEmitter::loadFirst(const Op *op, const Fragments &to, const std::string &i) {
  const Layout &layout = *op->result()->type.layout();
  const MmaShape &shape = shapeOf(op);
  const int64_t piece = 16 / shape.bytes();
  const unsigned rows = rowAxis(layout);
  const std::string into = to.a + matrixSubscript(layout, rows, i);
  Expr row = product(matrixIndex(layout, rows, rows, i), literal(Scalar::I32, shape.m));
  Expr k = product(primary(to.kk), literal(Scalar::I32, shape.k));
  switch (loadOf(op, 0)) {
    case FragmentLoad::Rows:
      line("tile2cu::ldmatrix_x4(" + into + ", &" +
           matrixElement(op, 0, to, sum(row, sixteenRows()), sum(k, pieceBehind(piece))) + ");");
      return;
    case FragmentLoad::Columns:
      line("tile2cu::ldmatrix_x4_trans(" + into + ", &" +
           matrixElement(op, 0, to, sum(row, pieceBetween(piece)), sum(k, eightRows())) + ");");
      return;
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
  const std::string into =
      to.b + matrixSubscript(layout, columns, j) + (pairs ? ", " + to.b + "[" + j + " + 1]" : "");
  Expr column = product(matrixIndex(layout, columns, columns, j), literal(Scalar::I32, shape.n));
  Expr k = product(primary(to.kk), literal(Scalar::I32, shape.k));
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
      gather(op, 1, to, into, column, k);
      closeMatrices(layout, columns);
      return;
  }
  line("tile2cu::ldmatrix_x" + std::string(pairs ? "4" : "2") +
       (load == FragmentLoad::Columns ? "_trans" : "") + "(" + into + ", &" +
       matrixElement(op, 1, to, k, column) + ");");
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
