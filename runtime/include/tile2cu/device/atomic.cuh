// Atomic read-modify-write of global memory: relaxed and seen by the whole device, unless they say more.
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
// *p = update(*p) in one indivisible step, by compare and swap; gives the old value. 2, 4 or 8
// bytes.
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
// *p += value in one indivisible step; gives the old value. Integers of 4 and 8 bytes, float,
// double, __half, __nv_bfloat16 (by compare and swap before sm_80).
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
// *p += value where `mask` holds; gives the old value there and zero elsewhere.
template <class T>
__device__ __forceinline__ T atomic_add_if(bool mask, T* p, same<T> value) {
  return mask ? atomic_add(p, value) : T(0);
}

// @helper reduce_add_if needs atomic_add, same
// *p += value where `mask` holds, with no result: a reduction in L2, which nobody waits for.
template <class T>
__device__ __forceinline__ void reduce_add_if(bool mask, T* p, same<T> value) {
  if (mask) atomic_add(p, value);
}

// @helper reduce_add_vector_if needs atomic_add, reduce_add_words, words, bit_cast
// The same for N consecutive floats, __half or __nv_bfloat16, `p` aligned to all of them (to 16
// bytes if they are more): each sum is indivisible, all together are not. sm_90.
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
// single elements in the one vector at the edge.
template <int N, class T>
__device__ __forceinline__ void reduce_add_prefix(int valid, T* p, const vec<T, N>& v) {
  reduce_add_vector_if<N>(valid >= N, p, v);
  if (N > 1 && valid > 0 && valid < N) {
#pragma unroll
    for (int e = 0; e < N; ++e) reduce_add_if(e < valid, p + e, v[e]);
  }
}

// @helper memory_order
// What an atomic orders beside its own sum: what its thread did before (release), so that it is
// there for whoever sees the sum, and what its thread does next (acquire), so that it finds what
// those had released whose sums it saw. What other threads of the block did or will do is ordered
// by a barrier between.
enum class memory_order { relaxed, acquire, release, acq_rel };

// @helper scope
// For whom: all threads of the device, or of the system, those of the host too.
enum class scope { gpu, system };

// @helper ordered_add needs atomic_add, memory_order, scope, same include <type_traits>
// *p += value in one indivisible step; gives the old value. Types as for atomic_add, for the system
// those of 4 and 8 bytes.
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
// The same where `mask` holds; zero elsewhere.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_add_if(bool mask, T* p, same<T> value) {
  return mask ? ordered_add<O, S>(p, value) : T(0);
}

// @end

}  // namespace v1
}  // namespace tile2cu
