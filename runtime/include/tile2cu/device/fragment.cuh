// Fragments of mma: accumulators in the form that mma takes, and operands that ldmatrix does not
// load.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#else
#include "fragment_ptx.cuh"
#endif
#include <cstdint>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper packed_fragment needs vec include <cstdint>
// Accumulators of 16 bits as mma takes them: two neighbouring columns in a register.
template <class T>
__device__ __forceinline__ uint32_t (&packed_fragment(vec<T, 2> (&rows)[2]))[2] {
  static_assert(sizeof(T) == 2, "packed_fragment: two elements are a register");
  return reinterpret_cast<uint32_t(&)[2]>(rows);
}

// @helper zero_shared needs vec include <cstdint>
// Fills a shared tile with zeros, by all threads. The tile is aligned to 16 bytes, and its size is
// a multiple of 16 bytes.
template <int THREADS, class T, size_t N>
__device__ __forceinline__ void zero_shared(T (&tile)[N], int thread) {
  auto* const pieces = reinterpret_cast<vec<uint32_t, 4>*>(&tile);
#pragma unroll 1
  for (int i = thread; i < int(sizeof(tile) / 16); i += THREADS) pieces[i] = {};
}

// @helper operand_fragment needs vec, bit_cast include <cstdint>
// The A fragment of mma (16 x 16) from two accumulator tiles side by side.
template <class T>
__device__ __forceinline__ void operand_fragment(uint32_t (&r)[4], const vec<T, 2> (&left)[2],
                                                 const vec<T, 2> (&right)[2]) {
  r[0] = bit_cast<uint32_t>(left[0]);
  r[1] = bit_cast<uint32_t>(left[1]);
  r[2] = bit_cast<uint32_t>(right[0]);
  r[3] = bit_cast<uint32_t>(right[1]);
}

// @helper split_tf32 needs bit_cast, to_tf32 include <cstdint>
// Splits floats into two tf32 numbers each: `r` keeps the first 10 bits of the fraction, `small`
// gets the rest.
template <int N>
__device__ __forceinline__ void split_tf32(uint32_t (&r)[N], uint32_t (&small)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const float x = bit_cast<float>(r[i]);
    r[i] &= 0xffffe000;
    small[i] = to_tf32(x - bit_cast<float>(r[i]));
  }
}

// @end

}  // namespace v1
}  // namespace tile2cu
