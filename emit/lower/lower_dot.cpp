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
    add(declare(op->result()->type, storage.name));
    return storage;
  }
  const Storage &from = stored(acc);
  const Block *home = acc->home();
  if (acc->users.size() == 1 && home == op->parent && from.member.empty() && !from.axes)
    return from;
  Storage storage = makeStorage(op->result()->type, name);
  describeLayout(storage);
  add(declare(op->result()->type, storage.name));
  copyStorage(storage, from);
  return storage;
}

// An element of an operand: its buffer at batch, row or column, and k.
Expr KernelEmitter::operandElement(const Op *op, unsigned which, const Expr &stage,
                                   llvm::ArrayRef<Expr> at) {
  return sharedElement(op->getInts(Attr::buffers)[which], stage, 0,
                       op->getInts(which ? Attr::b_strides : Attr::a_strides), at);
}

// Zeros in a shared tile that is larger than what is stored in it.
void KernelEmitter::zeroShared(Op *op) {
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const Stmt *last = out_.last();
  const Eval *call = last ? last->as<Eval>() : nullptr;
  const char *const name = "tile2cu::zero_shared";
  const bool isFirst = !call || !call->value.operand(0).is(ExprKind::Template) ||
                       !call->value.operand(0).operand(0).is(ExprKind::Word, name);
  if (isFirst) {
    blank();
    comment("Tensor cores read whole matrices: zeros in and around each tile.");
  }
  const Expr helper = instance(name, {singleWarp_ ? integer(32) : named("NUM_THREADS")});
  add(evaluate(emit::call(helper, {sharedTile(buffer), named(threadWord())})));
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
  For loop = unrolledLoop(k, number(op->getInt(Attr::depth)));
  loop.unroll = "unroll 4";
  open({std::move(loop)});
  Vars vars;
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
  a.push_back(named(k));
  b.insert(b.end() - 1, named(k));
  auto factor = [&](unsigned which, llvm::ArrayRef<Expr> at) {
    Scalar from = kernel_.shared[op->getInts(Attr::buffers)[which]].members[0];
    Scalar to = op->result()->type.scalar();
    const Expr element =
        operandElement(op, which, op->operand(1) ? scalar(op->operand(1)) : Expr{}, at);
    return from == to ? element : call(cppType(to), {element});
  };
  const Expr first = factor(0, a), second = factor(1, b);
  add({Assign{storageRef(storage, vars), "+=", binary(Prec::Multiplicative, "*", first, second)}});
  closeLoops(layout, true);
  close();
  names_.close();
}

}  // namespace tile2cu::emit
