#include "pending_copies.h"

#include "builtins.h"

namespace emulate {

void PendingCopies::beginBlock() {
  words_.resize(SMEM_ROOM / 4);
  if (pending_ == 0) return;
  words_.assign(words_.size(), Word{});  // of copies that the previous block did not wait for
  pending_ = 0;
}

void PendingCopies::start(const unsigned char* to, std::uint32_t bytes, unsigned thread,
                          Site site) {
  ++pending_;
  for (std::uint32_t byte = 0; byte < bytes; byte += 4) {
    Word& word = words_[sharedOffset(to + byte) / 4];
    word = {word.copies + 1, thread, site};
  }
}

void PendingCopies::complete(const unsigned char* to, std::uint32_t bytes) {
  --pending_;
  for (std::uint32_t byte = 0; byte < bytes; byte += 4)
    --words_[sharedOffset(to + byte) / 4].copies;
}

const PendingCopies::Word* PendingCopies::search(std::uintptr_t address,
                                                 std::uint32_t bytes) const {
  const std::uintptr_t first = address - reinterpret_cast<std::uintptr_t>(shared_begin);
  for (std::uintptr_t w = first / 4; w <= (first + bytes - 1) / 4 && w < words_.size(); ++w) {
    if (words_[w].copies > 0) return &words_[w];
  }
  return nullptr;
}

}  // namespace emulate
