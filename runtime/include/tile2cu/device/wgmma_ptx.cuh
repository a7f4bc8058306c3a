// wgmma: MMA by a warpgroup (4 warps, the index of the first a multiple of 4) on the tensor cores
// of sm_90a.
//
// The emitter writes the instructions that a file uses, wgmma_m64n<N>k<K>_<types>, into that file
// (emit/device/wgmma_helpers.h), also if it includes this header. acc is 64 x N: element
// acc[j][h][c] of the thread with `lane` and `warp` of the warpgroup is in row 16 * warp + lane / 4
// + 8 * h, column 8 * j + 2 * (lane % 4) + c.
//
// An operand in shared memory consists of panels: rows of 128, 64 or 32 bytes, one after another,
// swizzled as TMA does it. A row holds elements of one m (or n) if the operand is k-major, of one k
// if it is mn-major; the 64 rows of m (or N of n), or the K rows of k, are in one panel. `first` is
// the address of the first element as if nothing were swizzled.
//
// wgmma is asynchronous: call wgmma_fence, the instructions, wgmma_commit and wgmma_wait. Only then
// does acc hold the result, and operands (those in registers too) may be modified.
#pragma once
#include <cstdint>
#include <type_traits>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper major
// The dimension of an operand that is contiguous in memory.
enum class major { k, mn };

// @helper wgmma_operand include <cstdint>
// The lower word of the matrix descriptor of an operand in shared memory. The operand is in panels
// with rows of ROW_BYTES. An mn-major operand that is wider than a panel continues in the next one,
// `panel_bytes` further.
template <int ROW_BYTES>
__device__ __forceinline__ uint32_t wgmma_operand(const void* first, int panel_bytes = 0) {
  static_assert(ROW_BYTES == 128 || ROW_BYTES == 64 || ROW_BYTES == 32,
                "wgmma_operand: rows of 128, 64 or 32 bytes");
  const uint32_t address = uint32_t(__cvta_generic_to_shared(first));
  return (address & 0x3ffff) >> 4 | uint32_t(panel_bytes) >> 4 << 16;
}

// @helper wgmma_operand_rows include <cstdint>
// The upper word of a matrix descriptor, which does not depend on the address: the swizzle, and the
// distance of 8 rows.
__host__ __device__ constexpr uint32_t wgmma_operand_rows(int row_bytes) {
  return uint32_t(row_bytes == 128  ? 1
                  : row_bytes == 64 ? 2
                                    : 3)
             << 30 |
         uint32_t(8 * row_bytes) >> 4;
}

// @helper register_of needs vec include <cstdint>
// The register of two 16-bit elements.
template <class T>
__device__ __forceinline__ uint32_t& register_of(vec<T, 2>& x) {
  static_assert(sizeof(T) == 2, "register_of: two elements in a register");
  return reinterpret_cast<uint32_t&>(x);
}

// @helper keep_registers needs register_of include <cstdint>
// Keeps the compiler from moving uses of these registers across this point.
__device__ __forceinline__ void keep_registers(uint32_t& x) {
  asm volatile("" : "+r"(x)::"memory");
}
__device__ __forceinline__ void keep_registers(float (&x)[4]) {
  asm volatile("" : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])::"memory");
}
__device__ __forceinline__ void keep_registers(int (&x)[4]) {
  asm volatile("" : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])::"memory");
}
template <class T>
__device__ __forceinline__ void keep_registers(vec<T, 2>& x) {
  static_assert(sizeof(T) == 2, "keep_registers: two elements are a register");
  // An instruction that changes nothing: otherwise ptxas would read halves of the register before a
  // wait.
  asm volatile("prmt.b32 %0, %0, 0, 0x3210;" : "+r"(register_of(x))::"memory");
}
template <class T, int N>
__device__ __forceinline__ void keep_registers(T (&x)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) keep_registers(x[i]);
}

// @helper wgmma_fence needs keep_registers
// Before the first wgmma, and after writes to acc or operands in registers. Those are `registers`,
// if they are given. Needs sm_90a.
template <class... R>
__device__ __forceinline__ void wgmma_fence(R&... registers) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  (keep_registers(registers), ...);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#else
  __trap();
#endif
}

// @helper wgmma_commit
// Closes the group of this warpgroup's new wgmmas. Needs sm_90a.
__device__ __forceinline__ void wgmma_commit() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#else
  __trap();
#endif
}

// @helper wgmma_wait needs keep_registers
// Waits until only the newest PENDING groups may be in flight. `registers` are the accumulators of
// the groups that are complete: uses of them stay after the wait. Needs sm_90a.
template <int PENDING, class... R>
__device__ __forceinline__ void wgmma_wait(R&... registers) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
  (keep_registers(registers), ...);
#else
  __trap();
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
