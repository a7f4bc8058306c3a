// The bytes of shared memory that cp.async is writing: a copy is pending from its start until the
// thread that started it waits for it.
#pragma once
#include <cstdint>
#include <vector>

#include "site.h"

namespace emulate {

class PendingCopies {
 public:
  struct Word {
    unsigned copies = 0;  // to this word; two at once are an error already
    unsigned thread = 0;  // of the last one
    Site site;
  };

  void beginBlock();
  void start(const unsigned char* to, std::uint32_t bytes, unsigned thread, Site site);
  void complete(const unsigned char* to, std::uint32_t bytes);
  // A word of [address, address + bytes) of shared memory to which a copy is pending, or null.
  const Word* find(std::uintptr_t address, std::uint32_t bytes) const {
    return pending_ == 0 ? nullptr : search(address, bytes);
  }

 private:
  const Word* search(std::uintptr_t address, std::uint32_t bytes) const;

  std::vector<Word> words_;  // of shared memory
  unsigned pending_ = 0;     // copies
};

}  // namespace emulate
