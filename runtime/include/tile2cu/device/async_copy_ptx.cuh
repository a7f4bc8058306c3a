// Asynchronous copies from global to shared memory (cp.async, sm_80), which bypass the registers.
//
// A copy runs while its thread does other work. Copies are counted in groups: cp_async_commit
// closes a group, and cp_async_wait waits for all but the newest groups. A thread sees the data of
// the groups that it has waited for; other threads see it after a barrier. Both addresses are
// multiples of the number of bytes copied.
#pragma once
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper cp_async include <cstdint>
// Starts a copy of 4, 8 or 16 bytes from global to shared memory; copies of 16 bytes bypass L1.
// Needs sm_80.
template <int BYTES>
__device__ __forceinline__ void cp_async(void* smem, const void* p) {
  static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "cp_async: no such width");
#if __CUDA_ARCH__ >= 800
  const uint32_t to = uint32_t(__cvta_generic_to_shared(smem));
  const size_t from = __cvta_generic_to_global(p);
  if constexpr (BYTES == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES)
                 : "memory");
  }
#else
  __trap();
#endif
}

// @helper cp_async_if include <cstdint>
// As cp_async where `mask` holds; elsewhere nothing is read and the bytes become zero. It uses a
// predicate: a byte count as an operand costs more instructions. Needs sm_80.
template <int BYTES>
__device__ __forceinline__ void cp_async_if(bool mask, void* smem, const void* p) {
  static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "cp_async_if: no such width");
#if __CUDA_ARCH__ >= 800
  const uint32_t to = uint32_t(__cvta_generic_to_shared(smem)), valid = mask;
  const size_t from = __cvta_generic_to_global(p);
  if constexpr (BYTES == 16) {
    asm volatile(
        "{.reg .pred zero; setp.eq.u32 zero, %2, 0; "
        "cp.async.cg.shared.global [%0], [%1], 16, zero;}" ::"r"(to),
        "l"(from), "r"(valid)
        : "memory");
  } else {
    asm volatile(
        "{.reg .pred zero; setp.eq.u32 zero, %2, 0; "
        "cp.async.ca.shared.global [%0], [%1], %3, zero;}" ::"r"(to),
        "l"(from), "r"(valid), "n"(BYTES)
        : "memory");
  }
#else
  __trap();
#endif
}

// @helper cp_async_prefix include <cstdint>
// Starts a copy of the first `valid` of the elements in BYTES bytes (none if it is negative, at
// most all); the others are not read and become zero. Needs sm_80.
template <int BYTES, class T>
__device__ __forceinline__ void cp_async_prefix(int valid, T* smem, const T* p) {
  static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "cp_async_prefix: no such width");
#if __CUDA_ARCH__ >= 800
  constexpr int COUNT = BYTES / int(sizeof(T));
  const int bytes = (valid < 0 ? 0 : valid < COUNT ? valid : COUNT) * int(sizeof(T));
  const uint32_t to = uint32_t(__cvta_generic_to_shared(smem));
  const size_t from = __cvta_generic_to_global(p);
  if constexpr (BYTES == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to), "l"(from), "r"(bytes),
                 "n"(BYTES)
                 : "memory");
  }
#else
  __trap();
#endif
}

// @helper cp_async_commit
// Closes the group of this thread's new copies. Needs sm_80.
__device__ __forceinline__ void cp_async_commit() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  __trap();
#endif
}

// @helper cp_async_wait
// Waits until only this thread's newest PENDING groups may be in flight. Needs sm_80.
template <int PENDING>
__device__ __forceinline__ void cp_async_wait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#else
  __trap();
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
