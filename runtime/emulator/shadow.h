// The shadow of memory: which thread wrote and which threads read each byte, to find accesses that
// nothing orders (data races: PTX ISA, "Memory Consistency Model").
//
// ThreadClocks orders accesses of one block, BlockFences those of different blocks. Launches are
// ordered by themselves. One Cell stands for an aligned 4-byte word; a word that is accessed in
// smaller parts gets a Cell for each byte.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "block_fences.h"
#include "site.h"
#include "thread_clocks.h"

namespace emulate {

// An unchecked read may read bytes that no thread has written. ldmatrix and wgmma read fragments
// in this way: a fragment may be loaded ahead of a k-step that is never executed, and rows past the
// end of a tile contribute to results that are not used. Such bytes hold poison (0xff: NaN), which
// shows wherever it is used.
// A volatile read (cache::cv) races with plain writes, not with atomics.
enum class access { read, read_only, unchecked_read, volatile_read, write, atomic };

class Shadow {
 public:
  Shadow(const ThreadClocks& clocks, const BlockFences& fences)
      : clocks_(clocks), fences_(fences) {}

  // Which races and reads are reported.
  struct Checks {
    bool races_between_blocks = true, races_of_one_store = true, uninitialized = false;
  };
  void beginLaunch(Checks checks);
  void beginBlock() { objects_.clear(); }
  // Remembers that a struct was copied to `address` as a whole. An assignment copies a struct
  // without the padding at its end, and an initialization copies that padding too. So where the
  // struct is read from the same address, its last bytes may be padding that nothing wrote.
  void wroteObject(std::uintptr_t address, std::uint32_t bytes);
  // Records an access of a thread or agent, and reports the accesses that it conflicts with.
  void touch(std::uintptr_t address, std::uint32_t bytes, access kind, unsigned thread, Site site);

 private:
  struct Record {
    std::uint32_t epoch;  // 0: none
    std::uint16_t thread;
    std::uint16_t site;
    std::uint16_t clock;   // of the thread itself
    std::uint16_t atomic;  // or a volatile read
  };
  // The reads that are kept suffice to find an unordered one for any writer: the last one, one of
  // another lane of its warp, one of another warp. (A partial __syncwarp may hide one of several
  // lanes.)
  struct Cell {
    Record write, last_read, other_lane_read, other_warp_read, read_only;
    // The launch in which the bytes of the word got their own cells; in the word's cell only.
    std::uint32_t split;
  };
  static_assert(sizeof(Cell) == 64);
  static constexpr std::uintptr_t PAGE = 4096;
  struct Page {
    Cell words[PAGE / 4];
    Cell* bytes;  // PAGE cells
  };

  // The end of the members of the object that a read of these bytes copies; padding may follow.
  std::uintptr_t endOfMembers(std::uintptr_t address, std::uint32_t bytes) const;
  Page& page(std::uintptr_t address);
  void touchWord(Page& page, std::uintptr_t address, const Record& mine, access kind);
  void touchByte(Page& page, std::uintptr_t address, const Record& mine, access kind);
  void check(Cell& cell, std::uintptr_t address, const Record& mine, access kind);
  void checkReadOnly(const Record& other, std::uintptr_t address, const Record& mine, bool writes);
  void remember(Cell& cell, const Record& mine, access kind);
  void conflict(const Record& earlier, const char* did, std::uintptr_t address, const Record& mine,
                access kind);
  bool acquired(const Record& earlier, const Record& mine) const {
    return fences_.acquired(earlier.epoch, earlier.thread, earlier.clock, mine.thread);
  }
  std::uint16_t intern(Site site);

  const ThreadClocks& clocks_;
  const BlockFences& fences_;
  Checks checks_;
  std::uint32_t launch_ = 0;
  std::vector<Site> sites_;  // open addressing, 2^16 slots
  std::unordered_map<std::uintptr_t, Page*> pages_;
  // The objects in shared memory that the block has written: address -> bytes without padding.
  std::unordered_map<std::uintptr_t, std::uint32_t> objects_;
  static constexpr unsigned RECENT = 256;
  struct {
    std::uintptr_t number;
    Page* page;
  } recent_[RECENT] = {};
};

}  // namespace emulate
