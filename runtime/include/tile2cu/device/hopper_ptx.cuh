// The check whether a launcher can use kernels that are written only for Hopper (sm_90a).
#pragma once
#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper on_hopper include <atomic>, <cstdint>, <cuda_runtime.h>
// Whether the current device runs code of this file that was compiled for sm_90a: false on other
// devices, and on Hopper for code that was compiled for sm_90, sm_80 and so on. The loaded code
// itself says so, by the maximum number of threads per block of this kernel.
constexpr int most_threads_of_probe() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  return 64;
#else
  return 32;
#endif
}
template <int>
static __global__ void __launch_bounds__(most_threads_of_probe()) hopper_probe() {}

// Static, because another file may be compiled for other devices.
static inline bool on_hopper() {
  static std::atomic<uint64_t> asked{0}, found{0};  // one bit per device
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return false;
  const uint64_t bit = uint64_t{1} << device % 64;
  if (!(asked.load(std::memory_order_acquire) & bit)) {
    cudaFuncAttributes probe;
    if (cudaFuncGetAttributes(&probe, hopper_probe<0>) != cudaSuccess) return false;
    if (probe.maxThreadsPerBlock > 32) found.fetch_or(bit, std::memory_order_relaxed);
    asked.fetch_or(bit, std::memory_order_release);
  }
  return found.load(std::memory_order_relaxed) & bit;
}

// @end

}  // namespace v1
}  // namespace tile2cu
