// Atomic read-modify-write operations on global memory: relaxed and in device scope, unless stated
// otherwise.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
#include <cstdint>
#include <type_traits>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper atomic_update needs bit_cast include <cstdint>, <type_traits>
// *p = update(*p) atomically, by compare-and-swap; returns the old value. 2, 4 or 8 bytes.
template <class T, class Update>
__device__ __forceinline__ T atomic_update(T* p, Update update) {
  using word =
      std::conditional_t<sizeof(T) == 2, unsigned short,
                         std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long long>>;
  word* const address = reinterpret_cast<word*>(p);
  word seen = atomicCAS(address, word(0), word(0));  // an atomic load
  word expected;
  do {
    expected = seen;
    seen = atomicCAS(address, expected, bit_cast<word>(update(bit_cast<T>(expected))));
  } while (seen != expected);
  return bit_cast<T>(seen);
}

// @helper atomic_add needs atomic_update, same include <cuda_fp16.h>, <cuda_bf16.h>
// *p += value atomically; returns the old value. Integers of 4 and 8 bytes, float, double, __half,
// __nv_bfloat16 (by compare-and-swap before sm_80).
template <class T>
__device__ __forceinline__ T atomic_add(T* p, same<T> value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    using word = unsigned long long;
    return T(atomicAdd(reinterpret_cast<word*>(p), word(value)));
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return atomic_update(p, [&](T old) { return T(float(old) + float(value)); });
#else
    return atomicAdd(p, value);
#endif
  } else {
    return atomicAdd(p, value);
  }
}

// @helper atomic_add_if needs atomic_add, same
// *p += value atomically where `mask` holds, and returns the old value; returns zero elsewhere.
template <class T>
__device__ __forceinline__ T atomic_add_if(bool mask, T* p, same<T> value) {
  return mask ? atomic_add(p, value) : T(0);
}

// @helper reduce_add_if needs atomic_add, same
// *p += value atomically where `mask` holds, without a result. It is a reduction in L2, which no
// thread waits for.
template <class T>
__device__ __forceinline__ void reduce_add_if(bool mask, T* p, same<T> value) {
  if (mask) atomic_add(p, value);
}

// @helper reduce_add_vector_if needs atomic_add, reduce_add_words, words, bit_cast
// The same for N consecutive floats, __half or __nv_bfloat16; `p` is aligned to the whole vector
// (to 16 bytes if it is larger). The addition of each element is atomic, that of the vector is not.
// Needs sm_90.
template <int N, class T>
__device__ __forceinline__ void reduce_add_vector_if(bool mask, T* p, const vec<T, N>& v) {
  if (!mask) return;
  const auto data = bit_cast<words<T, N>>(v);
#pragma unroll
  for (int w = 0; w < words<T, N>::count; ++w) {
    if constexpr (N == 1)
      atomic_add(p, v[0]);
    else
      reduce_add_words(p + w * (N / words<T, N>::count), data.elem[w]);
  }
}

// @helper reduce_add_prefix needs reduce_add_vector_if, reduce_add_if
// The same for the first `valid` of N consecutive elements (none if valid <= 0, all if valid >= N):
// element by element in the one vector that crosses the edge.
template <int N, class T>
__device__ __forceinline__ void reduce_add_prefix(int valid, T* p, const vec<T, N>& v) {
  reduce_add_vector_if<N>(valid >= N, p, v);
  if (N > 1 && valid > 0 && valid < N) {
#pragma unroll
    for (int e = 0; e < N; ++e) reduce_add_if(e < valid, p + e, v[e]);
  }
}

// @helper memory_order
// The memory order of an atomic. Release: a thread that reads the result of the atomic also sees
// what this thread wrote before. Acquire: what this thread reads afterwards includes what was
// released by the atomics whose results it has seen. For other threads of the block, a barrier is
// needed between their accesses and the atomic.
enum class memory_order { relaxed, acquire, release, acq_rel };

// @helper scope
// The scope of a memory order: all threads of the device, or of the system, including the host.
enum class scope { gpu, system };

// @helper ordered_add needs atomic_add, memory_order, scope, same include <type_traits>
// *p += value atomically, with a memory order; returns the old value. Types as for atomic_add; in
// system scope those of 4 and 8 bytes.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_add(T* p, same<T> value) {
  constexpr bool system = S == scope::system;
  if constexpr (O == memory_order::release || O == memory_order::acq_rel)
    system ? __threadfence_system() : __threadfence();
  T old;
  if constexpr (!system) {
    old = atomic_add(p, value);
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    using word = unsigned long long;
    old = T(atomicAdd_system(reinterpret_cast<word*>(p), word(value)));
  } else {
    old = atomicAdd_system(p, value);
  }
  if constexpr (O == memory_order::acquire || O == memory_order::acq_rel)
    system ? __threadfence_system() : __threadfence();
  return old;
}

// @helper ordered_add_if needs ordered_add, same
// The same where `mask` holds; returns zero elsewhere.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_add_if(bool mask, T* p, same<T> value) {
  return mask ? ordered_add<O, S>(p, value) : T(0);
}

// @end

}  // namespace v1
}  // namespace tile2cu
