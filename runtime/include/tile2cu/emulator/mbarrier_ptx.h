// The emulator's device/mbarrier_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "cuda.h"

namespace emulate {

void barrier_init(void* barrier, int arrivals);
void barrier_init_fence();
// One arrival, and bytes that the phase waits for.
void barrier_arrive(void* barrier, int bytes);
void barrier_wait(void* barrier, int phase);
void named_barrier(int id, unsigned threads, bool waits);
void fence_async_proxy();

}  // namespace emulate

namespace tile2cu {
inline namespace v1 {

struct barrier {
  uint64_t state;
};
__forceinline__ void barrier_init(barrier& b, int arrivals) { emulate::barrier_init(&b, arrivals); }
__forceinline__ void barrier_init_fence() { emulate::barrier_init_fence(); }
__forceinline__ void barrier_arrive(barrier& b) { emulate::barrier_arrive(&b, 0); }
__forceinline__ void barrier_expect(barrier& b, int bytes) { emulate::barrier_arrive(&b, bytes); }
__forceinline__ void barrier_wait(barrier& b, int phase) { emulate::barrier_wait(&b, phase); }

template <int THREADS>
__forceinline__ void named_barrier_sync(int id) {
  static_assert(THREADS > 0 && THREADS % 32 == 0, "named_barrier_sync: whole warps");
  emulate::named_barrier(id, THREADS, true);
}
template <int THREADS>
__forceinline__ void named_barrier_arrive(int id) {
  static_assert(THREADS > 0 && THREADS % 32 == 0, "named_barrier_arrive: whole warps");
  emulate::named_barrier(id, THREADS, false);
}

// Registers are not counted: how many there are depends on ptxas.
template <int N>
__forceinline__ void registers_acquire() {
  static_assert(N % 8 == 0 && N >= 24 && N <= 256, "registers_acquire: 24 to 256 in steps of 8");
}
template <int N>
__forceinline__ void registers_release() {
  static_assert(N % 8 == 0 && N >= 24 && N <= 256, "registers_release: 24 to 256 in steps of 8");
}

__forceinline__ void fence_async_proxy() { emulate::fence_async_proxy(); }

}  // namespace v1
}  // namespace tile2cu
