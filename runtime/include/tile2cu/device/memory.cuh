// Loads and stores of N consecutive elements under a mask.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include "bits.cuh"
#include "cache.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper load_words needs load_word_if, words, bit_cast, same
// The registers of N consecutive elements from `p` where `mask` holds, of `other` elsewhere.
template <int N, cache C, class T>
__device__ __forceinline__ words<T, N> load_words(bool mask, const T* p, same<T> other) {
  vec<T, N> others;
#pragma unroll
  for (int e = 0; e < N; ++e) others[e] = other;
  auto data = bit_cast<words<T, N>>(others);
#pragma unroll
  for (int w = 0; w < words<T, N>::count; ++w) {
    load_word_if(policy<C>(), mask, p + w * (N / words<T, N>::count), data.elem[w]);
  }
  return data;
}

// @helper load_if needs load_words
// Loads N elements if `mask`, else `other`. Accesses nothing if `mask` is false. `p` is aligned to
// the whole vector (to 16 bytes if it is larger).
template <int N, cache C = cache::read_only, class T>
__device__ __forceinline__ vec<T, N> load_if(bool mask, const T* p, same<T> other) {
  return bit_cast<vec<T, N>>(load_words<N, C>(mask, p, other));
}

// @helper load_element_if needs load_if
// Loads one element if `mask`, else `other`.
template <cache C = cache::read_only, class T>
__device__ __forceinline__ T load_element_if(bool mask, const T* p, same<T> other) {
  return load_if<1, C>(mask, p, other)[0];
}

// @helper load_prefix needs load_if, keep_whole
// Loads the first `valid` of N elements. The others are `other`. None are loaded if valid <= 0, all
// if valid >= N: in one access where all N are valid, element by element in the one vector that
// crosses the edge. `p` is aligned as for load_if.
template <int N, cache C = cache::read_only, class T>
__device__ __forceinline__ vec<T, N> load_prefix(int valid, const T* p, same<T> other) {
  words<T, N> data = load_words<N, C>(valid >= N, p, other);
  if (N > 1 && valid > 0 && valid < N) {
    vec<T, N> edge;
#pragma unroll
    for (int e = 0; e < N; ++e) edge[e] = load_if<1, C>(e < valid, p + e, other)[0];
    data = bit_cast<words<T, N>>(edge);
#pragma unroll
    for (int w = 0; w < words<T, N>::count; ++w) keep_whole(data.elem[w]);
  }
  return bit_cast<vec<T, N>>(data);
}

// @helper store_if needs store_word_if, words, bit_cast
// Stores N elements if `mask`. `p` is aligned as for load_if.
template <int N, cache C = cache::write_back, class T>
__device__ __forceinline__ void store_if(bool mask, T* p, const vec<T, N>& v) {
  auto data = bit_cast<words<T, N>>(v);
#pragma unroll
  for (int w = 0; w < words<T, N>::count; ++w) {
    store_word_if(policy<C>(), mask, p + w * (N / words<T, N>::count), data.elem[w]);
  }
}

// @helper store_element_if needs store_if, same
// Stores one element if `mask`.
template <cache C = cache::write_back, class T>
__device__ __forceinline__ void store_element_if(bool mask, T* p, same<T> value) {
  store_if<1, C>(mask, p, vec<T, 1>{{value}});
}

// @helper store_prefix needs store_if
// Stores the first `valid` of N elements. None are stored if valid <= 0, all if valid >= N: in one
// access where all N are valid, element by element in the one vector that crosses the edge.
template <int N, cache C = cache::write_back, class T>
__device__ __forceinline__ void store_prefix(int valid, T* p, const vec<T, N>& v) {
  store_if<N, C>(valid >= N, p, v);
  if (N > 1 && valid > 0 && valid < N) {
#pragma unroll
    for (int e = 0; e < N; ++e) store_if<1, C>(e < valid, p + e, vec<T, 1>{{v[e]}});
  }
}

// @end

}  // namespace v1
}  // namespace tile2cu
