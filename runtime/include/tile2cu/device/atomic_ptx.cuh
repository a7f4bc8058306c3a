// Reductions of several neighbouring elements in global memory in one instruction, without a
// result.
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

// @end

}  // namespace v1
}  // namespace tile2cu
