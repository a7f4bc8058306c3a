// Matrix products of a warpgroup (4 warps, the first one's number a multiple of 4) on the tensor
// cores of sm_90a.
//
// The products themselves, wgmma_m64n<N>k<K>_<types>, are written by the emitter as they are used
// (emit/device/wgmma_helpers.h), into files that include this header as well. acc is 64 x N: element
// acc[j][h][c] of the thread with `lane` and `warp` of the warpgroup stands in row 16 * warp + lane
// / 4 + 8 * h, column 8 * j + 2 * (lane % 4) + c.
//
// An operand in shared memory consists of panels: rows of 128, 64 or 32 bytes, one after another,
// swizzled as TMA does it. A row holds elements of one m (or n) if the operand's major is k, of one
// k if it is mn; the 64 rows of m (or N of n), or the K rows of k, are in one panel. `first` is the
// address of the first element as if nothing were swizzled.
//
// Asynchronous: wgmma_fence, the products, wgmma_commit, wgmma_wait; only then acc holds the sums,
// and operands (those in registers too) may be changed.
#pragma once
#include <cstdint>
#include <type_traits>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper major
// The dimension along which neighbours in memory follow each other.
enum class major { k, mn };

// @helper wgmma_operand include <cstdint>
// An operand in shared memory, for wgmma, in panels with rows of ROW_BYTES. An operand that is
// wider than a panel (major mn) goes on in the next one, `panel_bytes` further.
template <int ROW_BYTES>
__device__ __forceinline__ uint32_t wgmma_operand(const void* first, int panel_bytes = 0) {
  static_assert(ROW_BYTES == 128 || ROW_BYTES == 64 || ROW_BYTES == 32,
                "wgmma_operand: rows of 128, 64 or 32 bytes");
  const uint32_t address = uint32_t(__cvta_generic_to_shared(first));
  return (address & 0x3ffff) >> 4 | uint32_t(panel_bytes) >> 4 << 16;
}

// @helper wgmma_operand_rows include <cstdint>
// What does not change in the description of an operand: the upper word. Its swizzle, and the
// distance of 8 rows.
__host__ __device__ constexpr uint32_t wgmma_operand_rows(int row_bytes) {
  return uint32_t(row_bytes == 128  ? 1
                  : row_bytes == 64 ? 2
                                    : 3)
             << 30 |
         uint32_t(8 * row_bytes) >> 4;
}

// @helper register_of needs vec include <cstdint>
// Two 16-bit elements as the register that they are in.
template <class T>
__device__ __forceinline__ uint32_t& register_of(vec<T, 2>& x) {
  static_assert(sizeof(T) == 2, "register_of: two elements in a register");
  return reinterpret_cast<uint32_t&>(x);
}

// @helper keep_registers needs register_of include <cstdint>, <type_traits>
// Keeps the compiler from moving uses of these registers across this place.
__device__ __forceinline__ void keep_registers(uint32_t& x) {
  asm volatile("" : "+r"(x)::"memory");
}
template <class T>
__device__ __forceinline__ void keep_registers(vec<T, 2>& x) {
  if constexpr (std::is_same_v<T, float>) {
    asm volatile("" : "+f"(x[0]), "+f"(x[1])::"memory");
  } else if constexpr (sizeof(T) == 2) {
    // An instruction that changes nothing: ptxas would read halves of the register ahead of a wait.
    asm volatile("prmt.b32 %0, %0, 0, 0x3210;" : "+r"(register_of(x))::"memory");
  } else {
    asm volatile("" : "+r"(x[0]), "+r"(x[1])::"memory");
  }
}
template <class T, int N>
__device__ __forceinline__ void keep_registers(T (&x)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) keep_registers(x[i]);
}

// @helper wgmma_fence needs keep_registers
// Before the first wgmma, and whenever threads have changed acc or operands in registers since:
// `registers`, if they are given. sm_90a.
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
// Closes the group of all wgmma that this warpgroup has started since the last commit. sm_90a.
__device__ __forceinline__ void wgmma_commit() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#else
  __trap();
#endif
}

// @helper wgmma_wait needs keep_registers
// Waits until at most PENDING of the committed groups are on their way: the newest ones.
// `registers` are the acc of those that are complete: uses of them stay behind the wait. sm_90a.
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
