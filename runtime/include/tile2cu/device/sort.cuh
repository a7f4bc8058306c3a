// Sorts. The threads of a row have V consecutive keys each.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>
#include <type_traits>

#include "bits.cuh"
#include "warp.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper sort_word include <cstdint>, <type_traits>
// The unsigned integer of a type's size.
template <class T>
using sort_word =
    std::conditional_t<sizeof(T) == 8, uint64_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t,
                                          std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;

// @helper sort_bits needs sort_word, bit_cast
// Bits in whose order, as an unsigned integer, the values are. NaN is above all, -0 is below 0.
template <class T>
__device__ __forceinline__ sort_word<T> sort_bits(T x) {
  using word = sort_word<T>;
  constexpr word SIGN = word(1) << (8 * sizeof(T) - 1);
  const word bits = bit_cast<word>(x);
  if constexpr (std::is_unsigned_v<T>) {
    return bits;
  } else if constexpr (std::is_integral_v<T>) {
    return word(bits ^ SIGN);
  } else {
    return x != x ? word(~word(0)) : bits & SIGN ? word(~bits) : word(bits ^ SIGN);
  }
}

// @helper from_sort_bits needs sort_word, bit_cast
// The value that has these bits in sort_bits.
template <class T>
__device__ __forceinline__ T from_sort_bits(sort_word<T> bits) {
  using word = sort_word<T>;
  constexpr word SIGN = word(1) << (8 * sizeof(T) - 1);
  if constexpr (std::is_unsigned_v<T>) {
    return bit_cast<T>(bits);
  } else if constexpr (std::is_integral_v<T>) {
    return bit_cast<T>(word(bits ^ SIGN));
  } else {
    return bit_cast<T>(bits & SIGN ? word(bits ^ SIGN) : word(~bits));
  }
}

// @helper sort_key needs sort_bits, from_sort_bits
// The key of a value in a sort; last() is the key of padding, after those of all values.
template <class T, bool DESCENDING = false>
struct sort_key {
  std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t> bits;
  __device__ __forceinline__ static sort_key of(T x) {
    const sort_word<T> ascending = sort_bits(x);
    return {DESCENDING ? sort_word<T>(~ascending) : ascending};
  }
  __device__ __forceinline__ static sort_key last() { return {~decltype(bits)(0)}; }
  __device__ __forceinline__ T value() const {
    return from_sort_bits<T>(sort_word<T>(DESCENDING ? ~bits : bits));
  }
  __device__ __forceinline__ bool operator<(const sort_key& other) const {
    return bits < other.bits;
  }
};

// @helper indexed_key needs sort_bits, from_sort_bits
// The key of a value and its index: of equal values, that with the smaller index comes first. -0
// and 0 are equal. The low bit of `place` is set for -0.
template <class T, bool DESCENDING = false>
struct indexed_key {
  std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t> bits;
  uint32_t place;
  __device__ __forceinline__ static indexed_key of(T x, int index) {
    sort_word<T> ascending = sort_bits(x);
    bool is_negative_zero = false;
    if constexpr (!std::is_integral_v<T>) is_negative_zero = ascending == sort_bits(T(-0.0f));
    ascending += is_negative_zero;
    return {DESCENDING ? sort_word<T>(~ascending) : ascending,
            2 * uint32_t(index) + is_negative_zero};
  }
  __device__ __forceinline__ static indexed_key last() {
    return {~decltype(bits)(0), ~uint32_t(0)};
  }
  __device__ __forceinline__ T value() const {
    const sort_word<T> ascending = DESCENDING ? ~bits : bits;
    return from_sort_bits<T>(sort_word<T>(ascending - place % 2));
  }
  __device__ __forceinline__ int index() const { return int(place / 2); }
  __device__ __forceinline__ bool operator<(const indexed_key& other) const {
    if constexpr (sizeof(T) == 8) {
      return bits < other.bits || (bits == other.bits && place < other.place);
    } else {
      return (uint64_t(bits) << 32 | place) < (uint64_t(other.bits) << 32 | other.place);
    }
  }
};

// @helper order_keys
// Exchanges two keys that are not in order.
template <class K>
__device__ __forceinline__ void order_keys(K& first, K& second) {
  const bool exchanges = second < first;
  const K low = exchanges ? second : first, high = exchanges ? first : second;
  first = low;
  second = high;
}

// @helper merge_keys needs order_keys
// Sorts each RUN consecutive keys of the first COUNT of a thread (0: of all), whose first half are
// all in order with those RUN / 2 later: the last steps of a bitonic merge.
template <int RUN, int COUNT = 0, class K, int V>
__device__ __forceinline__ void merge_keys(K (&keys)[V]) {
  constexpr int END = COUNT > 0 ? COUNT : V;
#pragma unroll
  for (int distance = RUN / 2; distance > 0; distance /= 2) {
#pragma unroll
    for (int v = 0; v < END; ++v) {
      if (v % (2 * distance) < distance) order_keys(keys[v], keys[v + distance]);
    }
  }
}

// @helper sort_runs needs merge_keys
// Sorts each COUNT consecutive keys of a thread by a bitonic network: each step merges two runs,
// the second one read backwards.
template <int COUNT, int RUN = 1, class K, int V>
__device__ __forceinline__ void sort_runs(K (&keys)[V]) {
  if constexpr (RUN < COUNT) {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const int place = v % (2 * RUN);
      if (place < RUN) order_keys(keys[v], keys[v - place + 2 * RUN - 1 - place]);
    }
    merge_keys<RUN>(keys);
    sort_runs<COUNT, 2 * RUN>(keys);
  }
}

// @helper sort_merged needs merge_keys, warp_shuffle_xor
// The last steps of a bitonic merge of keys that lanes STRIDE apart share, the first COUNT of each:
// keys of lanes at this distance and below, then those of a thread.
template <int COUNT, int STRIDE, class K, int V>
__device__ __forceinline__ void sort_merged(K (&keys)[V], int distance) {
#pragma unroll 1
  for (; distance > 0; distance /= 2) {
    const bool is_low = (int(threadIdx.x % 32) / STRIDE & distance) == 0;
#pragma unroll
    for (int v = 0; v < COUNT; ++v) {
      const K other = warp_shuffle_xor(keys[v], distance * STRIDE);
      if ((other < keys[v]) == is_low) keys[v] = other;
    }
  }
  merge_keys<COUNT, COUNT>(keys);
}

// @helper warp_sort needs sort_runs, sort_merged
// Sorts the keys of each LANES lanes that are STRIDE apart, by a bitonic network: lane `part` of
// them ends with keys V * part to V * part + V - 1.
template <int LANES = 32, int STRIDE = 1, class K, int V>
__device__ __forceinline__ void warp_sort(K (&keys)[V]) {
  sort_runs<V>(keys);
  const int part = int(threadIdx.x % 32) / STRIDE % LANES;
  // Merges the runs of `lanes / 2` lanes. The lower lane of a pair keeps the smaller keys.
#pragma unroll 1
  for (int lanes = 2; lanes <= LANES; lanes *= 2) {
    const bool is_lower = (part & lanes / 2) == 0;
    K mirrored[V];
#pragma unroll
    for (int v = 0; v < V; ++v)
      mirrored[v] = warp_shuffle_xor(keys[V - 1 - v], (lanes - 1) * STRIDE);
#pragma unroll
    for (int v = 0; v < V; ++v)
      if ((mirrored[v] < keys[v]) == is_lower) keys[v] = mirrored[v];
    sort_merged<V, STRIDE>(keys, lanes / 4);
  }
}

// @helper kept_lanes
// How many of LANES lanes with V sorted keys each share the first COUNT keys, in warp_first.
template <int COUNT, int LANES, int V>
constexpr int kept_lanes = COUNT > V       ? COUNT / V
                           : COUNT < LANES ? COUNT
                                           : LANES;

// @helper thread_first needs sort_runs, merge_keys
// Leaves the first COUNT keys of a thread in order, in front. The first keys of two sorted runs are
// the smaller ones of each key of one and a key of the other, which is read backwards.
template <int COUNT, class K, int V>
__device__ __forceinline__ void thread_first(K (&keys)[V]) {
  sort_runs<COUNT>(keys);
#pragma unroll
  for (int run = COUNT; run < V; run += COUNT) {
#pragma unroll
    for (int v = 0; v < COUNT; ++v) {
      const K other = keys[run + COUNT - 1 - v];
      if (other < keys[v]) keys[v] = other;
    }
    merge_keys<COUNT, COUNT>(keys);
  }
}

// @helper warp_first needs warp_sort, thread_first, sort_merged, kept_lanes
// Leaves the first COUNT keys, in order, of each LANES lanes that are STRIDE apart: G = kept_lanes
// lanes share them, and the others have copies. Lane `part` ends with the COUNT / G keys from
// COUNT / G * (part % G) on.
template <int COUNT, int LANES = 32, int STRIDE = 1, class K, int V>
__device__ __forceinline__ void warp_first(K (&keys)[V]) {
  constexpr int RUN = COUNT > V ? COUNT / V : 1, OWN = COUNT / RUN;  // lanes of COUNT keys
  if constexpr (RUN > 1) {
    warp_sort<RUN, STRIDE>(keys);
  } else {
    thread_first<COUNT>(keys);
  }
  // As in thread_first, for pairs of runs that `lanes` lanes have.
#pragma unroll 1
  for (int lanes = RUN; lanes < LANES; lanes *= 2) {
    K mirrored[OWN];
#pragma unroll
    for (int v = 0; v < OWN; ++v)
      mirrored[v] = warp_shuffle_xor(keys[OWN - 1 - v], (lanes + RUN - 1) * STRIDE);
#pragma unroll
    for (int v = 0; v < OWN; ++v)
      if (mirrored[v] < keys[v]) keys[v] = mirrored[v];
    sort_merged<OWN, STRIDE>(keys, RUN / 2);
  }
  if constexpr (RUN == 1) {  // each lane has all: it keeps its part
    constexpr int G = kept_lanes<COUNT, LANES, V>;
#pragma unroll
    for (int lanes = G; lanes > 1; lanes /= 2) {
      const bool is_upper = int(threadIdx.x % 32) / STRIDE & lanes / 2;
      const int half = COUNT / G * lanes / 2;
#pragma unroll
      for (int v = 0; v < COUNT / 2; ++v)
        if (v < half && is_upper) keys[v] = keys[v + half];
    }
  }
}

// @helper shared_key
// Key i in shared memory, which has one key of padding after each 32.
template <class K, int SIZE>
__device__ __forceinline__ K& shared_key(K (&shared)[SIZE], int i) {
  return shared[i + i / 32];
}

// @helper share_keys needs shared_key
// Writes the keys of thread `tid` of a row to shared memory.
template <class K, int V, int SIZE>
__device__ __forceinline__ void share_keys(const K (&keys)[V], K (&shared)[SIZE], int tid) {
#pragma unroll
  for (int v = 0; v < V; ++v) shared_key(shared, tid * V + v) = keys[v];
}

// @helper merge_runs needs shared_key
// Merges pairs of sorted runs of `run` keys, of COUNT in shared memory: thread `tid` gets keys V *
// tid to V * tid + V - 1 of the longer runs.
template <int COUNT, class K, int V, int SIZE>
__device__ __forceinline__ void merge_runs(K (&keys)[V], K (&shared)[SIZE], int run, int tid) {
  static_assert(SIZE >= COUNT + COUNT / 32, "merge_runs: one key of padding after each 32");
  const auto at = [&](int i) { return shared_key(shared, i < COUNT ? i : 0); };
  const int start = tid * V / (2 * run) * (2 * run), taken = tid * V - start;
  const int middle = start + run < COUNT ? start + run : COUNT;
  const int end = middle + run < COUNT ? middle + run : COUNT;
  // How many of the `taken` keys before this thread's are of the first run.
  int low = taken > end - middle ? taken - (end - middle) : 0;
  int high = taken < middle - start ? taken : middle - start;
  while (low < high) {
    const int half = (low + high) / 2;
    if (at(middle + taken - 1 - half) < at(start + half)) {
      high = half;
    } else {
      low = half + 1;
    }
  }
  int first = start + low, second = middle + taken - low;
  K of_first = at(first), of_second = at(second);
#pragma unroll
  for (int v = 0; v < V; ++v) {
    const bool is_second = first >= middle || (second < end && of_second < of_first);
    keys[v] = is_second ? of_second : of_first;
    if (is_second) {
      of_second = at(++second);
    } else {
      of_first = at(++first);
    }
  }
}

// @helper share_first needs shared_key, kept_lanes
// Writes what warp_first has left in warp `warp` to shared memory.
template <int COUNT, class K, int V, int SIZE>
__device__ __forceinline__ void share_first(const K (&keys)[V], K (&shared)[SIZE], int warp) {
  constexpr int LANES = kept_lanes<COUNT, 32, V>, OWN = COUNT / LANES;
  const int lane = int(threadIdx.x % 32);
  if (lane >= LANES) return;
#pragma unroll
  for (int v = 0; v < OWN; ++v) shared_key(shared, warp * COUNT + lane * OWN + v) = keys[v];
}

// @helper merge_first needs shared_key, sort_merged, kept_lanes
// The first COUNT keys of all warps, from those that each has written: in every warp, as
// warp_first leaves them.
template <int COUNT, int WARPS, class K, int V, int SIZE>
__device__ __forceinline__ void merge_first(K (&keys)[V], K (&shared)[SIZE], int warp) {
  static_assert(SIZE >= WARPS * COUNT, "merge_first: COUNT keys of each warp");
  constexpr int LANES = kept_lanes<COUNT, 32, V>, OWN = COUNT / LANES;
  const int last = COUNT - 1 - int(threadIdx.x % LANES) * OWN;
#pragma unroll 1
  for (int w = 1; w < WARPS; ++w) {
    const int start = (warp + w) % WARPS * COUNT;
#pragma unroll
    for (int v = 0; v < OWN; ++v) {
      const K other = shared_key(shared, start + last - v);
      if (other < keys[v]) keys[v] = other;
    }
    sort_merged<OWN, 1>(keys, LANES / 2);
  }
}

// @end

}  // namespace v1
}  // namespace tile2cu
