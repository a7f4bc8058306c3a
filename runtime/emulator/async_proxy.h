// Shared memory as seen by what goes past the threads (TMA, wgmma): which bytes such work is
// reading or writing, and which ones threads have written without a fence_async_proxy since.
#pragma once
#include <cstdint>
#include <vector>

#include "site.h"

namespace emulate {

class AsyncProxy {
 public:
  static constexpr unsigned CHUNK = 16;  // all such work moves chunks of so many bytes
  struct Use {
    std::uint16_t reads = 0, writes = 0;  // that are not complete
    Site site;                            // of the last one
  };
  struct Write {
    std::uint32_t block = 0, fences = 0;  // when it was made; `fences` of that thread
    std::uint16_t thread = 0;
    Site site;
  };

  void beginBlock(unsigned threads);

  // ---- what threads do; `offset` is that in shared memory
  void wrote(std::uint32_t offset, std::uint32_t bytes, unsigned thread, Site site);
  void fence(unsigned thread) { ++fences_[thread]; }
  // Work that is under way in these bytes and does not go with reading or writing them, or null.
  const Use* conflict(std::uint32_t offset, std::uint32_t bytes, bool writes) const;

  // ---- what goes past them, for a chunk
  void startRead(std::uint32_t offset, Site site);
  void endRead(std::uint32_t offset);
  void startWrite(std::uint32_t offset, Site site);
  void endWrite(std::uint32_t offset);
  // A thread's write of the chunk that it has not fenced, or null.
  const Write* unfenced(std::uint32_t offset) const;

 private:
  std::vector<Use> chunks_;     // [offset / CHUNK]
  std::vector<Write> written_;  // [offset / 4]
  std::vector<std::uint32_t> fences_;
  std::uint32_t block_ = 0;
  unsigned under_way_ = 0;
};

}  // namespace emulate
