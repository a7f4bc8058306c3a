// stmatrix (sm_90): 8x8 matrices of 16-bit elements, from registers to shared memory; the inverse
// of ldmatrix.
//
// A row is 16 bytes, at a multiple of 16. Lane l passes the address of row l % 8 of matrix l / 8
// and two neighbouring elements of a row of every matrix i: r[i] = elements (l / 4, 2 * (l % 4))
// and (l / 4, 2 * (l % 4) + 1), the first in the lower half, as in the accumulators of mma and
// wgmma. With _trans they are neighbours in a column: elements (2 * (l % 4), l / 4) and (2 * (l %
// 4) + 1, l / 4). All 32 lanes take part.
#pragma once
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper stmatrix_x1 include <cstdint>
// Stores one 8x8 matrix of 16-bit elements; lanes 0 to 7 pass the addresses of its rows.
// Needs sm_90.
__device__ __forceinline__ void stmatrix_x1(void* row, uint32_t r0) {
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(
                   uint32_t(__cvta_generic_to_shared(row))),
               "r"(r0)
               : "memory");
#else
  __trap();
#endif
}

// @helper stmatrix_x2 include <cstdint>
// Stores two 8x8 matrices of 16-bit elements; lanes 0 to 15 pass the addresses of their rows.
// Needs sm_90.
__device__ __forceinline__ void stmatrix_x2(void* row, uint32_t r0, uint32_t r1) {
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(
                   uint32_t(__cvta_generic_to_shared(row))),
               "r"(r0), "r"(r1)
               : "memory");
#else
  __trap();
#endif
}

// @helper stmatrix_x4 include <cstdint>
// Stores four 8x8 matrices of 16-bit elements; lane l passes the address of row l % 8 of matrix l /
// 8. Needs sm_90.
__device__ __forceinline__ void stmatrix_x4(void* row, uint32_t r0, uint32_t r1, uint32_t r2,
                                            uint32_t r3) {
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   uint32_t(__cvta_generic_to_shared(row))),
               "r"(r0), "r"(r1), "r"(r2), "r"(r3)
               : "memory");
#else
  __trap();
#endif
}

// @helper stmatrix_x1_trans include <cstdint>
// Stores one 8x8 matrix of 16-bit elements, transposed; lanes 0 to 7 pass the addresses of its
// rows. Needs sm_90.
__device__ __forceinline__ void stmatrix_x1_trans(void* row, uint32_t r0) {
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(
                   uint32_t(__cvta_generic_to_shared(row))),
               "r"(r0)
               : "memory");
#else
  __trap();
#endif
}

// @helper stmatrix_x2_trans include <cstdint>
// Stores two 8x8 matrices of 16-bit elements, transposed; lanes 0 to 15 pass the addresses of their
// rows. Needs sm_90.
__device__ __forceinline__ void stmatrix_x2_trans(void* row, uint32_t r0, uint32_t r1) {
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(
                   uint32_t(__cvta_generic_to_shared(row))),
               "r"(r0), "r"(r1)
               : "memory");
#else
  __trap();
#endif
}

// @helper stmatrix_x4_trans include <cstdint>
// Stores four 8x8 matrices of 16-bit elements, transposed; lane l passes the address of row l % 8
// of matrix l / 8. Needs sm_90.
__device__ __forceinline__ void stmatrix_x4_trans(void* row, uint32_t r0, uint32_t r1, uint32_t r2,
                                                  uint32_t r3) {
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   uint32_t(__cvta_generic_to_shared(row))),
               "r"(r0), "r"(r1), "r"(r2), "r"(r3)
               : "memory");
#else
  __trap();
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
