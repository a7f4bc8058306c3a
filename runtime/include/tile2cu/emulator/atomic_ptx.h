// The emulator's device/atomic_ptx.cuh: one access, whose alignment is checked, then one addition
// after another.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstddef>
#include <cstring>

#include "atomics.h"

namespace emulate {

template <class T>
__attribute__((noinline, no_sanitize("thread"))) void add_words(T* p, const T* values,
                                                                std::size_t bytes) {
  atomic_access(p, bytes, __builtin_return_address(0));
  for (std::size_t e = 0; e < bytes / sizeof(T); ++e) p[e] = p[e] + values[e];
}

}  // namespace emulate

namespace tile2cu {
inline namespace v1 {

template <class T, class Word>
__forceinline__ void reduce_add_words(T* p, const Word& word) {
  T values[sizeof(Word) / sizeof(T)];
  std::memcpy(static_cast<void*>(values), &word, sizeof(word));
  emulate::add_words(p, values, sizeof(word));
}

}  // namespace v1
}  // namespace tile2cu
