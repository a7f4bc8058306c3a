// The place of a producer or a consumer in a ring of stages.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#else
#include "mbarrier_ptx.cuh"
#endif

namespace tile2cu {
inline namespace v1 {

// @helper ring needs barrier, barrier_wait
// The stage whose turn it is, and the phase of its barriers: the lap, modulo 2.
template <int STAGES>
struct ring {
  int stage = 0, phase = 0;
  __device__ __forceinline__ int next() {
    const int now = stage;
    if (++stage < STAGES) return now;
    stage = 0;
    phase ^= 1;
    return now;
  }
  // The next stage to read, when all that is copied into it has landed.
  __device__ __forceinline__ int take(barrier (&full)[STAGES]) {
    barrier_wait(full[stage], phase);
    return next();
  }
  // The next stage to fill, when all have read what is in it: nothing in the first lap, whose wait is
  // for the phase before the first.
  __device__ __forceinline__ int refill(barrier (&empty)[STAGES]) {
    barrier_wait(empty[stage], phase ^ 1);
    return next();
  }
};

// @helper drain needs ring
// Waits until all that was filled has been read.
template <int STAGES>
__device__ __forceinline__ void drain(ring<STAGES>& ring, barrier (&empty)[STAGES]) {
  for (int i = 0; i < STAGES; ++i) ring.refill(empty);
}

// @end

}  // namespace v1
}  // namespace tile2cu
