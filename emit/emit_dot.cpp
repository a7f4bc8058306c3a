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
  const SharedBuffer &buffer = kernel_.shared[op->getInts("buffers")[which]];
  auto strides = op->getInts(which ? "b_strides" : "a_strides");
  Expr index = primary("0");
  for (size_t d = 0; d < at.size(); ++d)
    index = sum(index, product(at[d], literal(Scalar::I32, strides[d])));
  std::string element = "smem." + buffer.name + "[" + index.text + "]";
  Scalar from = buffer.members[0], to = op->result()->type.scalar();
  return from == to ? element : cppType(to) + "(" + element + ")";
}

// A product and a sum an element, in the accumulator's type.
void KernelEmitter::dotShared(Op *op) {
  statementComment(op);
  Storage storage = accumulator(op);
  storage_[op->result()] = storage;
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
  line(storageRef(storage, vars).text + " += " + operandElement(op, 0, a) + " * " +
       operandElement(op, 1, b) + ";");
  closeLoops(layout, true);
  line("}");
  names_.close();
}

}  // namespace tile2cu::emit
