// The emulator's device/async_copy_ptx.cuh: copies complete as late as the waits allow.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "cuda.h"

namespace emulate {

// Starts a copy of the first `valid` of `bytes` bytes; the others become zero. The copy is made
// when the thread waits for it, and not before: until then the bytes in shared memory are the old
// ones, any access to them is a race, and a store to the source changes what is copied.
void cp_async(void* smem, const void* p, unsigned bytes, unsigned valid);
void cp_async_commit();
void cp_async_wait(unsigned pending);

}  // namespace emulate

namespace tile2cu {
inline namespace v1 {

template <int BYTES>
__forceinline__ void cp_async(void* smem, const void* p) {
  static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "cp_async: 4, 8 or 16 bytes");
  emulate::cp_async(smem, p, BYTES, BYTES);
}

template <int BYTES>
__forceinline__ void cp_async_if(bool mask, void* smem, const void* p) {
  static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "cp_async_if: 4, 8 or 16 bytes");
  emulate::cp_async(smem, p, BYTES, mask ? BYTES : 0);
}

template <int BYTES, class T>
__forceinline__ void cp_async_prefix(int valid, T* smem, const T* p) {
  static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "cp_async_prefix: 4, 8 or 16 bytes");
  constexpr int COUNT = BYTES / int(sizeof(T));
  const int count = valid < 0 ? 0 : valid < COUNT ? valid : COUNT;
  emulate::cp_async(smem, p, BYTES, unsigned(count) * unsigned(sizeof(T)));
}

__forceinline__ void cp_async_commit() { emulate::cp_async_commit(); }

template <int PENDING>
__forceinline__ void cp_async_wait() {
  emulate::cp_async_wait(PENDING);
}

}  // namespace v1
}  // namespace tile2cu
