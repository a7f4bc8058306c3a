// The position of a producer or a consumer in a ring buffer of stages.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#else
#include "mbarrier_ptx.cuh"
#endif

namespace tile2cu {
inline namespace v1 {

// @helper ring needs barrier, barrier_wait
// The next stage, and the parity of the phase of its barriers: the number of the lap, modulo 2.
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
  // Consumer wait: returns the next stage to read, once all copies into it have completed.
  __device__ __forceinline__ int take(barrier (&full)[STAGES]) {
    barrier_wait(full[stage], phase);
    return next();
  }
  // Producer acquire: returns the next stage to fill, once all its readers have released it. In the
  // first lap the stages are free: the wait is for the phase before the first, and returns at once.
  __device__ __forceinline__ int refill(barrier (&empty)[STAGES]) {
    barrier_wait(empty[stage], phase ^ 1);
    return next();
  }
};

// @helper drain needs ring
// Producer tail: waits until all stages that were filled have been released.
template <int STAGES>
__device__ __forceinline__ void drain(ring<STAGES>& ring, barrier (&empty)[STAGES]) {
  for (int i = 0; i < STAGES; ++i) ring.refill(empty);
}

// @end

}  // namespace v1
}  // namespace tile2cu
