// Barriers of a program's threads.
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"

namespace tile2cu::emit {
using namespace ir;

void lower(LoweringContext &ctx, const BarrierOp &barrier) {
  if (barrier->getBool(Attr::async_proxy))
    ctx.out.add(evaluate(call("tile2cu::fence_proxy_async", {}),
                         "makes this thread's writes visible to wgmmas and to TMA"));
  ctx.out.add(barrierCall(ctx, barrier->getString(Attr::reason)));
}

void lower(LoweringContext &ctx, const DebugBarrierOp &) {
  ctx.out.add(barrierCall(ctx, "debug_barrier() of the source"));
}

Stmt barrierCall(const LoweringContext &ctx, llvm::StringRef note) {
  const Expr barrier =
      ctx.kernel.producer
          ? call(instance("tile2cu::named_barrier_sync", {named("NUM_THREADS")}), {integer(1)})
          : call(ctx.singleWarp ? "__syncwarp" : "__syncthreads", {});
  return evaluate(Effect::Synchronizes, barrier, note);
}

}  // namespace tile2cu::emit
