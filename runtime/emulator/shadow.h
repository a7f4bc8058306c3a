// The shadow of memory: who wrote and who read each byte, to find accesses that nothing orders.
//
// Order. Within a block, a barrier orders everything before it with everything after it: `epoch`
// counts barriers (and block starts, over the whole program). Within a warp, __syncwarp orders the
// lanes that take part: a vector clock per lane. A block that uses other barriers (mbarriers, named
// ones) or work that goes past its threads (TMA, wgmma) has a clock per thread of all threads from
// then on, and of each warp's two *agents*, who do its copies and its products: release and acquire
// order them. Blocks of a launch are ordered by fences with atomics at one address between them, and
// by nothing else; launches are.
//
// One Cell per aligned 4-byte word; a word that is accessed in smaller parts gets a Cell per byte.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "knowledge.h"
#include "site.h"

namespace emulate {

// Of a fragment read (ldmatrix, wgmma), what nobody has written is no mistake by itself: fragments may be loaded ahead of a
// step that does not come, and rows behind a tile's end give sums that nobody uses. They hold poison then (bytes of 0xff: NaN),
// which shows wherever it is used.
// A volatile read (cache::cv) races with plain writes, not with atomics.
enum class access { read, read_only, fragment_read, volatile_read, write, atomic };

class Shadow {
 public:
  struct Block {
    unsigned linear = 0;
    unsigned threads = 0;
  };

  // Which races and reads count.
  struct Checks {
    bool races_between_blocks = true, races_of_one_store = true, uninitialized = false;
  };
  void beginLaunch(Checks checks);
  void beginBlock(Block block);
  void barrier();                                  // of all threads of the block
  void warpBarrier(unsigned warp, unsigned mask);  // of the lanes of `mask`

  // What a thread or an agent had done, or had been told of, when it came to some place.
  struct Clock {
    std::uint32_t epoch = 0;
    std::vector<std::uint16_t> ticks;
    void join(const Clock& other);
  };
  void release(unsigned thread, Clock& to);  // adds it to `to`; what follows is not in it
  void acquire(unsigned thread, const Clock& from);
  // Between blocks: a fence of `thread`, and an atomic of it at `address`. A fence ahead of an atomic releases what the thread
  // knows of, an atomic behind which a fence comes acquires what was released at its address before.
  void fence(unsigned thread);
  void atomic(std::uintptr_t address, unsigned thread);
  unsigned copyAgent(unsigned thread) const { return block_.threads + thread / 32; }
  unsigned productAgent(unsigned warp) const { return block_.threads + warps() + warp; }

  // Records an access of `thread` (or agent) and reports what it conflicts with.
  void touch(std::uintptr_t address, std::uint32_t bytes, access kind, unsigned thread, Site site);

 private:
  struct Record {
    std::uint32_t epoch;  // 0: none
    std::uint16_t thread;
    std::uint16_t site;
    std::uint16_t clock;   // the thread's own, in its warp
    std::uint16_t atomic;  // or a volatile read
  };
  // Of readers, enough to find an unordered one for any writer: the last one, another lane of its
  // warp, another warp. (A partial __syncwarp may hide one of several lanes.)
  struct Cell {
    Record write, last_read, other_lane_read, other_warp_read, read_only;
    std::uint32_t
        split;  // the launch in which the bytes went separate ways; first byte's cell only
  };
  static_assert(sizeof(Cell) == 64);
  static constexpr std::uintptr_t PAGE = 4096;
  struct Page {
    Cell words[PAGE / 4];
    Cell* bytes;  // PAGE cells
  };

  Page& page(std::uintptr_t address);
  void touchWord(Page& page, std::uintptr_t address, const Record& mine, access kind);
  void touchByte(Page& page, std::uintptr_t address, const Record& mine, access kind);
  void check(Cell& cell, std::uintptr_t address, const Record& mine, access kind);
  void remember(Cell& cell, const Record& mine, access kind);
  void conflict(const Record& earlier, const char* did, std::uintptr_t address, const Record& mine,
                access kind);
  bool ordered(const Record& earlier, const Record& mine) const;
  bool acquired(const Record& earlier, const Record& mine) const;
  std::uint16_t intern(Site site);
  std::uint16_t& clock(unsigned thread, unsigned of_lane) { return clocks_[thread * 32 + of_lane]; }
  std::uint16_t clock(unsigned thread, unsigned of_lane) const {
    return clocks_[thread * 32 + of_lane];
  }
  void resetClocks(unsigned warp);
  unsigned warps() const { return (block_.threads + 31) / 32; }
  unsigned width() const { return block_.threads + 2 * warps(); }
  std::uint16_t* wide(unsigned thread) { return &wide_clocks_[std::size_t{thread} * width()]; }
  const std::uint16_t* wide(unsigned thread) const {
    return &wide_clocks_[std::size_t{thread} * width()];
  }
  std::uint16_t now(unsigned thread) const {
    return wide_ ? wide(thread)[thread] : clock(thread, thread % 32);
  }
  void tick(unsigned thread);
  void widen();
  void resetWide();
  std::string name(unsigned thread) const;

  Checks checks_;
  std::uint32_t launch_ = 0, epoch_ = 0, first_of_launch_ = 0, first_of_block_ = 0;
  Block block_;
  std::vector<std::uint16_t> clocks_;       // [thread][lane of its warp]
  std::vector<bool> warp_synced_;           // this epoch
  bool wide_ = false;                       // in this block
  std::vector<std::uint16_t> wide_clocks_;  // [thread or agent][thread or agent]
  std::vector<std::uint32_t> blocks_;       // the first epoch of each block of this launch
  unsigned block_number() const { return unsigned(blocks_.size()) - 1; }
  struct Fenced {
    Knowledge released, seen;
  };
  // What a thread of this block acquired up to `clock`. It counts for that thread, and for each
  // access that is ordered behind `clock`.
  struct Acquired {
    std::uint16_t clock;
    Knowledge all;
  };
  void acquire(const Record& by, const Knowledge& what);
  void settleAcquired();
  const Acquired* latestAcquired(unsigned by, const Record& mine) const;
  std::unordered_map<unsigned, Fenced> fenced_;                // by thread, of this block
  std::unordered_map<std::uintptr_t, Knowledge> released_at_;  // by address, of this launch
  Knowledge acquired_before_;         // of this block, ahead of its last barrier
  std::uint32_t acquired_epoch_ = 0;  // the rest is of this epoch
  std::unordered_map<unsigned, std::vector<Acquired>> acquired_;  // by thread, in order

  std::vector<Site> sites_;  // open addressing, 2^16 slots
  std::unordered_map<std::uintptr_t, Page*> pages_;
  static constexpr unsigned RECENT = 256;
  struct {
    std::uintptr_t number;
    Page* page;
  } recent_[RECENT] = {};
};

}  // namespace emulate
