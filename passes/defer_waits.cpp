#include "passes/defer_waits.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/builder.h"
#include "passes/loops.h"
#include "passes/positive.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The only product of a loop's body, if it adds to sums that the body does nothing else with.
Op *loneProduct(Op *loop) {
  Op *dot = nullptr;
  unsigned count = 0;
  walk(*loop->region(), [&](Op *op) {
    if (op->kind != OpKind::DotShared) return;
    dot = op;
    ++count;
  });
  if (count != 1 || dot->parent != loop->region() || !dot->has("group_columns")) return nullptr;
  const Value *acc = dot->operand(0), *sum = dot->result();
  const Op *end = loop->region()->terminator();
  const bool isCarried = acc && acc->isArgument() && acc->owner == loop->region() &&
                         acc->index > 0 && acc->users.size() == 1 && sum->users.size() == 1 &&
                         end && end->kind == OpKind::Yield && end->operand(acc->index - 1) == sum;
  return isCarried && !isLeft(loop) ? dot : nullptr;
}

// The releases of what the product reads, right behind it; empty if it reads other memory too, or there is no other stage for
// the copies of the next step.
llvm::SmallVector<Op *, 2> releasesBehind(const Kernel &kernel, Op *dot) {
  llvm::SmallVector<Op *, 2> releases;
  for (Op *op = dot->next(); op && op->kind == OpKind::RingRelease; op = op->next())
    releases.push_back(op);
  for (const Op *release : releases)
    if (kernel.rings[release->getInt("ring")].stages < 2) return {};
  for (int64_t buffer : dot->getInts("buffers")) {
    const bool isReleased = llvm::any_of(releases, [&](const Op *release) {
      return llvm::is_contained(kernel.rings[release->getInt("ring")].buffers, buffer);
    });
    if (!isReleased) return {};
  }
  return releases;
}

// Without knowing that the loop runs, the compiler moves sums around behind it while they are in flight.
void defer(Op *loop, Op *dot, llvm::ArrayRef<Op *> releases) {
  dot->setBool("async", true);
  loop->setInt("unroll", 1);
  if (!runsAtLeastOnce(loop)) loop->setBool("runs", true);
  Builder behind = Builder::after(dot);
  behind.create(OpKind::DotWait, {}, {})->setInt("pending", 1);
  Builder after = Builder::after(loop);
  after.loc.statement = -1;
  Value *sums = loop->result(dot->operand(0)->index - 1);
  Op *wait = after.create(OpKind::DotWait, {}, {sums->type}, sums->name);
  wait->setInt("pending", 0);
  sums->replaceAllUsesWith(wait->result());
  wait->addOperand(sums);
  for (Op *release : releases) {
    Value *stage = release->operand(0);
    Builder before = Builder::before(loop);
    auto [previous, last] =
        carryOneStep(loop, before.constant(Scalar::I32, -1), stage, "previous_stage");
    release->setOperand(0, previous);
    after.create(OpKind::RingRelease, {last}, {})->setInt("ring", release->getInt("ring"));
  }
}

}  // namespace

llvm::LogicalResult defer_waits(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    if (kernel.rings.empty()) continue;
    for (Op *loop : forLoopsIn(kernel.body)) {
      Op *dot = loneProduct(loop);
      if (!dot || !runsForSure(kernel, loop)) continue;
      const auto releases = releasesBehind(kernel, dot);
      if (releases.empty()) continue;
      defer(loop, dot, releases);
      context.diagnostics.decided(DiagId::ProductInFlight, kernel, dot->loc, {});
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
