// A set of threads of a block, searched in either direction.
#pragma once
#include <bit>
#include <cstdint>

namespace emulate {

class ThreadSet {
 public:
  static constexpr unsigned SIZE = 1024;

  void clear() {
    for (auto& word : words_) word = 0;
  }
  void insert(unsigned thread) { words_[thread / 64] |= std::uint64_t{1} << thread % 64; }
  void erase(unsigned thread) { words_[thread / 64] &= ~(std::uint64_t{1} << thread % 64); }

  bool any() const { return first(0) < SIZE; }
  // The smallest member not below `from`, else the smallest of all; SIZE if there is none.
  unsigned firstFrom(unsigned from) const {
    const unsigned found = first(from);
    return found < SIZE || from == 0 ? found : first(0);
  }
  // The largest member below `end`, else the largest of all; SIZE if there is none.
  unsigned lastBelow(unsigned end) const {
    const unsigned found = last(end);
    return found < SIZE || end == SIZE ? found : last(SIZE);
  }

 private:
  unsigned first(unsigned from) const {
    if (from >= SIZE) return SIZE;
    std::uint64_t word = words_[from / 64] & ~std::uint64_t{0} << from % 64;
    for (unsigned w = from / 64;;) {
      if (word != 0) return w * 64 + unsigned(std::countr_zero(word));
      if (++w == SIZE / 64) return SIZE;
      word = words_[w];
    }
  }
  unsigned last(unsigned end) const {
    for (unsigned w = (end + 63) / 64; w-- > 0;) {
      std::uint64_t word = words_[w];
      if (end < (w + 1) * 64) word &= (std::uint64_t{1} << end % 64) - 1;
      if (word != 0) return w * 64 + 63 - unsigned(std::countl_zero(word));
    }
    return SIZE;
  }

  std::uint64_t words_[SIZE / 64] = {};
};

}  // namespace emulate
