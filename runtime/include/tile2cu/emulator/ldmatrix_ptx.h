// The emulator's device/ldmatrix_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "tensor_core.h"

#define TILE2CU_LDMATRIX(NAME, COUNT, TRANSPOSED)                   \
  __forceinline__ void NAME(uint32_t(&r)[COUNT], const void* row) { \
    emulate::ldmatrix(#NAME, COUNT, TRANSPOSED, r, row);            \
  }
#define TILE2CU_LDMATRIX_PAIR(NAME, TRANSPOSED)                                  \
  __forceinline__ void NAME(uint32_t(&r)[2], uint32_t(&s)[2], const void* row) { \
    uint32_t all[4];                                                             \
    emulate::ldmatrix(#NAME, 4, TRANSPOSED, all, row);                           \
    r[0] = all[0], r[1] = all[1], s[0] = all[2], s[1] = all[3];                  \
  }

namespace tile2cu {
inline namespace v1 {

TILE2CU_LDMATRIX(ldmatrix_x1, 1, false)
TILE2CU_LDMATRIX(ldmatrix_x2, 2, false)
TILE2CU_LDMATRIX(ldmatrix_x4, 4, false)
TILE2CU_LDMATRIX_PAIR(ldmatrix_x4, false)
TILE2CU_LDMATRIX(ldmatrix_x1_trans, 1, true)
TILE2CU_LDMATRIX(ldmatrix_x2_trans, 2, true)
TILE2CU_LDMATRIX(ldmatrix_x4_trans, 4, true)
TILE2CU_LDMATRIX_PAIR(ldmatrix_x4_trans, true)

}  // namespace v1
}  // namespace tile2cu

#undef TILE2CU_LDMATRIX
#undef TILE2CU_LDMATRIX_PAIR
