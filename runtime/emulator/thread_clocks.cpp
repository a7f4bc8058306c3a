#include "thread_clocks.h"

#include <algorithm>

namespace emulate {

void ThreadClocks::beginBlock(unsigned threads) {
  threads_ = threads;
  first_of_block_ = ++epoch_;
  clocks_.resize(std::size_t{warps()} * 32 * 32);
  changed_.resize(warps());
  wide_ = false;
  for (unsigned warp = 0; warp < warps(); ++warp) resetClocks(warp);
}

void ThreadClocks::blockBarrier() {
  ++epoch_;
  if (wide_) return resetWide();
  for (unsigned warp = 0; warp < changed_.size(); ++warp) {
    if (changed_[warp]) resetClocks(warp);
  }
}

void ThreadClocks::resetClocks(unsigned warp) {
  changed_[warp] = false;
  std::fill_n(&clock(warp * 32, 0), 32 * 32, std::uint16_t{0});
  for (unsigned l = 0; l < 32; ++l) clock(warp * 32 + l, l) = 1;
}

void ThreadClocks::tick(unsigned thread) {
  if (!wide_) changed_[thread / 32] = true;
  std::uint16_t& own = wide_ ? wide(thread)[thread] : clock(thread, thread % 32);
  if (own < 0xffff) ++own;
}

void ThreadClocks::warpBarrier(unsigned warp, unsigned mask) {
  if (wide_) {
    Clock all;
    for (unsigned l = 0; l < 32; ++l) {
      if (mask >> l & 1) release(warp * 32 + l, all);
    }
    for (unsigned l = 0; l < 32; ++l) {
      if (mask >> l & 1) acquire(warp * 32 + l, all);
    }
    return;
  }
  std::uint16_t joined[32] = {};
  for (unsigned l = 0; l < 32; ++l) {
    if (!(mask >> l & 1)) continue;
    for (unsigned o = 0; o < 32; ++o) joined[o] = std::max(joined[o], clock(warp * 32 + l, o));
  }
  for (unsigned l = 0; l < 32; ++l) {
    if (!(mask >> l & 1)) continue;
    std::copy_n(joined, 32, &clock(warp * 32 + l, 0));
    tick(warp * 32 + l);
  }
}

// ---- clocks of the whole block

void ThreadClocks::resetWide() {
  wide_clocks_.assign(std::size_t{width()} * width(), 0);
  for (unsigned t = 0; t < width(); ++t) wide(t)[t] = 1;
}

void ThreadClocks::widen() {
  if (wide_) return;
  wide_ = true;
  resetWide();
  for (unsigned t = 0; t < threads_; ++t) {
    const unsigned first = t / 32 * 32;
    for (unsigned o = first; o < std::min(first + 32, threads_); ++o) {
      wide(t)[o] = clock(t, o % 32);
    }
  }
}

void ThreadClocks::release(unsigned thread, Clock& to) {
  widen();
  if (to.epoch != epoch_) to = {epoch_, std::vector<std::uint16_t>(width())};
  const std::uint16_t* const mine = wide(thread);
  for (unsigned o = 0; o < width(); ++o) to.ticks[o] = std::max(to.ticks[o], mine[o]);
  tick(thread);
}

void ThreadClocks::acquire(unsigned thread, const Clock& from) {
  // Another epoch: a barrier of the block has ordered it since, or no thread has released it.
  if (from.epoch != epoch_) return;
  widen();
  std::uint16_t* const mine = wide(thread);
  for (unsigned o = 0; o < width(); ++o) mine[o] = std::max(mine[o], from.ticks[o]);
}

void ThreadClocks::Clock::join(const Clock& other) {
  if (other.epoch < epoch) return;
  if (other.epoch > epoch) {
    *this = other;
    return;
  }
  for (std::size_t o = 0; o < ticks.size(); ++o) ticks[o] = std::max(ticks[o], other.ticks[o]);
}

std::string ThreadClocks::name(unsigned thread_or_agent) const {
  if (thread_or_agent < threads_) return "thread " + std::to_string(thread_or_agent);
  const unsigned agent = thread_or_agent - threads_;
  return (agent < warps() ? "an asynchronous copy of warp " : "a wgmma of warp ") +
         std::to_string(agent % warps());
}

}  // namespace emulate
