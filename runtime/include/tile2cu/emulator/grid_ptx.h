// The emulator runs one kernel after the other.
#pragma once
#include <climits>
#include <cstdint>

#include "../device/host.cuh"
#include "cuda.h"
#include "launch.h"

namespace tile2cu {
inline namespace v1 {

__forceinline__ void griddepcontrol_wait() {}
__forceinline__ void griddepcontrol_launch_dependents() {}

template <auto KERNEL, class... A>
inline cudaError_t launch(int64_t blocks, int threads, std::size_t smem_bytes, cudaStream_t stream,
                          const A&... arguments) {
  if (blocks < 0 || blocks > INT_MAX) return cudaErrorInvalidValue;
  if (blocks == 0) return cudaSuccess;
  const cudaError_t error = allow_shared_memory<KERNEL>(smem_bytes);
  if (error != cudaSuccess) return error;
  return emulate::launch(KERNEL, dim3(unsigned(blocks)), dim3(threads), smem_bytes, stream,
                         arguments...);
}

template <class... P, class... A>
inline cudaError_t launch_pdl(void (*kernel)(P...), dim3 blocks, unsigned threads, std::size_t smem,
                              cudaStream_t stream, const A&... arguments) {
  return emulate::launch(kernel, blocks, threads, smem, stream, arguments...);
}

}  // namespace v1
}  // namespace tile2cu
