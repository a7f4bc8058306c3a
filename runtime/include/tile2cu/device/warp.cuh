// Communication between the threads of a warp and of a block. Blocks are one-dimensional, warps are
// whole and all 32 lanes take part. A shuffle exchanges values only: it does not order memory.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper exchange_words include <cstdint>, <cstring>, <type_traits>
// Sends a value of any type through `exchange` in 32-bit words.
template <class T, class Exchange>
__device__ __forceinline__ T exchange_words(T value, Exchange exchange) {
  static_assert(std::is_trivially_copyable_v<T>, "only bits can be shuffled");
  constexpr int WORDS = int(sizeof(T) + 3) / 4;
  uint32_t word[WORDS] = {};
  memcpy(word, &value, sizeof(T));
#pragma unroll
  for (int w = 0; w < WORDS; ++w) word[w] = exchange(word[w]);
  memcpy(&value, word, sizeof(T));
  return value;
}

// @helper warp_shuffle needs exchange_words
// The value of lane `source`, which may differ from lane to lane.
template <class T>
__device__ __forceinline__ T warp_shuffle(T value, int source) {
  return exchange_words(value,
                        [&](uint32_t word) { return __shfl_sync(0xffffffffu, word, source); });
}

// @helper warp_broadcast needs warp_shuffle
// The value of one lane, which is the same for all lanes.
template <class T>
__device__ __forceinline__ T warp_broadcast(T value, int lane) {
  return warp_shuffle(value, lane);
}

// @helper warp_shuffle_xor needs exchange_words
// The value of the lane whose index differs in the bits of `lane_bits`.
template <class T>
__device__ __forceinline__ T warp_shuffle_xor(T value, int lane_bits) {
  return exchange_words(
      value, [&](uint32_t word) { return __shfl_xor_sync(0xffffffffu, word, lane_bits); });
}

// @helper exchange_lanes needs vec, warp_shuffle_xor
// Two lanes whose indices differ in the bit LANE exchange vectors: the lane without the bit then
// has the `low` vectors of both, the other one the `high` vectors. All lanes of the warp take part.
template <int LANE, class T, int N>
__device__ __forceinline__ vec<T, 2 * N> exchange_lanes(const vec<T, N>& low,
                                                        const vec<T, N>& high) {
  const bool upper = threadIdx.x & LANE;
  vec<T, N> given;
#pragma unroll
  for (int v = 0; v < N; ++v) given[v] = upper ? low[v] : high[v];
  const vec<T, N> taken = warp_shuffle_xor(given, LANE);
  vec<T, 2 * N> both;
#pragma unroll
  for (int v = 0; v < N; ++v) {
    both[v] = upper ? taken[v] : low[v];
    both[v + N] = upper ? high[v] : taken[v];
  }
  return both;
}

// @helper any_of needs vec
// Whether a predicate, or any of a thread's array of them, holds.
__device__ __forceinline__ bool any_of(bool predicate) { return predicate; }
template <int N>
__device__ __forceinline__ bool any_of(const vec<bool, N>& predicates) {
  bool any = false;
#pragma unroll
  for (int v = 0; v < N; ++v) any |= predicates[v];
  return any;
}
template <class T, int N>
__device__ __forceinline__ bool any_of(const T (&predicates)[N]) {
  bool any = false;
#pragma unroll
  for (int i = 0; i < N; ++i) any |= any_of(predicates[i]);
  return any;
}

// @helper warp_any needs any_of
// Whether the predicate, or any of an array of them, holds in any lane.
template <class T>
__device__ __forceinline__ bool warp_any(const T& predicate) {
  return __any_sync(0xffffffffu, any_of(predicate));
}

// @helper warp_all
// Whether the predicate holds in all lanes.
__device__ __forceinline__ bool warp_all(bool predicate) {
  return __all_sync(0xffffffffu, predicate);
}

// @helper is_symmetric include <type_traits>
// Whether an operator returns the same bits for (a, b) and (b, a).
template <class Op, class = void>
struct is_symmetric : std::false_type {};
template <class Op>
struct is_symmetric<Op, std::void_t<decltype(Op::symmetric)>>
    : std::integral_constant<bool, Op::symmetric> {};

// @helper warp_reduce needs warp_shuffle, warp_shuffle_xor, is_symmetric
// Reduces over groups of LANES lanes. The indices of the lanes of a group are STRIDE apart; LANES
// is a power of two. All of them end with the same bits. `op` is associative and commutative.
template <int LANES = 32, int STRIDE = 1, class T, class Op>
__device__ __forceinline__ T warp_reduce(T value, Op op) {
#pragma unroll
  for (int distance = LANES / 2; distance > 0; distance /= 2) {
    value = op(value, warp_shuffle_xor(value, distance * STRIDE));
  }
  if constexpr (LANES > 1 && !is_symmetric<Op>::value) {
    const int group_bits = (LANES - 1) * STRIDE;
    value = warp_shuffle(value, int(threadIdx.x % 32) & ~group_bits);  // the first lane's bits
  }
  return value;
}

// @helper warp_shift_up needs exchange_words
// The value of the previous lane of a group of LANES lanes that are STRIDE apart; the first gets
// `first`.
template <int LANES = 32, int STRIDE = 1, class T>
__device__ __forceinline__ T warp_shift_up(T value, T first, int distance = 1) {
  const T previous = exchange_words(value, [&](uint32_t word) {
    return __shfl_up_sync(0xffffffffu, word, unsigned(distance * STRIDE));
  });
  return int(threadIdx.x % 32) / STRIDE % LANES >= distance ? previous : first;
}

// @helper warp_shift_down needs exchange_words
// The value of the next lane of a group of LANES lanes that are STRIDE apart; the last gets `last`.
template <int LANES = 32, int STRIDE = 1, class T>
__device__ __forceinline__ T warp_shift_down(T value, T last, int distance = 1) {
  const T next = exchange_words(value, [&](uint32_t word) {
    return __shfl_down_sync(0xffffffffu, word, unsigned(distance * STRIDE));
  });
  return int(threadIdx.x % 32) / STRIDE % LANES < LANES - distance ? next : last;
}

// @helper warp_scan needs exchange_words
// Inclusive scan over LANES lanes that are STRIDE apart: each ends with `op` over its own value and
// those of the lanes before it, in lane order. `op` is associative.
template <int LANES = 32, int STRIDE = 1, class T, class Op>
__device__ __forceinline__ T warp_scan(T value, Op op) {
  const int position = int(threadIdx.x % 32) / STRIDE % LANES;
#pragma unroll
  for (int distance = 1; distance < LANES; distance *= 2) {
    const T earlier = exchange_words(value, [&](uint32_t word) {
      return __shfl_up_sync(0xffffffffu, word, unsigned(distance * STRIDE));
    });
    if (position >= distance) value = op(earlier, value);
  }
  return value;
}

// @helper warp_scan_reverse needs exchange_words
// Inclusive scan from the last lane to the first: each ends with `op` over its own value and those
// of the lanes after it, the later lanes on the left. `op` is associative.
template <int LANES = 32, int STRIDE = 1, class T, class Op>
__device__ __forceinline__ T warp_scan_reverse(T value, Op op) {
  const int position = int(threadIdx.x % 32) / STRIDE % LANES;
#pragma unroll
  for (int distance = 1; distance < LANES; distance *= 2) {
    const T later = exchange_words(value, [&](uint32_t word) {
      return __shfl_down_sync(0xffffffffu, word, unsigned(distance * STRIDE));
    });
    if (position < LANES - distance) value = op(later, value);
  }
  return value;
}

// @helper block_reduce needs warp_reduce
// Reduces one value per thread; all threads get the result. They get the same bits. Contains one
// barrier (none for one warp). `partial` may be reused once every thread has passed the next
// barrier.
template <int WARPS, class T, class Op>
__device__ __forceinline__ T block_reduce(T value, Op op, T (&partial)[WARPS]) {
  static_assert(WARPS <= 32, "block_reduce: a block has at most 32 warps");
  value = warp_reduce(value, op);
  if constexpr (WARPS > 1) {
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();  // the results of all warps are in `partial`
    // Slot s combines warp s, and warp s + LANES if there is one.
    constexpr int LANES = WARPS < 4 ? 2 : WARPS < 8 ? 4 : WARPS < 16 ? 8 : WARPS < 32 ? 16 : 32;
    const int slot = int(threadIdx.x) % LANES;
    value = partial[slot];
    if (slot + LANES < WARPS) value = op(value, partial[slot + LANES]);
    value = warp_reduce<LANES>(value, op);
  }
  return value;
}

// @end

}  // namespace v1
}  // namespace tile2cu
