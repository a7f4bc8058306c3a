// A memset for the Python harness: what a C++ caller does before column_sum.
#include <cuda_runtime.h>

#include <cstdint>

extern "C" cudaError_t memset_async(void* data, int64_t bytes, cudaStream_t stream) {
  return cudaMemsetAsync(data, 0, static_cast<size_t>(bytes), stream);
}
