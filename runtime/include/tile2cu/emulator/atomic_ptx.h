// The emulator's device/atomic_ptx.cuh: one access, whose alignment is checked. The additions of a
// vector follow one after another.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "atomics.h"

namespace emulate {

template <class T>
__attribute__((noinline, no_sanitize("thread"))) void add_words(T* p, const T* values,
                                                                std::size_t bytes) {
  atomic_access(p, bytes, __builtin_return_address(0));
  for (std::size_t e = 0; e < bytes / sizeof(T); ++e) p[e] = p[e] + values[e];
}

template <class T>
__attribute__((noinline, no_sanitize("thread"))) T atomic_load(const T* p) {
  atomic_access(p, sizeof(T), __builtin_return_address(0), true, false);
  return *p;
}
template <class T>
__attribute__((noinline, no_sanitize("thread"))) void atomic_store(T* p, T value) {
  atomic_access(p, sizeof(T), __builtin_return_address(0), false, true);
  *p = value;
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

template <class T>
__forceinline__ T load_relaxed(const T* p) {
  return emulate::atomic_load(p);
}
template <class T>
__forceinline__ void store_relaxed(T* p, std::common_type_t<T> value) {
  emulate::atomic_store(p, value);
}

}  // namespace v1
}  // namespace tile2cu
