// Which work of a block is ordered before which: the block's part of the happens-before relation
// (PTX ISA, "Memory Consistency Model": causality order).
//
// A barrier of the block orders everything before it with everything after it: the *epoch* counts
// barriers and starts of blocks over the whole program. Within an epoch there are vector clocks.
// As long as a block uses only __syncthreads and __syncwarp, each lane has a clock of its warp's
// lanes. Once it uses other barriers (mbarriers, named ones) or asynchronous work (TMA, wgmma),
// every thread has a clock of all threads and *agents*. A warp has two agents, which stand for its
// TMA copies and its wgmmas. release() and acquire() order them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace emulate {

class ThreadClocks {
 public:
  // The work that a thread or an agent had done, or had learned of, at some time.
  struct Clock {
    std::uint32_t epoch = 0;
    std::vector<std::uint16_t> ticks;
    void join(const Clock& other);
  };

  void beginLaunch() { first_of_launch_ = ++epoch_; }
  void beginBlock(unsigned threads);
  void blockBarrier();                             // of all threads of the block
  void warpBarrier(unsigned warp, unsigned mask);  // of the lanes of `mask`
  // Adds the thread's clock to `to`. It does not include what the thread does afterwards.
  void release(unsigned thread, Clock& to);
  void acquire(unsigned thread, const Clock& from);
  // Begins a new time of the thread, which what it releases up to now does not include.
  void tick(unsigned thread);

  std::uint32_t epoch() const { return epoch_; }
  std::uint32_t firstOfLaunch() const { return first_of_launch_; }
  std::uint32_t firstOfBlock() const { return first_of_block_; }
  unsigned threads() const { return threads_; }
  std::uint16_t now(unsigned thread) const {
    return wide_ ? wide(thread)[thread] : clock(thread, thread % 32);
  }
  // The last time of `other` that `thread` knows of; 0: none.
  std::uint16_t known(unsigned thread, unsigned other) const {
    if (wide_) return wide(thread)[other];
    return other / 32 == thread / 32 ? clock(thread, other % 32) : 0;
  }
  // Whether `thread` is ordered after the time `clock` of the thread `earlier`, in this epoch.
  bool ordered(unsigned earlier, std::uint16_t clock, unsigned thread) const {
    if (earlier == thread) return true;
    if (!wide_ && earlier / 32 != thread / 32) return false;
    return clock <= known(thread, earlier);
  }

  unsigned copyAgent(unsigned thread) const { return threads_ + thread / 32; }
  unsigned wgmmaAgent(unsigned warp) const { return threads_ + warps() + warp; }
  std::string name(unsigned thread_or_agent) const;

 private:
  std::uint16_t& clock(unsigned thread, unsigned of_lane) { return clocks_[thread * 32 + of_lane]; }
  std::uint16_t clock(unsigned thread, unsigned of_lane) const {
    return clocks_[thread * 32 + of_lane];
  }
  std::uint16_t* wide(unsigned thread) { return &wide_clocks_[std::size_t{thread} * width()]; }
  const std::uint16_t* wide(unsigned thread) const {
    return &wide_clocks_[std::size_t{thread} * width()];
  }
  unsigned warps() const { return (threads_ + 31) / 32; }
  unsigned width() const { return threads_ + 2 * warps(); }
  void resetClocks(unsigned warp);
  void widen();
  void resetWide();

  std::uint32_t epoch_ = 0, first_of_launch_ = 0, first_of_block_ = 0;
  unsigned threads_ = 0;
  std::vector<std::uint16_t> clocks_;       // [thread][lane of its warp]
  std::vector<bool> changed_;               // [warp]: its clocks, in this epoch
  bool wide_ = false;                       // in this block
  std::vector<std::uint16_t> wide_clocks_;  // [thread or agent][thread or agent]
};

}  // namespace emulate
