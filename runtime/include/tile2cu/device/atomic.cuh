// Atomic additions and compare-and-swap in global memory, and what all atomics share: relaxed and
// in device scope, unless stated otherwise.
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

// @helper scope
// The scope of an atomic and of its memory order: all threads of the block, of the device, or of
// the system, including the host.
enum class scope { block, gpu, system };

// @helper fence needs scope
// A fence between the memory accesses of this thread before and after it.
template <scope S>
__device__ __forceinline__ void fence() {
  if constexpr (S == scope::block)
    __threadfence_block();
  else if constexpr (S == scope::gpu)
    __threadfence();
  else
    __threadfence_system();
}

// @helper atomic_bits include <type_traits>
// The integer of T's size that CUDA's atomic functions take: 2, 4 or 8 bytes.
template <class T>
using atomic_bits =
    std::conditional_t<sizeof(T) == 2, unsigned short,
                       std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long long>>;

// @helper shared_add include <type_traits>
// Adds to an element of shared memory to which other threads may add; returns nothing.
template <class T>
__device__ __forceinline__ void shared_add(T& place, T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&place),
              static_cast<unsigned long long>(value));
  } else {
    atomicAdd(&place, value);
  }
}

// @helper atomic_cas needs atomic_bits, bit_cast, same, scope
// *p = value atomically if *p has the bits of `expected`; returns the old value. 2, 4 or 8 bytes;
// in system scope 4 or 8. Those of 2 bytes have no block scope, and take the device's.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_cas(T* p, same<T> expected, same<T> value) {
  using word = atomic_bits<T>;
  word* const address = reinterpret_cast<word*>(p);
  const word before = bit_cast<word>(expected), after = bit_cast<word>(value);
  if constexpr (S == scope::system)
    return bit_cast<T>(atomicCAS_system(address, before, after));
  else if constexpr (S == scope::block && sizeof(T) > 2)
    return bit_cast<T>(atomicCAS_block(address, before, after));
  else
    return bit_cast<T>(atomicCAS(address, before, after));
}

// @helper atomic_update needs atomic_cas
// *p = update(*p) atomically, by compare-and-swap; returns the old value. Types as for atomic_cas.
template <scope S = scope::gpu, class T, class Update>
__device__ __forceinline__ T atomic_update(T* p, Update update) {
  using word = atomic_bits<T>;
  T seen = atomic_cas<S>(p, T{}, T{});  // an atomic load
  T expected;
  do {
    expected = seen;
    seen = atomic_cas<S>(p, expected, T(update(expected)));
  } while (bit_cast<word>(seen) != bit_cast<word>(expected));
  return seen;
}

// @helper atomic_add needs atomic_update include <cuda_fp16.h>, <cuda_bf16.h>
// *p += value atomically; returns the old value. Integers of 2, 4 and 8 bytes, float, double,
// __half, __nv_bfloat16; in system scope those of 4 and 8 bytes. By compare-and-swap for integers
// of 2 bytes, and for __nv_bfloat16 before sm_80.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_add(T* p, same<T> value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    using word = unsigned long long;
    word* const address = reinterpret_cast<word*>(p);
    return T(S == scope::system  ? atomicAdd_system(address, word(value))
             : S == scope::block ? atomicAdd_block(address, word(value))
                                 : atomicAdd(address, word(value)));
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 2) {
    return atomic_update(p, [value](T old) { return T(old + value); });
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return atomic_update(p, [&](T old) { return T(float(old) + float(value)); });
#else
    return atomicAdd(p, value);
#endif
  } else if constexpr (S == scope::system) {
    return atomicAdd_system(p, value);
  } else if constexpr (S == scope::block && sizeof(T) > 2) {
    return atomicAdd_block(p, value);
  } else {
    return atomicAdd(p, value);
  }
}

// @helper reduce_add_if needs atomic_add
// *p += value atomically where `mask` holds, without a result. Its arguments are computed before
// the branch, which takes fewer registers in unrolled loops.
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

// @helper ordered needs memory_order, fence
// The result of `update`, an atomic, with a memory order.
template <memory_order O, scope S, class Update>
__device__ __forceinline__ auto ordered(Update update) {
  if constexpr (O == memory_order::release || O == memory_order::acq_rel) fence<S>();
  const auto old = update();
  if constexpr (O == memory_order::acquire || O == memory_order::acq_rel) fence<S>();
  return old;
}

// @helper ordered_add needs atomic_add, ordered
// atomic_add with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_add(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_add<S>(p, value); });
}

// @helper ordered_cas needs atomic_cas, ordered
// atomic_cas with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_cas(T* p, same<T> expected, same<T> value) {
  return ordered<O, S>([&] { return atomic_cas<S>(p, expected, value); });
}

// @end

}  // namespace v1
}  // namespace tile2cu
