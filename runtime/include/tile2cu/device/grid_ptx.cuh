// Programmatic dependent launch: a kernel launched so starts before the preceding
// kernels of its stream have ended, and waits for them where it has to.
#pragma once

namespace tile2cu {
inline namespace v1 {

// @helper griddepcontrol_wait
// Waits for the stream's earlier kernels. They have ended then, and their writes are visible.
// Returns at once in a kernel that was launched otherwise. Needs sm_90.
__device__ __forceinline__ void griddepcontrol_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#else
  __trap();
#endif
}

// @helper griddepcontrol_launch_dependents
// Lets the next kernel of the stream start, once all blocks have called this or ended. That kernel
// is launched by launch_pdl. Needs sm_90.
__device__ __forceinline__ void griddepcontrol_launch_dependents() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#else
  __trap();
#endif
}

// @helper launch_pdl include <cuda_runtime.h>
// Launches a kernel that waits for the preceding kernels itself (griddepcontrol_wait).
template <class... P, class... A>
inline cudaError_t launch_pdl(void (*kernel)(P...), dim3 blocks, unsigned threads, size_t smem,
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
