// Tensor maps for TMA (tma_ptx.cuh). Host code.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#else
#include <cuda.h>
#include <cuda_runtime.h>
#endif
#include <atomic>
#include <cstdint>
#include <initializer_list>

namespace tile2cu {
inline namespace v1 {

// @helper tensor_map_encoder include <atomic>, <cuda.h>, <cuda_runtime.h>
// Finds the driver function that encodes tensor maps, once, so that programs need not link with the
// driver.
inline cudaError_t tensor_map_encoder(decltype(&cuTensorMapEncodeTiled)& encoder) {
  static std::atomic<decltype(&cuTensorMapEncodeTiled)> known{nullptr};
  encoder = known.load(std::memory_order_relaxed);
  if (encoder != nullptr) return cudaSuccess;
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  const cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry,
                                                             12000, cudaEnableDefault, &found);
#else
  const cudaError_t error =
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif
  if (error != cudaSuccess) return error;
  if (found != cudaDriverEntryPointSuccess) return cudaErrorNotSupported;
  encoder = reinterpret_cast<decltype(encoder)>(entry);
  known.store(encoder, std::memory_order_relaxed);
  return cudaSuccess;
}

// @helper make_tensor_map needs tensor_map_encoder, coordinate include <cstdint>, <cuda.h>, <cuda_runtime.h>, <initializer_list>
// Encodes the tensor map of a tensor of 1 to 5 dimensions, the contiguous dimension first.
// `strides` are those of the other dimensions, in bytes (multiples of 16, as is `base`); `box` is
// the tensor box of one copy. `swizzle` is that of the rows of the box in shared memory, which have
// at most so many bytes: 128, 64 or 32; 0 for none. An extent below 1 becomes 1, as nothing is
// copied then; extents are at most MAX_EXTENT. A null `base` has an empty map: the kernel tests
// the pointer before it copies.
inline cudaError_t make_tensor_map(CUtensorMap* map, CUtensorMapDataType type, const void* base,
                                   std::initializer_list<int64_t> extents,
                                   std::initializer_list<int64_t> strides,
                                   std::initializer_list<int> box, int swizzle) {
  if (base == nullptr) {
    *map = CUtensorMap{};
    return cudaSuccess;
  }
  const int rank = int(extents.size());
  if (rank < 1 || rank > 5 || int(strides.size()) != rank - 1 || int(box.size()) != rank)
    return cudaErrorInvalidValue;
  cuuint64_t extent[5] = {}, stride[5] = {};
  cuuint32_t boxes[5] = {}, step[5] = {1, 1, 1, 1, 1};
  for (int d = 0; d < rank; ++d) {
    const int64_t given = extents.begin()[d];
    if (given > MAX_EXTENT || box.begin()[d] < 1) return cudaErrorInvalidValue;
    extent[d] = cuuint64_t(given < 1 ? 1 : given);
    boxes[d] = cuuint32_t(box.begin()[d]);
    if (d > 0) stride[d - 1] = cuuint64_t(strides.begin()[d - 1]);
    if (d > 0 && (stride[d - 1] % 16 != 0 || stride[d - 1] >> 40 != 0))
      return cudaErrorInvalidValue;
  }
  if (reinterpret_cast<uintptr_t>(base) % 16 != 0) return cudaErrorInvalidValue;
  const CUtensorMapSwizzle mode = swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                  : swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                  : swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                  : CU_TENSOR_MAP_SWIZZLE_NONE;
  decltype(&cuTensorMapEncodeTiled) encode = nullptr;
  const cudaError_t error = tensor_map_encoder(encode);
  if (error != cudaSuccess) return error;
  const CUresult result =
      encode(map, type, cuuint32_t(rank), const_cast<void*>(base), extent, stride, boxes, step,
             CU_TENSOR_MAP_INTERLEAVE_NONE, mode, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

// @helper crosses_lines include <cstdint>, <initializer_list>
// Whether some rows of an array, `strides` bytes apart, do not start at a cache line (128 bytes): a
// copy of 128 bytes of such a row moves two lines.
inline bool crosses_lines(const void* array, std::initializer_list<int64_t> strides) {
  if (reinterpret_cast<uintptr_t>(array) % 128 != 0) return true;
  for (const int64_t stride : strides)
    if (stride % 128 != 0) return true;
  return false;
}

// @end

}  // namespace v1
}  // namespace tile2cu
