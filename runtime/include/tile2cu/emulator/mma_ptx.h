// The emulator's device/mma_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "tensor_core.h"

namespace tile2cu {
inline namespace v1 {

TILE2CU_MMA(mma_m16n8k16_f16, float, 4, uint32_t, 4, 2, f16, f16, f32, 16)
TILE2CU_MMA(mma_m16n8k8_f16, float, 4, uint32_t, 2, 1, f16, f16, f32, 8)
TILE2CU_MMA(mma_m16n8k16_f16_acc_f16, uint32_t, 2, uint32_t, 4, 2, f16, f16, f16, 16)
TILE2CU_MMA(mma_m16n8k8_f16_acc_f16, uint32_t, 2, uint32_t, 2, 1, f16, f16, f16, 8)
TILE2CU_MMA(mma_m16n8k16_bf16, float, 4, uint32_t, 4, 2, bf16, bf16, f32, 16)
TILE2CU_MMA(mma_m16n8k8_bf16, float, 4, uint32_t, 2, 1, bf16, bf16, f32, 8)
TILE2CU_MMA(mma_m16n8k8_tf32, float, 4, uint32_t, 4, 2, tf32, tf32, f32, 8)
TILE2CU_MMA(mma_m16n8k4_tf32, float, 4, uint32_t, 2, 1, tf32, tf32, f32, 4)
TILE2CU_MMA(mma_m8n8k4_f64, double, 2, double, 1, 1, f64, f64, f64, 4)

}  // namespace v1
}  // namespace tile2cu
