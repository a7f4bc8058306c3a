// Numbers as the registers of mma fragments.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper to_tf32 include <cstdint>
// The tf32 nearest to x, halfway cases away from zero: a float whose lowest 13 bits mma ignores.
// sm_80.
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

// @end

}  // namespace v1
}  // namespace tile2cu
