// The emulator runs one kernel after the other.
#pragma once
#include "cuda.h"
#include "launch.h"

namespace tile2cu {
inline namespace v1 {

__forceinline__ void griddepcontrol_wait() {}
__forceinline__ void griddepcontrol_launch_dependents() {}

template <class... P, class... A>
inline cudaError_t launch_pdl(void (*kernel)(P...), dim3 blocks, unsigned threads, std::size_t smem,
                              cudaStream_t stream, const A&... arguments) {
  return emulate::launch(kernel, blocks, threads, smem, stream, arguments...);
}

}  // namespace v1
}  // namespace tile2cu
