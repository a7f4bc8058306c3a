// Programmatic dependent launch: a kernel that was launched early starts before the preceding
// kernels of its stream have ended, and waits for them where it has to.
#pragma once

namespace tile2cu {
inline namespace v1 {

// @helper wait_for_grid_before
// Waits until the preceding kernels of the stream have ended and their writes are visible. Returns
// at once in a kernel that was not launched early. sm_90.
__device__ __forceinline__ void wait_for_grid_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#else
  __trap();
#endif
}

// @helper start_grid_behind
// Lets the dependent kernel of the stream start, if it was launched early, as soon as all blocks
// have called this or ended. sm_90.
__device__ __forceinline__ void start_grid_behind() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#else
  __trap();
#endif
}

// @helper launch_early include <cuda_runtime.h>
// Launches a kernel that waits for the preceding kernels itself (wait_for_grid_before).
template <class... P, class... A>
inline cudaError_t launch_early(void (*kernel)(P...), dim3 blocks, unsigned threads, size_t smem,
                                cudaStream_t stream, const A&... arguments) {
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = smem;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, P(arguments)...);
}

// @end

}  // namespace v1
}  // namespace tile2cu
