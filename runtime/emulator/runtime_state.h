// The state of the CUDA runtime API between calls.
#pragma once
#include <cstddef>

#include "tile2cu/emulator/runtime_api.h"

namespace emulate {

// Remembers an error for cudaGetLastError, and returns it.
cudaError_t setLastError(cudaError_t error);
// The dynamic shared memory that a kernel may have (cudaFuncSetAttribute).
std::size_t smemLimitOf(const void* kernel);

}  // namespace emulate
