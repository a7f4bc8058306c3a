// The emulator's device/mbarrier_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "cuda.h"

namespace emulate {

void mbarrier_init(void* barrier, int arrivals);
void fence_mbarrier_init();
// One arrival, and bytes that the phase waits for.
void mbarrier_arrive(void* barrier, int bytes);
void mbarrier_wait(void* barrier, int phase);
void named_barrier(int id, unsigned threads, bool waits);
void fence_proxy_async();

}  // namespace emulate

namespace tile2cu {
inline namespace v1 {

struct mbarrier {
  uint64_t state;
};
__forceinline__ void mbarrier_init(mbarrier& b, int arrivals) {
  emulate::mbarrier_init(&b, arrivals);
}
__forceinline__ void fence_mbarrier_init() { emulate::fence_mbarrier_init(); }
__forceinline__ void mbarrier_arrive(mbarrier& b) { emulate::mbarrier_arrive(&b, 0); }
__forceinline__ void mbarrier_arrive_expect_tx(mbarrier& b, int bytes) {
  emulate::mbarrier_arrive(&b, bytes);
}
__forceinline__ void mbarrier_wait(mbarrier& b, int phase) { emulate::mbarrier_wait(&b, phase); }

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
__forceinline__ void warpgroup_reg_alloc() {
  static_assert(N % 8 == 0 && N >= 24 && N <= 256, "warpgroup_reg_alloc: 24 to 256 in steps of 8");
}
template <int N>
__forceinline__ void warpgroup_reg_dealloc() {
  static_assert(N % 8 == 0 && N >= 24 && N <= 256,
                "warpgroup_reg_dealloc: 24 to 256 in steps of 8");
}

__forceinline__ void fence_proxy_async() { emulate::fence_proxy_async(); }

}  // namespace v1
}  // namespace tile2cu
