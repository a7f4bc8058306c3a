#include "mbarriers.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "builtins.h"

namespace emulate {

std::string Mbarrier::describe() const {
  std::string text = "phase " + std::to_string(phase) + " of the barrier at byte " +
                     std::to_string(offset) + " of shared memory lacks " + std::to_string(pending) +
                     " of " + std::to_string(arrivals) + " arrivals";
  if (bytes > 0) text += " and " + std::to_string(bytes) + " bytes";
  return text;
}

// The contents of the memory of an initialized barrier, by which other writes to it are found.
static std::uint64_t stateOf(std::uint32_t offset) { return 0x6d62617272696572u ^ offset; }

void Mbarriers::beginBlock() {
  barriers_.clear();
  partner_clocks_.assign(context_.clusterBlocks() > 1 ? context_.threads() : 0, {});
}

void Mbarriers::init(void* p, int arrivals, const void* pc) {
  memory_.requireShared(p, pc);
  memory_.access(reinterpret_cast<std::uintptr_t>(p), 8, access::write, pc, 8);
  if (arrivals < 1 || arrivals >= 1 << 20) {
    context_.misuse(context_.site(pc),
                    "prepares a barrier for " + std::to_string(arrivals) + " arrivals");
  }
  const std::uint32_t offset = sharedOffset(p);
  const std::uint64_t state = stateOf(offset);
  std::memcpy(p, &state, 8);
  Mbarrier made;
  made.offset = offset;
  made.arrivals = made.pending = arrivals;
  made.thread = context_.thread();
  barriers_[offset] = std::move(made);
}

void Mbarriers::fenceInit() {
  for (auto& [offset, barrier] : barriers_) {
    if (barrier.thread == context_.thread()) barrier.fenced = true;
  }
  memory_.asyncProxy().fence(context_.thread());
}

Mbarrier& Mbarriers::at(void* p, const void* pc) {
  memory_.requireShared(p, pc);
  memory_.access(reinterpret_cast<std::uintptr_t>(p), 8, access::atomic, pc, 8);
  const std::uint32_t offset = sharedOffset(p);
  const auto found = barriers_.find(offset);
  const std::uint64_t state = stateOf(offset);
  if (found == barriers_.end() || std::memcmp(p, &state, 8) != 0)
    context_.misuse(context_.site(pc), "uses a barrier that is not initialised, or no more");
  Mbarrier& barrier = found->second;
  if (!barrier.fenced) {
    context_.misuse(context_.site(pc),
                    "uses a barrier without a fence_mbarrier_init after its mbarrier_init");
  }
  return barrier;
}

void Mbarriers::begin(Mbarrier& barrier, Mbarrier::Transaction transaction, Site here) {
  barrier.transactions.push_back(transaction);
  if (!context_.late()) completeTransaction(barrier, transaction);
  completePhase(barrier, false, here);
}

void Mbarriers::completeTransaction(Mbarrier& barrier, Mbarrier::Transaction transaction) {
  const TransactionSource::Completed completed = transaction.source->complete(transaction.id);
  barrier.bytes -= completed.bytes;
  barrier.collecting.join(completed.clock);
  std::erase_if(barrier.transactions,
                [&](const Mbarrier::Transaction& other) { return other.id == transaction.id; });
}

// Completes the phase if all of its arrivals and bytes have come. Its transactions complete first
// where a thread waits for the phase, or `wanted` says that one is about to.
void Mbarriers::completePhase(Mbarrier& barrier, bool wanted, Site here) {
  if (barrier.pending > 0) return;
  if (wanted || !barrier.waiters.empty()) {
    while (!barrier.transactions.empty())
      completeTransaction(barrier, barrier.transactions.front());
  }
  if (!barrier.transactions.empty() || barrier.bytes > 0) return;
  if (barrier.bytes < 0) {
    context_.misuse(here, "sees " + std::to_string(-barrier.bytes) +
                              " bytes more than were announced to the barrier at byte " +
                              std::to_string(barrier.offset) + " of shared memory");
  }
  barrier.phase ^= 1;
  barrier.pending = barrier.arrivals;
  barrier.complete = barrier.collecting;
  barrier.partner_complete = barrier.partner_collecting;
  for (unsigned thread : barrier.waiters) scheduler_.resume(thread);
  barrier.waiters.clear();
}

void Mbarriers::arrive(void* p, int bytes, const void* pc) {
  Mbarrier& barrier = at(p, pc);
  const Site here = context_.site(pc);
  if (barrier.pending == 0) {
    context_.misuse(here, "comes to a barrier whose phase may already have all its " +
                              std::to_string(barrier.arrivals) + " arrivals");
  }
  if (bytes < 0 || bytes >= 1 << 20)
    context_.misuse(here, "announces " + std::to_string(bytes) + " bytes to a barrier");
  memory_.clocks().release(context_.thread(), barrier.collecting);
  barrier.bytes += bytes;
  --barrier.pending;
  completePhase(barrier, false, here);
}

void Mbarriers::wait(void* p, int phase, const void* pc) {
  Mbarrier& barrier = at(p, pc);
  const Site here = context_.site(pc);
  if (phase != 0 && phase != 1)
    context_.misuse(here, "waits for phase " + std::to_string(phase) + "; there are 0 and 1");
  if (barrier.phase == unsigned(phase)) completePhase(barrier, true, here);
  const unsigned thread = context_.thread();
  if (barrier.phase == unsigned(phase)) {
    barrier.waiters.push_back(thread);
    scheduler_.suspend("mbarrier_wait", here, &barrier);
  }
  memory_.clocks().acquire(thread, barrier.complete);
  if (context_.clusterBlocks() > 1) partner_clocks_[thread].join(barrier.partner_complete);
}

Mbarrier* Mbarriers::ready(std::uint32_t offset) {
  const auto found = barriers_.find(offset);
  return found != barriers_.end() && found->second.fenced ? &found->second : nullptr;
}

void Mbarriers::arriveFromPartner(Mbarrier& barrier, const ThreadClocks::Clock& clock, Site here) {
  if (barrier.pending == 0) {
    context_.misuse(here,
                    "comes to a barrier of the other block whose phase may already have all its " +
                        std::to_string(barrier.arrivals) + " arrivals");
  }
  barrier.partner_collecting.join(clock);
  --barrier.pending;
  completePhase(barrier, false, here);
}

}  // namespace emulate
