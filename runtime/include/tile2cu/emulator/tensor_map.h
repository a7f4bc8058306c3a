// The part of the CUDA driver API that encodes tensor maps.
#pragma once
#include <cstdint>

#include "runtime_api.h"

#define CUDART_VERSION 13000

using cuuint32_t = std::uint32_t;
using cuuint64_t = std::uint64_t;
enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 };

// Only runtime/emulator/tensor_map.h knows its contents.
struct alignas(64) CUtensorMap {
  cuuint64_t opaque[16];
};

enum CUtensorMapDataType {
  CU_TENSOR_MAP_DATA_TYPE_UINT8,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
};
enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE };
enum CUtensorMapSwizzle {
  CU_TENSOR_MAP_SWIZZLE_NONE,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B,
};
enum CUtensorMapL2promotion {
  CU_TENSOR_MAP_L2_PROMOTION_NONE,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
};
enum CUtensorMapFloatOOBfill { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE };

// Rejects what the driver rejects, and also rows of a box that are shorter than their swizzle,
// which emitted code does not use.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* base, const cuuint64_t* extents, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess,
  cudaDriverEntryPointSymbolNotFound,
};
inline constexpr unsigned long long cudaEnableDefault = 0;
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found);
