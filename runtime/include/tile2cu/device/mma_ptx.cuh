// MMA on tensor cores, one mma instruction each: d += a * b, by a whole warp.
//
// The name has the shape (m rows and n columns of d, k products for each element) and the type of a
// and b. A 32-bit register holds P elements: 2 of 16 bits, 1 of tf32, the first in the lowest bits.
// Element e of register r of lane l is
//   a: row l / 4 + r % 2 * 8, k = (r / 2 * 4 + l % 4) * P + e
//   b: k = (r * 4 + l % 4) * P + e, column l / 4
//   d: element i: row l / 4 + i / 2 * 8, column l % 4 * 2 + i % 2
// which is how ldmatrix (for a) and ldmatrix_trans (for b with rows of k) load 16-bit elements. Two
// elements of d as 16-bit floats are a register of a of the next MMA. The order in which products
// are added, and the rounding of the accumulator, depend on the hardware.
#pragma once
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper mma_m16n8k16_f16 include <cstdint>
// d += a * b of float16, accumulated in float. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k16_f16(float (&d)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k8_f16 include <cstdint>
// d += a * b of float16 with k = 8, accumulated in float. Needs sm_75.
__device__ __forceinline__ void mma_m16n8k8_f16(float (&d)[4], const uint32_t (&a)[2],
                                                const uint32_t (&b)[1]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

// @helper mma_m16n8k16_f16_acc_f16 include <cstdint>
// d += a * b of float16, accumulated in float16: d[i] holds elements 2 * i and 2 * i + 1.
// Needs sm_80.
__device__ __forceinline__ void mma_m16n8k16_f16_acc_f16(uint32_t (&d)[2], const uint32_t (&a)[4],
                                                         const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
      "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k8_f16_acc_f16 include <cstdint>
// d += a * b of float16 with k = 8, accumulated in float16: d[i] holds elements 2 * i and
// 2 * i + 1. Needs sm_75.
__device__ __forceinline__ void mma_m16n8k8_f16_acc_f16(uint32_t (&d)[2], const uint32_t (&a)[2],
                                                        const uint32_t (&b)[1]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 "
      "{%0, %1}, {%2, %3}, {%4}, {%0, %1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

// @helper mma_m16n8k16_bf16 include <cstdint>
// d += a * b of bfloat16, accumulated in float. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k16_bf16(float (&d)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k8_bf16 include <cstdint>
// d += a * b of bfloat16 with k = 8, accumulated in float. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k8_bf16(float (&d)[4], const uint32_t (&a)[2],
                                                 const uint32_t (&b)[1]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k8_tf32 include <cstdint>
// d += a * b of tf32 with k = 8: the bits of floats, whose lowest 13 bits are ignored. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k8_tf32(float (&d)[4], const uint32_t (&a)[4],
                                                 const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k4_tf32 include <cstdint>
// d += a * b of tf32 with k = 4: the bits of floats, whose lowest 13 bits are ignored. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k4_tf32(float (&d)[4], const uint32_t (&a)[2],
                                                 const uint32_t (&b)[1]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else
  __trap();
#endif
}

// @helper mma_m8n8k4_f64
// d += a * b of double, in fused multiply-adds. Lane l holds of a: row l / 4, k = l % 4; of b: k =
// l % 4, column l / 4; d[i]: row l / 4, column l % 4 * 2 + i. Needs sm_80.
__device__ __forceinline__ void mma_m8n8k4_f64(double (&d)[2], const double (&a)[1],
                                               const double (&b)[1]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
      "{%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(d[0]), "+d"(d[1])
      : "d"(a[0]), "d"(b[0]));
#else
  __trap();
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
