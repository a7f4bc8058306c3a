// The emulator's device/memory_ptx.cuh: the same accesses, each checked and recorded.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstddef>
#include <cstdint>

#include "../device/bits.cuh"
#include "../device/cache.cuh"

namespace emulate {

// One access of `bytes` bytes, aligned to `bytes`, to global or shared memory.
void load_global(void* to, const void* p, std::size_t bytes, bool read_only);
void load_volatile(void* to, const void* p, std::size_t bytes);  // ld.global.cv
void store_global(void* p, const void* from, std::size_t bytes);
void load_shared(void* to, const void* p, std::size_t bytes);
void store_shared(void* p, const void* from, std::size_t bytes);

constexpr bool is_read_only(tile2cu::cache policy) {
  using tile2cu::cache;
  return policy == cache::read_only || policy == cache::read_only_cg ||
         policy == cache::read_only_cs || policy == cache::read_only_no_allocate ||
         policy == cache::read_only_evict_first || policy == cache::read_only_evict_last ||
         policy == cache::read_only_evict_unchanged;
}

}  // namespace emulate

namespace tile2cu {
inline namespace v1 {

template <cache C, class Word>
__forceinline__ void load_word_if(policy<C>, bool mask, const void* p, Word& word) {
  static_assert(C < cache::write_back || C > cache::wt, "a policy of stores");
  if (!mask) return;
  if constexpr (C == cache::cv)
    emulate::load_volatile(&word, p, sizeof(word));
  else
    emulate::load_global(&word, p, sizeof(word), emulate::is_read_only(C));
}

template <cache C, class Word>
__forceinline__ void store_word_if(policy<C>, bool mask, void* p, Word& word) {
  static_assert(C >= cache::write_back, "a policy of loads");
  if (mask) emulate::store_global(p, &word, sizeof(word));
}

template <class Word>
__forceinline__ void keep_whole(Word&) {}

template <int N, class T>
__forceinline__ vec<T, N> load_shared(const T* p) {
  vec<T, N> v;
  constexpr int COUNT = sizeof(v) < 16 ? 1 : sizeof(v) / 16, BYTES = sizeof(v) / COUNT;
  for (int w = 0; w < COUNT; ++w) {
    emulate::load_shared(reinterpret_cast<char*>(&v) + w * BYTES,
                         reinterpret_cast<const char*>(p) + w * BYTES, BYTES);
  }
  return v;
}

template <int N, class T>
__forceinline__ void store_shared(T* p, const vec<T, N>& v) {
  constexpr int COUNT = sizeof(v) < 16 ? 1 : sizeof(v) / 16, BYTES = sizeof(v) / COUNT;
  for (int w = 0; w < COUNT; ++w) {
    emulate::store_shared(reinterpret_cast<char*>(p) + w * BYTES,
                          reinterpret_cast<const char*>(&v) + w * BYTES, BYTES);
  }
}

}  // namespace v1
}  // namespace tile2cu
