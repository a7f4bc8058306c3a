// Dots of tiles in shared memory.
#include "emit/lower/lowerings.h"
#include "emit/lower/mma_fragments.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The variable in which a dot accumulates. One of its own starts with the accumulator's elements;
// without a name of the source it is acc, or k_tile_acc after the second operand.
static Storage accumulator(LoweringContext &ctx, const Op *op) {
  const Value *acc = op->operand(0);
  const bool isNamed = !op->result()->name.empty();
  const std::string &right = ctx.kernel.shared[op->getInts(Attr::buffers)[1]].name;
  if (const Value *shared = ctx.info.storage.sharedWith(op->result()))
    return acc ? ctx.values.stored(acc) : ctx.values.storageOf(shared);
  Storage storage = makeStorage(ctx, op->result()->type, isNamed ? op->result()->name : "acc",
                                isNamed ? Hint{} : Hint{Origin::Generated, right + "_acc"});
  describeLayout(ctx, storage);
  ctx.out.add(declare(ctx, op->result()->type, storage.name));
  if (acc) copyStorage(ctx, storage, ctx.values.stored(acc));
  return storage;
}

Expr operandElement(LoweringContext &ctx, const Op *op, unsigned which, const Expr &stage,
                    llvm::ArrayRef<Expr> at) {
  return sharedElement(ctx, op->getInts(Attr::buffers)[which], stage, 0,
                       op->getInts(which ? Attr::b_strides : Attr::a_strides), at);
}

// Zeros in a shared tile that is larger than what is stored in it.
void lower(LoweringContext &ctx, const SharedZeroOp &zero) {
  const Stmt *last = ctx.out.last();
  const Eval *call = last ? last->as<Eval>() : nullptr;
  const char *const name = "tile2cu::zero_shared";
  const bool isFirst = !call || !call->value.operand(0).is(ExprKind::Template) ||
                       !call->value.operand(0).operand(0).is(ExprKind::Word, name);
  if (isFirst) {
    ctx.out.blank();
    ctx.out.comment("Tensor cores read whole MMA tiles: zeros in and around each tile.");
  }
  const Expr helper = instance(name, {ctx.singleWarp ? integer(32) : named("NUM_THREADS")});
  ctx.out.add(
      evaluate(emit::call(helper, {sharedTile(ctx, zero.buffer()), named(threadWord(ctx))})));
}

// Element (row, k) of the first operand or (k, column) of the second, in the accumulator's type.
static Expr factorAt(LoweringContext &ctx, const DotSharedOp &dot, unsigned which,
                     llvm::ArrayRef<Expr> at) {
  const Scalar from = ctx.kernel.shared[dot.buffers()[which]].members[0],
               to = dot->result()->type.scalar();
  const Expr stage = dot.stage_opt() ? scalar(ctx, dot.stage_opt()) : Expr{};
  const Expr element = operandElement(ctx, dot.op, which, stage, at);
  return from == to ? element : call(cppType(to), {element});
}

// Computes a dot by a multiply-add for each element.
static void multiplyElements(LoweringContext &ctx, const DotSharedOp &dot, const Storage &storage) {
  const Layout &layout = *dot->result()->type.layout();
  const unsigned rank = layout.rank();
  ctx.names.open();
  const Symbol k = ctx.names.take("kk");
  For loop = unrolledLoop(k, ctx.constants.number(depthOf(dot.op)));
  loop.unroll = "unroll 4";
  ctx.out.open({std::move(loop)});
  Vars vars;
  openLoops(ctx, layout, true, vars);
  llvm::SmallVector<Expr, 3> a, b;
  for (unsigned d = 0; d < rank; ++d) {
    Expr at = coordinate(ctx, layout, d, vars);
    // Nothing is stored past the tile's end, and values that are read there are not used.
    if (layout.dim(d).isPadded())
      at = call("min", {at, ctx.constants.number(layout.dim(d).size.plus(-1))});
    if (d + 1 != rank) a.push_back(at);
    if (d + 2 != rank) b.push_back(at);
  }
  a.push_back(named(k));
  b.insert(b.end() - 1, named(k));
  const Expr first = factorAt(ctx, dot, 0, a), second = factorAt(ctx, dot, 1, b);
  ctx.out.add({Assign{storageRef(ctx, storage, vars),
                      "+=", binary(Prec::Multiplicative, "*", first, second)}});
  closeLoops(ctx, layout, true);
  ctx.out.close();
  ctx.names.close();
}

void lower(LoweringContext &ctx, const DotSharedOp &dot) {
  ctx.comments.statement(dot.op);
  const Storage storage = accumulator(ctx, dot.op);
  ctx.values.place(dot->result(), storage);
  if (dot->has(Attr::group_columns)) return wgmmaShared(ctx, dot.op, storage);
  if (!dot->has(Attr::mma)) return multiplyElements(ctx, dot, storage);
  dot->has(Attr::fragments) ? mmaDoubleBuffered(ctx, dot.op, storage)
                            : mmaShared(ctx, dot.op, storage);
}

}  // namespace tile2cu::emit
