// Accesses to global memory with a caching policy, in one predicated instruction per word; vector
// accesses to shared memory.
#pragma once
#include <cstdint>

#include "bits.cuh"
#include "cache.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper load_word_if needs policy, vec include <cstdint>
// Loads a word where `mask` holds; elsewhere `word` keeps its value. It is one predicated
// instruction: the compiler makes branches of an if around a plain load, and moves of 16-bit parts
// if the elements are halfs. Volatile keeps the loads of a tile together, before their uses.
#define TILE2CU_LOAD_WORD_IF(POLICY, INSTRUCTION, ...)                                             \
  __device__ __forceinline__ void load_word_if(policy<cache::POLICY>, bool mask, const void* p,    \
                                               uint8_t& word) {                                    \
    uint32_t wide = word;                                                                          \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %1, 0; @m " INSTRUCTION ".u8 %0, [%2];}"           \
                 : "+r"(wide)                                                                      \
                 : "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))__VA_ARGS__);              \
    word = uint8_t(wide);                                                                          \
  }                                                                                                \
  __device__ __forceinline__ void load_word_if(policy<cache::POLICY>, bool mask, const void* p,    \
                                               uint16_t& word) {                                   \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %1, 0; @m " INSTRUCTION ".u16 %0, [%2];}"          \
                 : "+h"(word)                                                                      \
                 : "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))__VA_ARGS__);              \
  }                                                                                                \
  __device__ __forceinline__ void load_word_if(policy<cache::POLICY>, bool mask, const void* p,    \
                                               uint32_t& word) {                                   \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %1, 0; @m " INSTRUCTION ".u32 %0, [%2];}"          \
                 : "+r"(word)                                                                      \
                 : "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))__VA_ARGS__);              \
  }                                                                                                \
  __device__ __forceinline__ void load_word_if(policy<cache::POLICY>, bool mask, const void* p,    \
                                               vec<uint32_t, 2>& word) {                           \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %2, 0; @m " INSTRUCTION ".v2.u32 {%0, %1}, [%3];}" \
                 : "+r"(word[0]), "+r"(word[1])                                                    \
                 : "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))__VA_ARGS__);              \
  }                                                                                                \
  __device__ __forceinline__ void load_word_if(policy<cache::POLICY>, bool mask, const void* p,    \
                                               vec<uint32_t, 4>& word) {                           \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %4, 0; @m " INSTRUCTION                            \
                 ".v4.u32 {%0, %1, %2, %3}, [%5];}"                                                \
                 : "+r"(word[0]), "+r"(word[1]), "+r"(word[2]), "+r"(word[3])                      \
                 : "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))__VA_ARGS__);              \
  }

// @helper load.read_only needs load_word_if
TILE2CU_LOAD_WORD_IF(read_only, "ld.global.nc")

// @helper load.read_only_cg needs load_word_if
TILE2CU_LOAD_WORD_IF(read_only_cg, "ld.global.cg.nc")

// @helper load.read_only_cs needs load_word_if
TILE2CU_LOAD_WORD_IF(read_only_cs, "ld.global.cs.nc")

// @helper load.read_only_no_allocate needs load_word_if
TILE2CU_LOAD_WORD_IF(read_only_no_allocate, "ld.global.nc.L1::no_allocate")

// @helper load.read_only_evict_first needs load_word_if
TILE2CU_LOAD_WORD_IF(read_only_evict_first, "ld.global.nc.L1::evict_first")

// @helper load.read_only_evict_last needs load_word_if
TILE2CU_LOAD_WORD_IF(read_only_evict_last, "ld.global.nc.L1::evict_last")

// @helper load.read_only_evict_unchanged needs load_word_if
TILE2CU_LOAD_WORD_IF(read_only_evict_unchanged, "ld.global.nc.L1::evict_unchanged")

// @helper load.coherent needs load_word_if
TILE2CU_LOAD_WORD_IF(coherent, "ld.global", : "memory")

// @helper load.ca needs load_word_if
TILE2CU_LOAD_WORD_IF(ca, "ld.global.ca", : "memory")

// @helper load.cg needs load_word_if
TILE2CU_LOAD_WORD_IF(cg, "ld.global.cg", : "memory")

// @helper load.cs needs load_word_if
TILE2CU_LOAD_WORD_IF(cs, "ld.global.cs", : "memory")

// @helper load.cv needs load_word_if
TILE2CU_LOAD_WORD_IF(cv, "ld.global.cv", : "memory")

// @helper load.no_allocate needs load_word_if
TILE2CU_LOAD_WORD_IF(no_allocate, "ld.global.L1::no_allocate", : "memory")

// @helper load.evict_first needs load_word_if
TILE2CU_LOAD_WORD_IF(evict_first, "ld.global.L1::evict_first", : "memory")

// @helper load.evict_last needs load_word_if
TILE2CU_LOAD_WORD_IF(evict_last, "ld.global.L1::evict_last", : "memory")

// @helper load.evict_unchanged needs load_word_if
TILE2CU_LOAD_WORD_IF(evict_unchanged, "ld.global.L1::evict_unchanged", : "memory")

// @helper store_word_if needs policy, vec include <cstdint>
// Stores a word where `mask` holds, in one predicated instruction: later loads could not pass a
// store within a branch. The word is a reference, so that no other width is converted to it.
#define TILE2CU_STORE_WORD_IF(POLICY, INSTRUCTION)                                         \
  __device__ __forceinline__ void store_word_if(policy<cache::POLICY>, bool mask, void* p, \
                                                uint8_t& word) {                           \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %1, 0; @m " INSTRUCTION                    \
                 ".u8 [%2], %0;}" ::"r"(uint32_t(word)),                                   \
                 "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))                     \
                 : "memory");                                                              \
  }                                                                                        \
  __device__ __forceinline__ void store_word_if(policy<cache::POLICY>, bool mask, void* p, \
                                                uint16_t& word) {                          \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %1, 0; @m " INSTRUCTION                    \
                 ".u16 [%2], %0;}" ::"h"(word),                                            \
                 "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))                     \
                 : "memory");                                                              \
  }                                                                                        \
  __device__ __forceinline__ void store_word_if(policy<cache::POLICY>, bool mask, void* p, \
                                                uint32_t& word) {                          \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %1, 0; @m " INSTRUCTION                    \
                 ".u32 [%2], %0;}" ::"r"(word),                                            \
                 "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))                     \
                 : "memory");                                                              \
  }                                                                                        \
  __device__ __forceinline__ void store_word_if(policy<cache::POLICY>, bool mask, void* p, \
                                                vec<uint32_t, 2>& word) {                  \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %2, 0; @m " INSTRUCTION                    \
                 ".v2.u32 [%3], {%0, %1};}" ::"r"(word[0]),                                \
                 "r"(word[1]), "r"(uint32_t(mask)), "l"(__cvta_generic_to_global(p))       \
                 : "memory");                                                              \
  }                                                                                        \
  __device__ __forceinline__ void store_word_if(policy<cache::POLICY>, bool mask, void* p, \
                                                vec<uint32_t, 4>& word) {                  \
    asm volatile("{.reg .pred m; setp.ne.u32 m, %4, 0; @m " INSTRUCTION                    \
                 ".v4.u32 [%5], {%0, %1, %2, %3};}" ::"r"(word[0]),                        \
                 "r"(word[1]), "r"(word[2]), "r"(word[3]), "r"(uint32_t(mask)),            \
                 "l"(__cvta_generic_to_global(p))                                          \
                 : "memory");                                                              \
  }

// @helper store.write_back needs store_word_if
TILE2CU_STORE_WORD_IF(write_back, "st.global")

// @helper store.wb needs store_word_if
TILE2CU_STORE_WORD_IF(wb, "st.global.wb")

// @helper store.cg needs store_word_if
TILE2CU_STORE_WORD_IF(cg, "st.global.cg")

// @helper store.cs needs store_word_if
TILE2CU_STORE_WORD_IF(cs, "st.global.cs")

// @helper store.wt needs store_word_if
TILE2CU_STORE_WORD_IF(wt, "st.global.wt")

// @helper store.no_allocate needs store_word_if
TILE2CU_STORE_WORD_IF(no_allocate, "st.global.L1::no_allocate")

// @helper store.evict_first needs store_word_if
TILE2CU_STORE_WORD_IF(evict_first, "st.global.L1::evict_first")

// @helper store.evict_last needs store_word_if
TILE2CU_STORE_WORD_IF(evict_last, "st.global.L1::evict_last")

// @helper store.evict_unchanged needs store_word_if
TILE2CU_STORE_WORD_IF(evict_unchanged, "st.global.L1::evict_unchanged")

// @helper keep_whole needs vec include <cstdint>
// Makes a word opaque to the compiler. Where two branches join, it would otherwise keep every
// 16-bit part of the word in its own register, and the moves to these would wait for one load
// before the next is issued.
__device__ __forceinline__ void keep_whole(uint8_t&) {}
__device__ __forceinline__ void keep_whole(uint16_t& word) { asm("" : "+h"(word)); }
__device__ __forceinline__ void keep_whole(uint32_t& word) { asm("" : "+r"(word)); }
template <int N>
__device__ __forceinline__ void keep_whole(vec<uint32_t, N>& word) {
#pragma unroll
  for (int i = 0; i < N; ++i) asm("" : "+r"(word[i]));
}

// @helper load_shared needs vec
// Loads N consecutive elements from shared memory; `p` is aligned to the whole vector (to 16 bytes
// if it is larger).
template <int N, class T>
__device__ __forceinline__ vec<T, N> load_shared(const T* p) {
  return *reinterpret_cast<const vec<T, N>*>(p);
}

// @helper store_shared needs vec
// Stores N consecutive elements to shared memory; `p` is aligned as for load_shared.
template <int N, class T>
__device__ __forceinline__ void store_shared(T* p, const vec<T, N>& v) {
  *reinterpret_cast<vec<T, N>*>(p) = v;
}

// @end

}  // namespace v1
}  // namespace tile2cu
