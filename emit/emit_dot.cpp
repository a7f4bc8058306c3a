// Matrix products of tiles in shared memory.
#include "emit/kernel_emitter.h"
#include "emit/scalar_text.h"
#include "passes/ir/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The variable that products are added to: that of the accumulator, unless somebody else reads it, or an outer loop again.
KernelEmitter::Storage KernelEmitter::accumulator(Op *op) {
  Value *acc = op->operand(0);
  const Storage &from = storage_.at(acc);
  const Block *home = acc->isArgument() ? acc->owner : acc->definition->parent;
  if (acc->users.size() == 1 && home == op->parent && from.member.empty() && !from.axes)
    return from;
  Storage storage = makeStorage(op->result()->type, op->result()->name);
  describeLayout(storage);
  line(declare(op->result()->type, storage.name));
  copyStorage(storage, from);
  return storage;
}

// An element of an operand: its buffer at batch, row or column, and k.
std::string KernelEmitter::operandElement(const Op *op, unsigned which, llvm::ArrayRef<Expr> at) {
  return sharedElement(op->getInts("buffers")[which], op->operand(1), 0,
                       op->getInts(which ? "b_strides" : "a_strides"), at);
}

// Which of the 16 x 8 matrices of a dimension: the warp's and the loop's part of the coordinate.
Expr KernelEmitter::matrixIndex(const Layout &layout, unsigned dim, unsigned axis,
                                const std::string &var) {
  Expr warp = primary("0");
  for (const Digit &digit : layout.dim(dim).digits)
    if (digit.unit == Unit::Warp) warp = unitPart(digit);
  if (isDropped(layout, axis)) return warp;
  return sum(product(warp, primary(extentName(layout, axis))), primary(var));
}

namespace {
Expr laneOver(int64_t by) { return binary(Prec::Multiplicative, "/", primary("lane"), literal(Scalar::I32, int64_t{by})); }
Expr laneModulo(int64_t by) { return binary(Prec::Multiplicative, "%", primary("lane"), literal(Scalar::I32, int64_t{by})); }
// Of the lanes of ldmatrix, each of which names a row of 8 elements: 16 rows after each other, then their next 8 elements.
Expr sixteenRows() { return laneModulo(16); }
Expr nextEight() { return product(laneOver(16), literal(Scalar::I32, int64_t{8})); }
// 8 rows, their next 8 elements, then the next 8 rows.
Expr eightRows() { return sum(laneModulo(8), nextEight()); }
Expr eightBetween() {
  Expr part = binary(Prec::Multiplicative, "%", laneOver(8), literal(Scalar::I32, int64_t{2}));
  return product(part, literal(Scalar::I32, int64_t{8}));
}
}  // namespace

// Fragments of both operands for one step of k, then a matrix instruction for each pair of them.
void KernelEmitter::mmaShared(Op *op, const Storage &storage) {
  const Layout &layout = *op->result()->type.layout();
  auto loop = [&](const std::string &var, unsigned axis, int64_t by = 1) {
    if (isDropped(layout, axis)) return;
    line("#pragma unroll");
    line("for (int " + var + " = 0; " + var + " < " + extentName(layout, axis) + "; " +
         (by == 1 ? "++" + var : var + " += " + std::to_string(by)) + ") {");
  };
  auto close = [&](unsigned axis) {
    if (!isDropped(layout, axis)) line("}");
  };
  auto extent = [&](unsigned axis) {
    return isDropped(layout, axis) ? std::string() : "[" + extentName(layout, axis) + "]";
  };
  auto at = [&](const std::string &var, unsigned axis) {
    return isDropped(layout, axis) ? std::string() : "[" + var + "]";
  };
  names_.open();
  std::string k = names_.take("kk"), i = names_.take("i"), j = names_.take("j"),
              a = names_.take("a_frag"), b = names_.take("b_frag");
  // Rows of the shared tile run along k, or along the other dimension: then matrices are transposed on the way.
  bool rowsA = op->getInts("a_strides")[1] == 1, rowsB = op->getInts("b_strides")[0] == 1;
  line("// Tensor cores: " + op->getString("mma") + " for each 16 x 8 matrix of sums, " +
       std::to_string(op->getInt("step")) + " products at a time.");
  line("#pragma unroll");
  line("for (int " + k + " = 0; " + k + " < " + number(op->getInt("depth")).text + "; " + k +
       " += " + std::to_string(op->getInt("step")) + ") {");
  line("uint32_t " + a + extent(0) + "[4], " + b + extent(1) + "[2];");
  loop(i, 0);
  Expr row = product(matrixIndex(layout, 0, 0, i), primary("16"));
  row = sum(row, rowsA ? sixteenRows() : eightBetween());
  Expr depth = sum(primary(k), rowsA ? nextEight() : eightRows());
  line("tile2cu::ldmatrix_x4" + std::string(rowsA ? "" : "_trans") + "(" + a + at(i, 0) + ", &" +
       operandElement(op, 0, {row, depth}) + ");");
  close(0);
  // Two matrices of B at once, if their number is even.
  const int64_t columns = layout.registerAxes()[1];
  const bool pairs = columns % 2 == 0 && !isDropped(layout, 1);
  loop(j, 1, pairs ? 2 : 1);
  Expr column = product(matrixIndex(layout, 1, 1, j), primary("8"));
  const std::string second = pairs ? ", " + b + "[" + j + " + 1]" : "";
  if (rowsB) {
    column = sum(column, pairs ? eightRows() : laneModulo(8));
    depth = sum(primary(k), eightBetween());
  } else {
    if (pairs) column = sum(column, nextEight());
    depth = sum(primary(k), sixteenRows());
  }
  line("tile2cu::ldmatrix_x" + std::string(pairs ? "4" : "2") + (rowsB ? "" : "_trans") + "(" + b +
       at(j, 1) + second + ", &" + operandElement(op, 1, {depth, column}) + ");");
  close(1);
  loop(i, 0);
  loop(j, 1);
  line("tile2cu::" + op->getString("mma") + "(tile2cu::fragment(" + storage.name + at(i, 0) +
       at(j, 1) + "), " + a + at(i, 0) + ", " + b + at(j, 1) + ");");
  close(1);
  close(0);
  line("}");
  names_.close();
}

// On tensor cores; else a product and a sum an element, in the accumulator's type.
void KernelEmitter::dotShared(Op *op) {
  statementComment(op);
  Storage storage = accumulator(op);
  storage_[op->result()] = storage;
  if (op->has("mma")) {
    mmaShared(op, storage);
    return;
  }
  const Layout &layout = *op->result()->type.layout();
  unsigned rank = layout.rank();
  names_.open();
  std::string k = names_.take("kk");
  line("#pragma unroll 4");
  line("for (int " + k + " = 0; " + k + " < " + number(op->getInt("depth")).text + "; ++" + k +
       ") {");
  std::vector<std::string> vars;
  openLoops(layout, true, vars);
  llvm::SmallVector<Expr, 3> a, b;
  for (unsigned d = 0; d < rank; ++d) {
    Expr at = coordinate(layout, d, vars);
    // Behind the tile's end nothing is stored, and what is read for it is not used.
    if (layout.dim(d).isPadded())
      at = call("min", {at, literal(Scalar::I32, layout.dim(d).size - 1)});
    if (d + 1 != rank) a.push_back(at);
    if (d + 2 != rank) b.push_back(at);
  }
  a.push_back(primary(k));
  b.insert(b.end() - 1, primary(k));
  auto factor = [&](unsigned which, llvm::ArrayRef<Expr> at) {
    Scalar from = kernel_.shared[op->getInts("buffers")[which]].members[0];
    Scalar to = op->result()->type.scalar();
    std::string element = operandElement(op, which, at);
    return from == to ? element : cppType(to) + "(" + element + ")";
  };
  line(storageRef(storage, vars).text + " += " + factor(0, a) + " * " + factor(1, b) + ";");
  closeLoops(layout, true);
  line("}");
  names_.close();
}

}  // namespace tile2cu::emit
