// The code of the emulated device is compiled for sm_90a.
#pragma once
#include "options.h"

namespace tile2cu {
inline namespace v1 {

static inline bool on_hopper() { return emulate::settings().compute_capability == 90; }

}  // namespace v1
}  // namespace tile2cu
