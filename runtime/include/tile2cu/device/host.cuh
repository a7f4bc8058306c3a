// Helpers of launchers. Host code.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <atomic>
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper aligned include <cstdint>
// Whether every pointer is a multiple of BYTES.
template <int BYTES, class... P>
inline bool aligned(const P*... pointers) {
  return ((reinterpret_cast<uintptr_t>(pointers) % BYTES == 0) && ...);
}

// @helper divisible
// Whether every number is a multiple of N.
template <int N, class... I>
constexpr bool divisible(I... numbers) {
  return ((numbers % N == 0) && ...);
}

// @helper resident_blocks
// For __launch_bounds__: blocks that keep `resident_threads` threads on a multiprocessor. It also
// tells ptxas how many registers it may use: without it, ptxas may serialize loads to save some.
constexpr int resident_blocks(int threads, int resident_threads) {
  const int blocks = resident_threads / threads;
  return blocks < 1 ? 1 : blocks < 16 ? blocks : 16;  // every architecture allows 16
}

// @helper cdiv needs same include <cstdint>
template <class T = int64_t>  // a / b, rounded up
__host__ __device__ constexpr T cdiv(same<T> a, same<T> b) {
  return a / b + (a % b > 0);
}

// @helper grid_size include <cstdint>, <initializer_list>
// The product of the sizes. If none is 0: -1 if one is negative or if it does not fit in int64_t.
inline int64_t grid_size(std::initializer_list<int64_t> sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) {
    if (size == 0) return 0;
    product = product < 0 || size < 0 || product > INT64_MAX / size ? -1 : product * size;
  }
  return product;
}

// @helper multiprocessors include <cuda_runtime.h>
// The number of multiprocessors of the current device.
inline cudaError_t multiprocessors(int& count) {
  int device = 0;
  const cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
}

// @helper allow_shared_memory include <cuda_runtime.h>, <atomic>, <cstdint>
// Lets KERNEL be launched with more than 48 KiB of dynamic shared memory, which each device has to
// be asked for once.
template <auto KERNEL>
inline cudaError_t allow_shared_memory(size_t bytes) {
  static std::atomic<uint64_t> opted_in{0};  // one bit for each of the first 64 devices
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  const uint64_t bit = device < 64 ? uint64_t{1} << device : 0;
  if (opted_in.load(std::memory_order_relaxed) & bit) return cudaSuccess;
  error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  if (error == cudaSuccess) opted_in.fetch_or(bit, std::memory_order_relaxed);
  return error;
}

// @helper limit_to_resident needs multiprocessors include <algorithm>, <cstdint>
// Lowers `blocks` to the number of blocks of this kernel that the current device runs at a time.
// cudaErrorInvalidConfiguration: it cannot run one; call allow_shared_memory first.
template <class... P>
inline cudaError_t limit_to_resident(int64_t& blocks, void (*kernel)(P...), int threads,
                                     size_t smem_bytes) {
  int count = 0, resident = 0;
  cudaError_t error = multiprocessors(count);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, smem_bytes);
  if (error == cudaSuccess && resident == 0) error = cudaErrorInvalidConfiguration;
  if (error == cudaSuccess) blocks = std::min(blocks, int64_t{count} * resident);
  return error;
}

// @end

}  // namespace v1
}  // namespace tile2cu
