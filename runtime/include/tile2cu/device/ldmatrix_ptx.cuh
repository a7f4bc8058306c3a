// ldmatrix (sm_75): 8x8 matrices of 16-bit elements, from shared memory to the fragments of mma.
//
// A row is 16 bytes, at a multiple of 16. Lane l passes the address of row l % 8 of matrix l / 8
// and receives two neighbouring elements of a row of every matrix i: r[i] = elements (l / 4, 2 * (l
// % 4)) and (l / 4, 2 * (l % 4) + 1), the first in the lower half. With _trans they are neighbours
// in a column: elements (2 * (l % 4), l / 4) and (2 * (l % 4) + 1, l / 4).
//
// All 32 lanes take part. Before sm_80, lanes whose address is not used (8 to 31 of x1, 16 to 31 of
// x2) still have to pass a valid address.
#pragma once
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper ldmatrix_x1 include <cstdint>
// Loads one 8x8 matrix of 16-bit elements; lanes 0 to 7 pass the addresses of its rows.
// Needs sm_75.
__device__ __forceinline__ void ldmatrix_x1(uint32_t (&r)[1], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(r[0])
               : "r"(uint32_t(__cvta_generic_to_shared(row)))
               : "memory");
}

// @helper ldmatrix_x2 include <cstdint>
// Loads two 8x8 matrices of 16-bit elements; lanes 0 to 15 pass the addresses of their rows.
// Needs sm_75.
__device__ __forceinline__ void ldmatrix_x2(uint32_t (&r)[2], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(uint32_t(__cvta_generic_to_shared(row)))
               : "memory");
}

// @helper ldmatrix_x4 include <cstdint>
// Loads four 8x8 matrices of 16-bit elements. Lane l passes the address of row l % 8 of matrix l /
// 8. Needs sm_75.
__device__ __forceinline__ void ldmatrix_x4(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(uint32_t(__cvta_generic_to_shared(row)))
               : "memory");
}
// The same into two pairs of registers: the B fragments of two neighbouring mma instructions.
__device__ __forceinline__ void ldmatrix_x4(uint32_t (&r)[2], uint32_t (&s)[2], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(s[0]), "=r"(s[1])
               : "r"(uint32_t(__cvta_generic_to_shared(row)))
               : "memory");
}

// @helper ldmatrix_x1_trans include <cstdint>
// Loads one 8x8 matrix of 16-bit elements and transposes it; lanes 0 to 7 pass the addresses of its
// rows. Needs sm_75.
__device__ __forceinline__ void ldmatrix_x1_trans(uint32_t (&r)[1], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(r[0])
               : "r"(uint32_t(__cvta_generic_to_shared(row)))
               : "memory");
}

// @helper ldmatrix_x2_trans include <cstdint>
// Loads two 8x8 matrices of 16-bit elements and transposes them; lanes 0 to 15 pass the addresses
// of their rows. Needs sm_75.
__device__ __forceinline__ void ldmatrix_x2_trans(uint32_t (&r)[2], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(uint32_t(__cvta_generic_to_shared(row)))
               : "memory");
}

// @helper ldmatrix_x4_trans include <cstdint>
// Loads four 8x8 matrices of 16-bit elements, transposed. Lane l passes the address of row l % 8 of
// matrix l / 8. Needs sm_75.
__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(uint32_t(__cvta_generic_to_shared(row)))
               : "memory");
}
// The same into two pairs of registers: the B fragments of two neighbouring mma instructions.
__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t (&r)[2], uint32_t (&s)[2],
                                                  const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(s[0]), "=r"(s[1])
               : "r"(uint32_t(__cvta_generic_to_shared(row)))
               : "memory");
}

// @end

}  // namespace v1
}  // namespace tile2cu
