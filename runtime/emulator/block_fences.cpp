#include "block_fences.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace emulate {

void BlockFences::beginLaunch() {
  released_at_.clear();
  blocks_.clear();
}

void BlockFences::beginBlock() {
  blocks_.push_back(clocks_.firstOfBlock());
  fenced_.clear();
  acquired_.clear();
  acquired_before_ = {};
  acquired_epoch_ = clocks_.epoch();
}

// All threads of the block know what one of them acquired before a barrier of the block.
void BlockFences::settleAcquired() {
  if (acquired_epoch_ == clocks_.epoch()) return;
  acquired_epoch_ = clocks_.epoch();
  for (const auto& [by, entries] : acquired_) acquired_before_.join(entries.back().all);
  acquired_.clear();
}

void BlockFences::acquire(unsigned thread, std::uint16_t clock, const Knowledge& what) {
  std::vector<Acquired>& entries = acquired_[thread];
  Knowledge all = entries.empty() ? Knowledge() : entries.back().all;
  all.join(what);
  if (!entries.empty() && entries.back().clock == clock)
    entries.back().all = std::move(all);
  else
    entries.push_back({clock, std::move(all)});
}

// The last entry of thread `by` in this epoch that is ordered before `thread`. It includes the
// earlier ones.
const BlockFences::Acquired* BlockFences::latestAcquired(unsigned by, unsigned thread) const {
  const auto found = acquired_.find(by);
  if (found == acquired_.end()) return nullptr;
  const std::vector<Acquired>& entries = found->second;
  const auto after = std::partition_point(
      entries.begin(), entries.end(),
      [&](const Acquired& each) { return clocks_.ordered(by, each.clock, thread); });
  return after == entries.begin() ? nullptr : &*std::prev(after);
}

void BlockFences::fence(unsigned thread) {
  settleAcquired();
  Fenced& mine = fenced_[thread];
  Done done;
  done.epoch = clocks_.epoch();
  done.clocks.resize(clocks_.threads());
  for (unsigned t = 0; t < clocks_.threads(); ++t) done.clocks[t] = clocks_.known(thread, t);
  // The thread acquires now what its earlier atomics saw, and releases it with its own work.
  if (!mine.seen.isEmpty()) acquire(thread, clocks_.now(thread), std::exchange(mine.seen, {}));
  mine.released = acquired_before_;
  for (const auto& [by, entries] : acquired_)
    if (const Acquired* known = latestAcquired(by, thread)) mine.released.join(known->all);
  mine.released.join({block(), std::move(done)});
  clocks_.tick(thread);
}

void BlockFences::atomic(std::uintptr_t address, unsigned thread, bool reads, bool writes) {
  if (auto known = released_at_.find(address); reads && known != released_at_.end())
    fenced_[thread].seen.join(known->second);
  if (!writes) return;
  // Who reads the value of a store learns nothing of what was released there before.
  if (!reads) released_at_.erase(address);
  const auto mine = fenced_.find(thread);
  if (mine != fenced_.end() && !mine->second.released.isEmpty())
    released_at_[address].join(mine->second.released);
}

bool BlockFences::acquired(std::uint32_t epoch, unsigned earlier, std::uint16_t clock,
                           unsigned thread) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), epoch);
  if (after == blocks_.begin()) return false;
  const unsigned block = unsigned(after - blocks_.begin()) - 1;
  auto holds = [&](const Knowledge& known) {
    const Done* done = known.of(block);
    if (done == nullptr || epoch > done->epoch) return false;
    return epoch < done->epoch || (earlier < done->clocks.size() && clock <= done->clocks[earlier]);
  };
  if (holds(acquired_before_)) return true;
  for (const auto& [by, entries] : acquired_) {
    if (acquired_epoch_ != clocks_.epoch()) {
      if (holds(entries.back().all)) return true;
    } else if (const Acquired* known = latestAcquired(by, thread); known && holds(known->all)) {
      return true;
    }
  }
  return false;
}

}  // namespace emulate
