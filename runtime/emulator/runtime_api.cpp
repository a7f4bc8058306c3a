#include "tile2cu/emulator/runtime_api.h"

#include <chrono>
#include <cstring>
#include <map>
#include <mutex>

#include "machine_context.h"
#include "runtime_state.h"

struct CUevent_st {
  std::int64_t nanoseconds;
};

namespace emulate {

namespace {

thread_local cudaError_t last_error = cudaSuccess;

// Kernels that may have more than 48 KiB of shared memory.
struct Limits {
  std::mutex mutex;
  std::map<const void*, std::size_t> raised;
};
Limits& limits() {
  static auto& forever = *new Limits;
  return forever;
}

}  // namespace

cudaError_t setLastError(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

std::size_t smemLimitOf(const void* kernel) {
  const std::lock_guard lock(limits().mutex);
  const auto found = limits().raised.find(kernel);
  return found != limits().raised.end() ? found->second : 48 << 10;
}

}  // namespace emulate

using emulate::setLastError;

cudaError_t cudaGetLastError() {
  const cudaError_t error = emulate::last_error;
  emulate::last_error = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() { return emulate::last_error; }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorMisalignedAddress:
      return "cudaErrorMisalignedAddress";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorNotSupported:
      return "cudaErrorNotSupported";
  }
  return "cudaErrorUnknown";
}
const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return setLastError(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return setLastError(cudaErrorInvalidDevice);
  const emulate::options& options = emulate::settings();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = emulate::MAX_THREADS;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = options.multiprocessors;
      return cudaSuccess;
    case cudaDevAttrL2CacheSize:
      *value = 64 << 10;
      return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = 2048;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = options.compute_capability / 10;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = options.compute_capability % 10;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = 228 << 10;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = int(options.smem_limit);
      return cudaSuccess;
  }
  return setLastError(cudaErrorInvalidValue);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device != 0) return setLastError(cudaErrorInvalidDevice);
  const emulate::options& options = emulate::settings();
  *properties = {"emulated device", options.compute_capability / 10,
                 options.compute_capability % 10, options.multiprocessors};
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  std::memset(pointer, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t) {
  return cudaMemset(pointer, value, bytes);
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}

// A stream has no state: its address names it.
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = reinterpret_cast<cudaStream_t>(new char);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<char*>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status =
      emulate::settings().capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  std::swap(current, *mode);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  const auto clock = emulate::settings().clock;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  event->nanoseconds = clock != nullptr ? clock() : std::chrono::nanoseconds(now).count();
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  *milliseconds = float(end->nanoseconds - begin->nanoseconds) * 1e-6f;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || std::size_t(value) > emulate::settings().smem_limit) {
    return setLastError(cudaErrorInvalidValue);
  }
  const std::lock_guard lock(emulate::limits().mutex);
  emulate::limits().raised[kernel] = std::size_t(value);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int threads, std::size_t smem_bytes) {
  if (threads <= 0 || threads > int(emulate::MAX_THREADS))
    return setLastError(cudaErrorInvalidValue);
  // As CUDA does: no error, and no blocks, as long as the kernel may not have that much memory.
  if (smem_bytes > emulate::smemLimitOf(kernel)) {
    *blocks = 0;
    return cudaSuccess;
  }
  const int by_threads = 2048 / threads;
  const int by_smem = int((228 << 10) / (smem_bytes + 1024));
  *blocks = by_threads < by_smem ? by_threads : by_smem;
  if (*blocks > 32) *blocks = 32;
  return cudaSuccess;
}
