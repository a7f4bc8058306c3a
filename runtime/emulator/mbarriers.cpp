#include "mbarriers.h"

#include <algorithm>
#include <cstring>

#include "findings.h"
#include "machine.h"
#include "tile2cu/emulator/mbarrier_ptx.h"

namespace emulate {

std::string Mbarrier::describe() const {
  std::string text = "phase " + std::to_string(phase) + " of the barrier at byte " +
                     std::to_string(offset) + " of shared memory lacks " + std::to_string(pending) +
                     " of " + std::to_string(arrivals) + " arrivals";
  if (bytes > 0) text += " and " + std::to_string(bytes) + " bytes";
  return text;
}

void Machine::misuse(Site here, const std::string& text) {
  find(report::kind::barrier, {here}, "thread " + std::to_string(current_) + " " + text);
  abandon(cudaErrorLaunchFailure);
}

// What an initialised barrier holds: memory that something else has written since is found.
static std::uint64_t stateOf(std::uint32_t offset) { return 0x6d62617272696572u ^ offset; }

void Machine::initBarrier(void* p, int arrivals, const void* pc) {
  requireShared(p, pc);
  access(reinterpret_cast<std::uintptr_t>(p), 8, access::write, pc, 8);
  if (arrivals < 1 || arrivals >= 1 << 20)
    misuse(site(pc), "prepares a barrier for " + std::to_string(arrivals) + " arrivals");
  const std::uint32_t offset = sharedOffset(p);
  const std::uint64_t state = stateOf(offset);
  std::memcpy(p, &state, 8);
  Mbarrier made;
  made.offset = offset;
  made.arrivals = made.pending = arrivals;
  made.thread = current_;
  barriers_.at[offset] = std::move(made);
}

void Machine::fenceBarriers() {
  for (auto& [offset, barrier] : barriers_.at) {
    if (barrier.thread == current_) barrier.fenced = true;
  }
  fenceAsyncProxy();
}

Mbarrier& Machine::barrierAt(void* p, const void* pc) {
  requireShared(p, pc);
  access(reinterpret_cast<std::uintptr_t>(p), 8, access::atomic, pc, 8);
  const std::uint32_t offset = sharedOffset(p);
  const auto found = barriers_.at.find(offset);
  const std::uint64_t state = stateOf(offset);
  if (found == barriers_.at.end() || std::memcmp(p, &state, 8) != 0)
    misuse(site(pc), "uses a barrier that is not initialised, or no more");
  Mbarrier& barrier = found->second;
  if (!barrier.fenced)
    misuse(site(pc), "uses a barrier without a barrier_init_fence after its barrier_init");
  return barrier;
}

// Completes the phase if everything is there, or can be: loads land once somebody wants them.
void Machine::settle(Mbarrier& barrier, bool wanted, Site here) {
  if (barrier.pending > 0) return;
  if (wanted || !barrier.waiters.empty()) {
    while (!barrier.loads.empty()) landLoad(barrier, barrier.loads.front());
  }
  if (!barrier.loads.empty() || barrier.bytes > 0) return;
  if (barrier.bytes < 0)
    misuse(here, "sees " + std::to_string(-barrier.bytes) +
                     " bytes more than were announced to the barrier at byte " +
                     std::to_string(barrier.offset) + " of shared memory");
  barrier.phase ^= 1;
  barrier.pending = barrier.arrivals;
  barrier.complete = barrier.collecting;
  barrier.partner_complete = barrier.partner_collecting;
  for (unsigned thread : barrier.waiters) {
    fibers_[thread].waits_for = nullptr;
    resume(thread);
  }
  barrier.waiters.clear();
}

void Machine::arrive(void* p, int bytes, const void* pc) {
  Mbarrier& barrier = barrierAt(p, pc);
  if (barrier.pending == 0)
    misuse(site(pc), "comes to a barrier whose phase may already have all its " +
                         std::to_string(barrier.arrivals) + " arrivals");
  if (bytes < 0 || bytes >= 1 << 20)
    misuse(site(pc), "announces " + std::to_string(bytes) + " bytes to a barrier");
  shadow_.release(current_, barrier.collecting);
  barrier.bytes += bytes;
  --barrier.pending;
  settle(barrier, false, site(pc));
}

void Machine::waitFor(void* p, int phase, const void* pc) {
  Mbarrier& barrier = barrierAt(p, pc);
  const Site here = site(pc);
  if (phase != 0 && phase != 1)
    misuse(here, "waits for phase " + std::to_string(phase) + "; there are 0 and 1");
  if (barrier.phase == unsigned(phase)) settle(barrier, true, here);
  if (barrier.phase == unsigned(phase)) {
    barrier.waiters.push_back(current_);
    fiber().waits_for = &barrier;
    suspend("barrier_wait", here);
  }
  shadow_.acquire(current_, barrier.complete);
  if (cluster_ > 1) partner_clocks_[current_].join(barrier.partner_complete);
}

void Machine::comeToNamed(int id, unsigned threads, bool waits, const void* pc) {
  const Site here = site(pc);
  if (id < 0 || id > 15) misuse(here, "uses named barrier " + std::to_string(id) + " of 0 to 15");
  if (id == 0 && waits && threads == threads_) return blockBarrier(pc);
  NamedBarrier& barrier = barriers_.named[id];
  const std::string name = "named barrier " + std::to_string(id);
  if (barrier.threads == 0) {
    barrier.threads = threads;
    barrier.first = here;
  } else if (barrier.threads != threads) {
    misuse(here, "comes to " + name + " of " + std::to_string(threads) +
                     " threads while others came to it with " + std::to_string(barrier.threads));
  }
  if (std::find(barrier.come.begin(), barrier.come.end(), current_) != barrier.come.end())
    misuse(here, "comes to " + name + " again before it is complete");
  barrier.come.push_back(current_);
  shadow_.release(current_, barrier.clock);
  if (barrier.come.size() < threads) {
    if (!waits) return;
    barrier.waiters.push_back(current_);
    suspend("named_barrier_sync", here);
    return;  // the last one has done the rest
  }
  for (unsigned thread : barrier.waiters) {
    shadow_.acquire(thread, barrier.clock);
    resume(thread);
  }
  if (waits) shadow_.acquire(current_, barrier.clock);
  barrier = {};
}

#define PC __builtin_return_address(0)

void barrier_init(void* barrier, int arrivals) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.initBarrier(barrier, arrivals, PC);
}

void barrier_init_fence() {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.fenceBarriers();
}

void barrier_arrive(void* barrier, int bytes) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.arrive(barrier, bytes, PC);
}

void barrier_wait(void* barrier, int phase) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.waitFor(barrier, phase, PC);
}

void named_barrier(int id, unsigned threads, bool waits) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.comeToNamed(id, threads, waits, PC);
}

void fence_async_proxy() {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.fenceAsyncProxy();
}

}  // namespace emulate
