// The emulator's device/mma_8bit_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "tensor_core.h"

namespace tile2cu {
inline namespace v1 {

TILE2CU_MMA(mma_m16n8k32_s8, int, 4, uint32_t, 4, 2, s8, s8, s32, 32)
TILE2CU_MMA(mma_m16n8k32_u8, int, 4, uint32_t, 4, 2, u8, u8, s32, 32)
TILE2CU_MMA(mma_m16n8k32_s8_u8, int, 4, uint32_t, 4, 2, s8, u8, s32, 32)
TILE2CU_MMA(mma_m16n8k32_u8_s8, int, 4, uint32_t, 4, 2, u8, s8, s32, 32)
TILE2CU_MMA(mma_m16n8k16_s8, int, 4, uint32_t, 2, 1, s8, s8, s32, 16)
TILE2CU_MMA(mma_m16n8k16_u8, int, 4, uint32_t, 2, 1, u8, u8, s32, 16)
TILE2CU_MMA(mma_m16n8k16_s8_u8, int, 4, uint32_t, 2, 1, s8, u8, s32, 16)
TILE2CU_MMA(mma_m16n8k16_u8_s8, int, 4, uint32_t, 2, 1, u8, s8, s32, 16)
TILE2CU_MMA(mma_m16n8k32_e4m3, float, 4, uint32_t, 4, 2, e4m3, e4m3, f32, 32)
TILE2CU_MMA(mma_m16n8k32_e5m2, float, 4, uint32_t, 4, 2, e5m2, e5m2, f32, 32)
TILE2CU_MMA(mma_m16n8k32_e4m3_e5m2, float, 4, uint32_t, 4, 2, e4m3, e5m2, f32, 32)
TILE2CU_MMA(mma_m16n8k32_e5m2_e4m3, float, 4, uint32_t, 4, 2, e5m2, e4m3, f32, 32)

}  // namespace v1
}  // namespace tile2cu
