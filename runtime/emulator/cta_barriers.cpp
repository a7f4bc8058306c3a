#include "cta_barriers.h"

#include <algorithm>

#include "findings.h"

namespace emulate {

void CtaBarriers::beginBlock() {
  in_sync_ = 0;
  for (NamedBarrier& barrier : named_) barrier = {};
}

void CtaBarriers::sync(const void* pc) {
  const Site here = context_.site(pc);
  if (in_sync_ == 0) {
    sync_site_ = here;
  } else if (inDifferentLines(sync_site_, here) &&
             !isKnown(report::kind::divergence, here, sync_site_)) {
    addFinding(
        report::kind::divergence, {here, sync_site_},
        context_.threadText() + " waits at this __syncthreads while others wait at that of {1}");
  }
  if (++in_sync_ < context_.threads()) {
    scheduler_.suspend("__syncthreads", here);
    return;
  }
  in_sync_ = 0;
  clocks_.blockBarrier();
  scheduler_.resumeAll();
}

void CtaBarriers::named(int id, unsigned threads, bool waits, const void* pc) {
  const Site here = context_.site(pc);
  if (id < 0 || id > 15)
    context_.misuse(here, "uses named barrier " + std::to_string(id) + " of 0 to 15");
  if (id == 0 && waits && threads == context_.threads()) return sync(pc);
  NamedBarrier& barrier = named_[id];
  const std::string name = "named barrier " + std::to_string(id);
  if (barrier.threads == 0) {
    barrier.threads = threads;
    barrier.first = here;
  } else if (barrier.threads != threads) {
    context_.misuse(here, "comes to " + name + " of " + std::to_string(threads) +
                              " threads while others came to it with " +
                              std::to_string(barrier.threads));
  }
  const unsigned thread = context_.thread();
  if (std::find(barrier.arrived.begin(), barrier.arrived.end(), thread) != barrier.arrived.end())
    context_.misuse(here, "comes to " + name + " again before it is complete");
  barrier.arrived.push_back(thread);
  clocks_.release(thread, barrier.clock);
  if (barrier.arrived.size() < threads) {
    if (!waits) return;
    barrier.waiters.push_back(thread);
    scheduler_.suspend("named_barrier_sync", here);
    return;  // the last thread to arrive has completed the barrier
  }
  for (unsigned waiter : barrier.waiters) {
    clocks_.acquire(waiter, barrier.clock);
    scheduler_.resume(waiter);
  }
  if (waits) clocks_.acquire(thread, barrier.clock);
  barrier = {};
}

}  // namespace emulate
