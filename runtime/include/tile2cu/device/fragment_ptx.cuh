// Elements as the registers of mma fragments. (gather_fragment has no PTX. It is in this file
// because the emulator replaces it: it checks its reads as those of ldmatrix.)
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper to_tf32 include <cstdint>
// x rounded to tf32, halfway cases away from zero: a float whose lowest 13 bits mma ignores.
// Needs sm_80.
__device__ __forceinline__ uint32_t to_tf32(float x) {
  uint32_t bits = 0;
#if __CUDA_ARCH__ >= 800
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
#else
  __trap();
#endif
  return bits;
}

// @helper pack_half needs bit_cast include <cstdint>, <cuda_fp16.h>
// Two floats as float16 in one register, the first in the lower half; one instruction from sm_80
// on.
__device__ __forceinline__ uint32_t pack_half(float first, float second) {
  return bit_cast<uint32_t>(__floats2half2_rn(first, second));
}

// @helper pack_bfloat16 needs bit_cast include <cstdint>, <cuda_bf16.h>
// Two floats as bfloat16 in one register, the first in the lower half; one instruction from sm_80
// on.
__device__ __forceinline__ uint32_t pack_bfloat16(float first, float second) {
  return bit_cast<uint32_t>(__floats2bfloat162_rn(first, second));
}

// @helper gather_fragment_at needs vec, bit_cast include <type_traits>
// Loads a fragment of an mma operand from shared memory element by element, where ldmatrix cannot
// transpose it. `at(across, along)` returns the address of the element that is `across` rows of m
// (columns of n) and `along` positions of k after the lane's first element.
template <class R, int N, class At>
__device__ __forceinline__ void gather_fragment_at(R (&r)[N], At at) {
  using T = std::remove_cv_t<std::remove_pointer_t<decltype(at(0, 0))>>;
  constexpr int IN_REGISTER = sizeof(R) / sizeof(T), HALVES = N == 4 ? 2 : 1;  // of 8 rows
#pragma unroll
  for (int i = 0; i < N; ++i) {
    vec<T, IN_REGISTER> elements;
#pragma unroll
    for (int e = 0; e < IN_REGISTER; ++e)
      elements[e] = *at(i % HALVES * 8, i / HALVES * 4 * IN_REGISTER + e);
    r[i] = bit_cast<R>(elements);
  }
}

// @helper gather_fragment needs gather_fragment_at
// The same for rows that are not swizzled. `p` is the lane's first element; rows of m (columns of
// n) are `across` elements apart, positions of k `along` elements.
template <class R, int N, class T>
__device__ __forceinline__ void gather_fragment(R (&r)[N], const T* p, int across, int along) {
  gather_fragment_at(r, [&](int row, int k) { return p + row * across + k * along; });
}

// @end

}  // namespace v1
}  // namespace tile2cu
