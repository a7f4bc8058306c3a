#include "passes/pipeline/defer_dot_waits.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/memory/ring_stage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/pipeline/async_dots.h"
#include "passes/rewrite/loop_surgery.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

using Ops = llvm::SmallVector<Op *, 2>;

// The wgmmas of a loop's body, in order, if all may stay in flight past their iteration.
Ops carriedDotsOf(const Kernel &kernel, Op *loop) {
  Ops dots;
  walk(*loop->region(), [&](Op *op) {
    if (op->kind == OpKind::DotShared) dots.push_back(op);
  });
  const bool staysAsync = llvm::all_of(dots, [&](const Op *dot) {
    return canStayAsync({kernel, *loop->region(), {}}, dot, WaitAt::NextIteration);
  });
  return staysAsync && !isLeft(loop) ? dots : Ops();
}

// Whether `releases` release all stages that the dot reads, except those that are waited for
// outside its loop.
bool areReleased(const Kernel &kernel, const Op *dot, llvm::ArrayRef<Op *> releases) {
  const auto &buffers = dot->getInts(Attr::buffers);
  const auto isReleased = [&](unsigned i) {
    // A computed operand has the stage of the copies from which it is computed.
    const Op *ringWait =
        ringWaitOf(dot->operand(i ? DotSharedOp::b_stage_optIndex : DotSharedOp::stage_optIndex));
    if (ringWait && definedOutside(ringWait->result(), *dot->parent)) return true;
    return llvm::any_of(releases, [&](const Op *release) {
      const int64_t ring = release->getInt(Attr::ring);
      return llvm::is_contained(kernel.rings[ring].buffers, buffers[i]) ||
             (ringWait && ringWait->getInt(Attr::ring) == ring);
    });
  };
  return isReleased(0) && isReleased(1);
}

// The releases, after the dots, of the stages that they read. Empty if a dot also reads other
// memory, or if there is no other stage for the copies of the next iteration.
Ops releasesAfter(const Kernel &kernel, llvm::ArrayRef<Op *> dots) {
  Ops releases;
  for (Op *op = dots.front()->next(); op; op = op->next())
    if (op->kind == OpKind::ConsumerRelease) releases.push_back(op);
  for (const Op *release : releases)
    if (kernel.rings[release->getInt(Attr::ring)].stages < 2) return {};
  for (const Op *dot : dots)
    if (!areReleased(kernel, dot, releases)) return {};
  return releases;
}

// If the loop may run zero times, ptxas copies its accumulators after the loop while they are in
// flight.
void defer(Op *loop, llvm::ArrayRef<Op *> dots, llvm::ArrayRef<Op *> releases) {
  loop->setInt(Attr::unroll, 1);
  if (!runsAtLeastOnce(loop)) loop->setBool(Attr::runs, true);
  Builder afterDots = Builder::after(dots.back()), after = Builder::after(loop);
  Op *allBefore = afterDots.create(OpKind::DotWait, {}, {});
  after.loc.statement = -1;
  llvm::SmallVector<Value *, 2> accumulators;
  for (Op *dot : dots) {
    dot->setBool(Attr::async, true);
    accumulators.push_back(loop->result(dot->operand(0)->index - 1));
  }
  waitFor(after, accumulators);
  for (Op *release : releases) {
    Value *stage = release->operand(0);
    Builder before = Builder::before(loop);
    auto [previous, last] =
        carryOneStep(loop, before.constant(Scalar::I32, -1), stage, "previous_stage");
    allBefore->addOperand(previous);
    release->setOperand(0, previous);
    if (isBefore(release, allBefore)) release->moveBefore(allBefore->next());
    after.create(OpKind::ConsumerRelease, {last}, {})
        ->setInt(Attr::ring, release->getInt(Attr::ring));
  }
}

// Loads between a dot and the first use of its accumulator run in parallel with the dot: the wait
// and the releases of its stages move to that use.
void waitAtFirstUse(Kernel &kernel, Op *dot) {
  if (dot->getBool(Attr::async) || !dot->has(Attr::group_columns)) return;
  Op *user = firstUserIn(*dot->parent, *dot->result());
  bool gains = false;
  Ops releases;
  for (Op *op = dot->next(); op != user; op = op->next()) {
    // If the iteration ended between them, its stages would not be released and its dot not waited
    // for.
    if (!op || op->is(Control) || op->kind == OpKind::DotShared || op->kind == OpKind::DotWait)
      return;
    gains |= op->kind == OpKind::Load;
    if (op->kind == OpKind::ConsumerRelease) releases.push_back(op);
  }
  if (!gains || !areReleased(kernel, dot, releases)) return;
  // Selects, splats and broadcasts stay with the use, so that they need no registers before it.
  while (llvm::is_contained({OpKind::Select, OpKind::Splat, OpKind::Broadcast, OpKind::ExpandDims},
                            user->previous()->kind))
    user = user->previous();
  dot->setBool(Attr::async, true);
  Builder b = Builder::before(user);
  waitFor(b, dot->result());
  for (Op *release : releases) release->moveBefore(user);
}

}  // namespace

llvm::LogicalResult defer_dot_waits(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    if (kernel.rings.empty()) continue;
    for (Op *loop : forLoopsIn(kernel.body)) {
      const Ops dots = carriedDotsOf(kernel, loop);
      if (dots.empty() || !runsForSure(kernel, loop)) continue;
      const Ops releases = releasesAfter(kernel, dots);
      if (releases.empty()) continue;
      defer(loop, dots, releases);
      for (const Op *dot : dots)
        context.diagnostics.decided(DiagId::DotInFlight, kernel, dot->loc, {});
    }
    Ops dots;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::DotShared) dots.push_back(op);
    });
    for (Op *dot : dots) waitAtFirstUse(kernel, dot);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
