// Copies of N consecutive elements from global to shared memory. They are asynchronous if they have
// 4 bytes or more, the fewest that cp.async copies; others are loaded and stored. A kernel treats
// all of them alike: it commits them and waits for them (async_copy_ptx.cuh).
//
// Nothing may write the elements in global memory while the kernel runs. N elements are 1, 2, 4, 8
// or 16 bytes, and both addresses are multiples of that.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#else
#include "async_copy_ptx.cuh"
#endif
#include "bits.cuh"
#include "memory.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper copy_to_shared needs cp_async, load_if, as_vec
// Copies N elements to shared memory: by cp.async if they have 4 bytes or more.
template <int N, class T>
__device__ __forceinline__ void copy_to_shared(T* smem, const T* p) {
  constexpr int BYTES = N * int(sizeof(T));
  if constexpr (BYTES >= 4)
    cp_async<BYTES>(smem, p);
  else
    as_vec<N>(smem) = load_if<N>(true, p, T());
}

// @helper copy_to_shared_if needs cp_async_if, load_if, as_vec
// Copies N elements to shared memory if `mask`, else zeros: by cp.async if they have 4 bytes or
// more. Nothing is read where `mask` is false.
template <int N, class T>
__device__ __forceinline__ void copy_to_shared_if(bool mask, T* smem, const T* p) {
  constexpr int BYTES = N * int(sizeof(T));
  if constexpr (BYTES >= 4)
    cp_async_if<BYTES>(mask, smem, p);
  else
    as_vec<N>(smem) = load_if<N>(mask, p, T());
}

// @helper copy_to_shared_prefix needs cp_async_prefix, load_prefix, as_vec
// Copies the first `valid` of N elements to shared memory, and zeros for the others: by cp.async if
// N have 4 bytes or more. `valid` may be negative or more than N. Only what is copied is read.
template <int N, class T>
__device__ __forceinline__ void copy_to_shared_prefix(int valid, T* smem, const T* p) {
  constexpr int BYTES = N * int(sizeof(T));
  if constexpr (BYTES >= 4)
    cp_async_prefix<BYTES>(valid, smem, p);
  else
    as_vec<N>(smem) = load_prefix<N>(valid, p, T());
}

// @end

}  // namespace v1
}  // namespace tile2cu
