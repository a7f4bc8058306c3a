// The position of a producer or a consumer in a ring buffer of stages.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#else
#include "mbarrier_ptx.cuh"
#endif

namespace tile2cu {
inline namespace v1 {

// @helper pipeline_state needs mbarrier, mbarrier_wait
// The next stage of a ring buffer, and the parity of the phase of its mbarriers: the number of the
// lap, modulo 2.
template <int STAGES>
struct pipeline_state {
  int stage = 0, phase = 0;
  __device__ __forceinline__ int next() {
    const int now = stage;
    if (++stage < STAGES) return now;
    stage = 0;
    phase ^= 1;
    return now;
  }
  // Returns the next stage to read, once all copies into it have completed.
  __device__ __forceinline__ int consumer_wait(mbarrier (&full)[STAGES]) {
    mbarrier_wait(full[stage], phase);
    return next();
  }
  // Returns the next stage to fill, once all its readers have released it. In the first lap the
  // stages are free: the wait is for the phase before the first, and returns at once.
  __device__ __forceinline__ int producer_acquire(mbarrier (&empty)[STAGES]) {
    mbarrier_wait(empty[stage], phase ^ 1);
    return next();
  }
};

// @helper producer_tail needs pipeline_state
// Waits until all stages that were filled have been released.
template <int STAGES>
__device__ __forceinline__ void producer_tail(pipeline_state<STAGES>& pipeline,
                                              mbarrier (&empty)[STAGES]) {
  for (int i = 0; i < STAGES; ++i) pipeline.producer_acquire(empty);
}

// @end

}  // namespace v1
}  // namespace tile2cu
