// Reductions of several neighbouring elements in global memory in one instruction, without a
// result; atomic loads and stores.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper reduce_add_words needs vec include <cstdint>, <type_traits>, <cuda_fp16.h>, <cuda_bf16.h>
// Adds 4, 8 or 16 bytes of floats, __half or __nv_bfloat16 (T) to the elements at `p`, which is
// aligned to the whole vector: a reduction in L2. Needs sm_90.
template <class T>
__device__ __forceinline__ void reduce_add_words(T* p, const uint32_t& w) {
#if __CUDA_ARCH__ >= 900
  const size_t to = __cvta_generic_to_global(p);
  if constexpr (std::is_same_v<T, __half>)
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(to), "r"(w) : "memory");
  else
    asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(to), "r"(w) : "memory");
#else
  __trap();
#endif
}
template <class T>
__device__ __forceinline__ void reduce_add_words(T* p, const vec<uint32_t, 2>& w) {
#if __CUDA_ARCH__ >= 900
  const size_t to = __cvta_generic_to_global(p);
  if constexpr (std::is_same_v<T, float>)
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to), "r"(w[0]), "r"(w[1])
                 : "memory");
  else if constexpr (std::is_same_v<T, __half>)
    asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(to), "r"(w[0]), "r"(w[1])
                 : "memory");
  else
    asm volatile("red.global.add.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(to), "r"(w[0]), "r"(w[1])
                 : "memory");
#else
  __trap();
#endif
}
template <class T>
__device__ __forceinline__ void reduce_add_words(T* p, const vec<uint32_t, 4>& w) {
#if __CUDA_ARCH__ >= 900
  const size_t to = __cvta_generic_to_global(p);
  if constexpr (std::is_same_v<T, float>)
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(w[0]), "r"(w[1]),
                 "r"(w[2]), "r"(w[3])
                 : "memory");
  else if constexpr (std::is_same_v<T, __half>)
    asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(w[0]),
                 "r"(w[1]), "r"(w[2]), "r"(w[3])
                 : "memory");
  else
    asm volatile("red.global.add.noftz.v4.bf16x2 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(w[0]),
                 "r"(w[1]), "r"(w[2]), "r"(w[3])
                 : "memory");
#else
  __trap();
#endif
}

// @helper load_relaxed
// Reads an element of 2, 4 or 8 bytes that other threads may store at the same time: the memory
// itself, and not a copy of it in a register or in the cache of a multiprocessor. A volatile access
// is ld.relaxed in the scope of the system (PTX ISA, "Memory Consistency Model").
template <class T>
__device__ __forceinline__ T load_relaxed(const T* p) {
  return *static_cast<const volatile T*>(p);
}

// @helper store_relaxed needs same
// Stores an element of 2, 4 or 8 bytes that other threads may read at the same time: st.relaxed.
template <class T>
__device__ __forceinline__ void store_relaxed(T* p, same<T> value) {
  *static_cast<volatile T*>(p) = value;
}

// @end

}  // namespace v1
}  // namespace tile2cu
