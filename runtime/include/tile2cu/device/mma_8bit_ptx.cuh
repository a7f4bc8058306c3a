// MMA of 8-bit integers and floats on tensor cores, one mma instruction each: d += a * b, by a
// whole warp.
//
// A 32-bit register holds 4 elements, the first in the lowest bits. Element e of register r of lane
// l is
//   a: row l / 4 + r % 2 * 8, k = (r / 2 * 4 + l % 4) * 4 + e
//   b: k = (r * 4 + l % 4) * 4 + e, column l / 4
//   d: element i: row l / 4 + i / 2 * 8, column l % 4 * 2 + i % 2
// ldmatrix loads 8-bit elements as well, two of them as one 16-bit element: a from rows of m, b
// from columns of n. Its _trans form cannot be used for them.
//
// On sm_89, 8-bit floats are accumulated with fewer bits than a float has. On sm_90, the assembler
// expands each instruction to conversions and two MMAs of float16.
#pragma once
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper mma_m16n8k32_s8 include <cstdint>
// d += a * b of int8_t; the accumulator wraps around. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k32_s8(int (&d)[4], const uint32_t (&a)[4],
                                                const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k32_u8 include <cstdint>
// d += a * b of uint8_t; the accumulator wraps around. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k32_u8(int (&d)[4], const uint32_t (&a)[4],
                                                const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k32_s8_u8 include <cstdint>
// d += a * b of int8_t a and uint8_t b; the accumulator wraps around. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k32_s8_u8(int (&d)[4], const uint32_t (&a)[4],
                                                   const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k32_u8_s8 include <cstdint>
// d += a * b of uint8_t a and int8_t b; the accumulator wraps around. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k32_u8_s8(int (&d)[4], const uint32_t (&a)[4],
                                                   const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k16_s8 include <cstdint>
// d += a * b of int8_t with k = 16; the accumulator wraps around. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k16_s8(int (&d)[4], const uint32_t (&a)[2],
                                                const uint32_t (&b)[1]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k16_u8 include <cstdint>
// d += a * b of uint8_t with k = 16; the accumulator wraps around. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k16_u8(int (&d)[4], const uint32_t (&a)[2],
                                                const uint32_t (&b)[1]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k16_s8_u8 include <cstdint>
// d += a * b of int8_t a and uint8_t b with k = 16; the accumulator wraps around. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k16_s8_u8(int (&d)[4], const uint32_t (&a)[2],
                                                   const uint32_t (&b)[1]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k16_u8_s8 include <cstdint>
// d += a * b of uint8_t a and int8_t b with k = 16; the accumulator wraps around. Needs sm_80.
__device__ __forceinline__ void mma_m16n8k16_u8_s8(int (&d)[4], const uint32_t (&a)[2],
                                                   const uint32_t (&b)[1]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k32_e4m3 include <cstdint>
// d += a * b of float8 e4m3, accumulated in float. Needs sm_89.
__device__ __forceinline__ void mma_m16n8k32_e4m3(float (&d)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 890
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k32_e5m2 include <cstdint>
// d += a * b of float8 e5m2, accumulated in float. Needs sm_89.
__device__ __forceinline__ void mma_m16n8k32_e5m2(float (&d)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 890
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k32_e4m3_e5m2 include <cstdint>
// d += a * b of float8 e4m3 a and float8 e5m2 b, accumulated in float. Needs sm_89.
__device__ __forceinline__ void mma_m16n8k32_e4m3_e5m2(float (&d)[4], const uint32_t (&a)[4],
                                                       const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 890
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @helper mma_m16n8k32_e5m2_e4m3 include <cstdint>
// d += a * b of float8 e5m2 a and float8 e4m3 b, accumulated in float. Needs sm_89.
__device__ __forceinline__ void mma_m16n8k32_e5m2_e4m3(float (&d)[4], const uint32_t (&a)[4],
                                                       const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 890
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  __trap();
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
