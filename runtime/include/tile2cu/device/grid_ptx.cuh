// Programmatic dependent launch: a kernel launched so starts before the preceding
// kernels of its stream have ended, and waits for them where it has to.
#pragma once

#include "host.cuh"

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

// @helper launch needs allow_shared_memory include <cuda_runtime.h>, <climits>, <cstdint>
// Launches KERNEL with more than 48 KiB of dynamic shared memory. Nothing is launched if there are
// no blocks. cudaErrorInvalidValue: their number is negative or does not fit in an int.
template <auto KERNEL, class... A>
inline cudaError_t launch(int64_t blocks, int threads, size_t smem_bytes, cudaStream_t stream,
                          const A&... arguments) {
  if (blocks < 0 || blocks > INT_MAX) return cudaErrorInvalidValue;
  if (blocks == 0) return cudaSuccess;
  const cudaError_t error = allow_shared_memory<KERNEL>(smem_bytes);
  if (error != cudaSuccess) return error;
  KERNEL<<<unsigned(blocks), threads, smem_bytes, stream>>>(arguments...);
  return cudaGetLastError();
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
