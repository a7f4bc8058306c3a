// The emulator's device/stmatrix_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "tensor_core.h"

namespace tile2cu {
inline namespace v1 {

__forceinline__ void stmatrix_x1(void* row, uint32_t r0) {
  const uint32_t r[] = {r0};
  emulate::stmatrix("stmatrix_x1", 1, false, row, r);
}
__forceinline__ void stmatrix_x2(void* row, uint32_t r0, uint32_t r1) {
  const uint32_t r[] = {r0, r1};
  emulate::stmatrix("stmatrix_x2", 2, false, row, r);
}
__forceinline__ void stmatrix_x4(void* row, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) {
  const uint32_t r[] = {r0, r1, r2, r3};
  emulate::stmatrix("stmatrix_x4", 4, false, row, r);
}
__forceinline__ void stmatrix_x1_trans(void* row, uint32_t r0) {
  const uint32_t r[] = {r0};
  emulate::stmatrix("stmatrix_x1_trans", 1, true, row, r);
}
__forceinline__ void stmatrix_x2_trans(void* row, uint32_t r0, uint32_t r1) {
  const uint32_t r[] = {r0, r1};
  emulate::stmatrix("stmatrix_x2_trans", 2, true, row, r);
}
__forceinline__ void stmatrix_x4_trans(void* row, uint32_t r0, uint32_t r1, uint32_t r2,
                                       uint32_t r3) {
  const uint32_t r[] = {r0, r1, r2, r3};
  emulate::stmatrix("stmatrix_x4_trans", 4, true, row, r);
}

}  // namespace v1
}  // namespace tile2cu
