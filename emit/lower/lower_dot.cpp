// Matrix products of tiles in shared memory.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

void KernelEmitter::productOp(Op *op) {
  if (op->kind == OpKind::DotShared)
    dotShared(op);
  else if (op->kind == OpKind::DotWait)
    dotWait(op);
  else if (op->kind == OpKind::SharedZero)
    zeroShared(op);
  else
    firstFragments(op);
}

// The variable that products are added to: that of the accumulator, unless somebody else reads it, or an outer loop again; of
// fresh sums that of the branch which they are the result of.
KernelEmitter::Storage KernelEmitter::accumulator(Op *op) {
  Value *acc = op->operand(0);
  const std::string name = op->result()->name.empty() ? "sums" : op->result()->name;
  if (!acc) {
    if (const Storage *variable = branchVariable(op, op->result())) return *variable;
    Storage storage = makeStorage(op->result()->type, name);
    describeLayout(storage);
    line(declare(op->result()->type, storage.name));
    return storage;
  }
  const Storage &from = stored(acc);
  const Block *home = acc->home();
  if (acc->users.size() == 1 && home == op->parent && from.member.empty() && !from.axes)
    return from;
  Storage storage = makeStorage(op->result()->type, name);
  describeLayout(storage);
  line(declare(op->result()->type, storage.name));
  copyStorage(storage, from);
  return storage;
}

// An element of an operand: its buffer at batch, row or column, and k.
std::string KernelEmitter::operandElement(const Op *op, unsigned which, const std::string &stage,
                                          llvm::ArrayRef<Expr> at) {
  return sharedElement(op->getInts(Attr::buffers)[which], stage, 0,
                       op->getInts(which ? Attr::b_strides : Attr::a_strides), at);
}

// Zeros in a shared tile that is larger than what is stored in it.
void KernelEmitter::zeroShared(Op *op) {
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const size_t last = out_.rfind("tile2cu::zero_shared");
  if (last == std::string::npos || out_.find('\n', last) + 1 != out_.size()) {
    line("");
    comment("Tensor cores read whole matrices: zeros in and around each tile.");
  }
  line("tile2cu::zero_shared<" + std::string(singleWarp_ ? "32" : "NUM_THREADS") + ">(smem." +
       buffer.name + ", " + threadWord() + ");");
}

// On tensor cores; else a product and a sum an element, in the accumulator's type.
void KernelEmitter::dotShared(Op *op) {
  statementComment(op);
  Storage storage = accumulator(op);
  storage_[op->result()] = storage;
  if (op->has(Attr::group_columns)) {
    multiplyInGroups(op, storage);
    return;
  }
  if (op->has(Attr::mma)) {
    op->has(Attr::fragments) ? mmaAhead(op, storage) : mmaShared(op, storage);
    return;
  }
  const Layout &layout = *op->result()->type.layout();
  unsigned rank = layout.rank();
  names_.open();
  std::string k = names_.take("kk");
  line("#pragma unroll 4");
  line("for (int " + k + " = 0; " + k + " < " + number(op->getInt(Attr::depth)).str() + "; ++" + k +
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
    Scalar from = kernel_.shared[op->getInts(Attr::buffers)[which]].members[0];
    Scalar to = op->result()->type.scalar();
    std::string element =
        operandElement(op, which, op->operand(1) ? scalar(op->operand(1)).str() : "", at);
    return from == to ? element : cppType(to) + "(" + element + ")";
  };
  line(storageRef(storage, vars).str() + " += " + factor(0, a) + " * " + factor(1, b) + ";");
  closeLoops(layout, true);
  line("}");
  names_.close();
}

}  // namespace tile2cu::emit
