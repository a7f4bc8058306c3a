// Random numbers: Philox-4x32-10, a function of a seed and a counter.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper philox4x32 needs vec, multiply_wide include <cstdint>
// The four 32-bit outputs of Philox-4x32-10 for one 64-bit counter and one 64-bit seed.
__device__ __forceinline__ vec<uint32_t, 4> philox4x32(uint64_t seed, uint64_t counter) {
  uint32_t c0 = uint32_t(counter), c1 = uint32_t(counter >> 32), c2 = 0, c3 = 0;
  uint32_t key0 = uint32_t(seed), key1 = uint32_t(seed >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = multiply_wide(0xD2511F53u, c0);
    const uint64_t product1 = multiply_wide(0xCD9E8D57u, c2);
    c0 = uint32_t(product1 >> 32) ^ c1 ^ key0;
    c1 = uint32_t(product1);
    c2 = uint32_t(product0 >> 32) ^ c3 ^ key1;
    c3 = uint32_t(product0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

// @helper random_bits needs philox4x32
// The random words at N consecutive offsets: word `offset` is output offset % 4 of the Philox call
// with counter offset / 4. If N is a multiple of 4, so is `offset`, and no output is wasted.
template <int N>
__device__ __forceinline__ vec<uint32_t, N> random_bits(uint64_t seed, uint64_t offset) {
  vec<uint32_t, N> bits;
  if constexpr (N % 4 == 0) {
#pragma unroll
    for (int e = 0; e < N; e += 4) {
      const vec<uint32_t, 4> four = philox4x32(seed, offset / 4 + e / 4);
#pragma unroll
      for (int i = 0; i < 4; ++i) bits[e + i] = four[i];
    }
  } else {
#pragma unroll
    for (int e = 0; e < N; ++e) {
      const vec<uint32_t, 4> four = philox4x32(seed, (offset + e) / 4);
      const int i = int((offset + e) % 4);
      bits[e] = i == 0 ? four[0] : i == 1 ? four[1] : i == 2 ? four[2] : four[3];
    }
  }
  return bits;
}

// @helper to_uniform include <cstdint>
// Maps 32 random bits to [0, 1): the top 24 bits, exactly representable in float.
__device__ __forceinline__ float to_uniform(uint32_t bits) {
  return float(bits >> 8) * 5.9604644775390625e-8f;  // 2^-24
}

// @helper uniform_threshold include <cstdint>
// `bits > uniform_threshold(p)` is exactly `to_uniform(bits) > p` for every p, as one integer
// comparison.
struct random_threshold {
  uint32_t bits;
  bool always;
};
__device__ __forceinline__ bool operator>(uint32_t bits, random_threshold threshold) {
  return bits > threshold.bits || threshold.always;
}
__device__ __forceinline__ random_threshold uniform_threshold(float p) {
  const uint32_t top_24 = p < 1.0f ? uint32_t(fmaxf(p, 0.0f) * 16777216.0f) : 0xffffffu;
  return {top_24 << 8 | 0xffu, p < 0.0f};
}

// @end

}  // namespace v1
}  // namespace tile2cu
