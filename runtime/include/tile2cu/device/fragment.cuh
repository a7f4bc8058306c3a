// The fragments of mma: sums as it takes them, operands that ldmatrix does not bring.
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

// @helper fragment needs vec
// A thread's part of a 16 x 8 matrix of sums, two neighbours in each of two rows, as mma takes it.
template <class T>
__device__ __forceinline__ T (&fragment(vec<T, 2> (&rows)[2]))[4] {
  return reinterpret_cast<T(&)[4]>(rows);
}

// The same of a matrix of 8 rows.
template <class T>
__device__ __forceinline__ T (&fragment(vec<T, 2>& row))[2] {
  return row.elem;
}

// @helper packed_fragment needs vec include <cstdint>
// The same of 16-bit sums, two in a register.
template <class T>
__device__ __forceinline__ uint32_t (&packed_fragment(vec<T, 2> (&rows)[2]))[2] {
  static_assert(sizeof(T) == 2, "packed_fragment: two sums are a register");
  return reinterpret_cast<uint32_t(&)[2]>(rows);
}

// @helper zero_shared needs vec include <cstdint>
// Zeros in all of a shared tile, by all threads; it is aligned to 16 bytes, and a multiple of them.
template <int THREADS, class T, size_t N>
__device__ __forceinline__ void zero_shared(T (&tile)[N], int thread) {
  auto* const pieces = reinterpret_cast<vec<uint32_t, 4>*>(&tile);
#pragma unroll 1
  for (int i = thread; i < int(sizeof(tile) / 16); i += THREADS) pieces[i] = {};
}

// @helper operand_fragment needs vec, bit_cast include <cstdint>
// A 16 x 16 part of a first operand that lies as sums do, in two 16 x 8 matrices side by side, as mma takes it.
template <class T>
__device__ __forceinline__ void operand_fragment(uint32_t (&r)[4], const vec<T, 2> (&left)[2],
                                                 const vec<T, 2> (&right)[2]) {
  r[0] = bit_cast<uint32_t>(left[0]);
  r[1] = bit_cast<uint32_t>(left[1]);
  r[2] = bit_cast<uint32_t>(right[0]);
  r[3] = bit_cast<uint32_t>(right[1]);
}

// @helper split_tf32 needs bit_cast, to_tf32 include <cstdint>
// Floats as sums of two tf32 each: the first 10 bits of the fraction stay in `r`, what they leave goes to `small`.
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
