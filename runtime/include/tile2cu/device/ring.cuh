// The place of a producer or a consumer in a ring of stages.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif

namespace tile2cu {
inline namespace v1 {

// @helper ring
// The stage whose turn it is, and the phase of its barriers: the lap, modulo 2. A consumer waits
// for `full` with this phase, a producer for `empty` with the other one, as there is nothing to
// wait for in its first lap.
template <int STAGES>
struct ring {
  int stage = 0, phase = 0;
  __device__ __forceinline__ void next() {
    if (++stage < STAGES) return;
    stage = 0;
    phase ^= 1;
  }
};

// @end

}  // namespace v1
}  // namespace tile2cu
