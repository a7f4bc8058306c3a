#include "tensor_map.h"

#include <algorithm>

namespace emulate {

TensorMap::Row TensorMap::row(const int* corner, unsigned number) const {
  std::uint64_t address = base;
  bool inside = true;
  for (int d = 1; d < rank; ++d) {
    const std::int64_t at = std::int64_t{corner[d]} + number % box[d];
    number /= box[d];
    inside = inside && at >= 0 && at <= last[d];
    if (inside) address += std::uint64_t(at) * strides[d];
  }
  const std::int64_t first = corner[0];
  const std::int64_t begin = std::max<std::int64_t>(0, -first);
  const std::int64_t end = std::min<std::int64_t>(box[0], std::int64_t{last[0]} + 1 - first);
  if (!inside || begin >= end) return {0, 0, nullptr};
  address += std::uint64_t(first + begin) * element;
  return {begin, end, reinterpret_cast<unsigned char*>(address)};
}

static unsigned bytesOf(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      return 4;
  }
}

}  // namespace emulate

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* base, const cuuint64_t* extents, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* steps,
                                CUtensorMapInterleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  emulate::TensorMap made;
  if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0 || rank < 1 || rank > 5)
    return CUDA_ERROR_INVALID_VALUE;
  made.rank = std::uint8_t(rank);
  made.element = std::uint8_t(emulate::bytesOf(type));
  made.base = reinterpret_cast<std::uintptr_t>(base);
  made.swizzle =
      std::uint16_t(swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? 0 : 16u << unsigned(swizzle));
  if (made.base % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  for (cuuint32_t d = 0; d < rank; ++d) {
    if (extents[d] < 1 || extents[d] > cuuint64_t{1} << 32) return CUDA_ERROR_INVALID_VALUE;
    if (box[d] < 1 || box[d] > 256 || steps[d] != 1) return CUDA_ERROR_INVALID_VALUE;
    made.last[d] = std::uint32_t(extents[d] - 1);
    made.box[d] = std::uint16_t(box[d]);
    made.strides[d] = d == 0 ? made.element : strides[d - 1];
    if (d > 0 && (made.strides[d] % 16 != 0 || made.strides[d] >> 40 != 0))
      return CUDA_ERROR_INVALID_VALUE;
  }
  if (made.rowBytes() % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  if (made.swizzle != 0 && made.rowBytes() != made.swizzle) return CUDA_ERROR_INVALID_VALUE;
  std::memset(map, 0, sizeof(*map));
  std::memcpy(map, &made, sizeof(made));
  return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  const bool known = std::strcmp(name, "cuTensorMapEncodeTiled") == 0;
  *entry = known ? reinterpret_cast<void*>(&cuTensorMapEncodeTiled) : nullptr;
  *found = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
