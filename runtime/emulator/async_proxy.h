// Shared memory as the async proxy uses it (PTX ISA, "Async proxy"): which bytes TMA copies and
// wgmmas are reading or writing, and which bytes threads have written without a
// fence.proxy.async since.
#pragma once
#include <cstdint>
#include <vector>

#include "site.h"

namespace emulate {

class AsyncProxy {
 public:
  static constexpr unsigned CHUNK = 16;  // asynchronous work moves chunks of this many bytes
  struct Use {
    std::uint16_t reads = 0, writes = 0;  // those that are not complete
    Site site;                            // of the last one
  };
  struct Write {
    std::uint32_t block = 0, fences = 0;  // when it was made; `fences` of that thread
    std::uint16_t thread = 0;
    Site site;
  };

  void beginBlock(unsigned threads);

  // ---- accesses of threads; `offset` is that in shared memory
  void wrote(std::uint32_t offset, std::uint32_t bytes, unsigned thread, Site site);
  void fence(unsigned thread) { ++fences_[thread]; }
  // Asynchronous work in these bytes that is not complete and conflicts with reading or writing
  // them, or null.
  const Use* conflict(std::uint32_t offset, std::uint32_t bytes, bool writes) const {
    return in_flight_ == 0 ? nullptr : search(offset, bytes, writes);
  }

  // ---- accesses of asynchronous work, a chunk at a time
  void startRead(std::uint32_t offset, Site site);
  void endRead(std::uint32_t offset);
  void startWrite(std::uint32_t offset, Site site);
  void endWrite(std::uint32_t offset);
  // A thread's write of the chunk that it has not fenced, or null.
  const Write* unfenced(std::uint32_t offset) const;

 private:
  const Use* search(std::uint32_t offset, std::uint32_t bytes, bool writes) const;

  std::vector<Use> chunks_;     // [offset / CHUNK]
  std::vector<Write> written_;  // [offset / 4]
  std::vector<std::uint32_t> fences_;
  std::uint32_t block_ = 0;
  unsigned in_flight_ = 0;
};

}  // namespace emulate
