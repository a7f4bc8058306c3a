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
  return sharedElement(op->getInts("buffers")[which], 0,
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

// Fragments of both operands for one step of k, then a matrix instruction for each pair of them.
void KernelEmitter::mmaShared(Op *op, const Storage &storage) {
  const Layout &layout = *op->result()->type.layout();
  auto loop = [&](const std::string &var, unsigned axis) {
    if (isDropped(layout, axis)) return;
    line("#pragma unroll");
    line("for (int " + var + " = 0; " + var + " < " + extentName(layout, axis) + "; ++" + var +
         ") {");
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
  std::string k = names_.take("k"), i = names_.take("i"), j = names_.take("j"),
              a = names_.take("a_frag"), b = names_.take("b_frag");
  Expr lane = primary("lane");
  Expr half = binary(Prec::Multiplicative, "%", lane, primary("16"));
  line("// Tensor cores: " + op->getString("mma") + " for each 16 x 8 matrix of sums, " +
       std::to_string(op->getInt("step")) + " products at a time.");
  line("#pragma unroll");
  line("for (int " + k + " = 0; " + k + " < " + number(op->getInt("depth")).text + "; " + k +
       " += " + std::to_string(op->getInt("step")) + ") {");
  line("uint32_t " + a + extent(0) + "[4], " + b + extent(1) + "[2];");
  loop(i, 0);
  Expr row = sum(product(matrixIndex(layout, 0, 0, i), primary("16")), half);
  Expr right = product(binary(Prec::Multiplicative, "/", lane, primary("16")), primary("8"));
  line("tile2cu::ldmatrix_x4(" + a + at(i, 0) + ", &" +
       operandElement(op, 0, {row, sum(primary(k), right)}) + ");");
  close(0);
  loop(j, 1);
  Expr column = product(matrixIndex(layout, 1, 1, j), primary("8"));
  line("tile2cu::ldmatrix_x2_trans(" + b + at(j, 1) + ", &" +
       operandElement(op, 1, {sum(primary(k), half), column}) + ");");
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
  std::string k = names_.take("k");
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
