// The emulator's device/wgmma_ptx.cuh, and the instructions that the emitter writes
// (emit/device/wgmma_helpers.h): all of them. They complete as late as the waits allow, or at once
// (options::order); until the wait, acc holds poison.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>

#include "../device/bits.cuh"
#include "float16.h"
#include "wgmma.h"

namespace tile2cu {
inline namespace v1 {

enum class major { k, mn };

template <int ROW_BYTES>
__forceinline__ uint32_t wgmma_operand(const void* first, int panel_bytes = 0) {
  static_assert(ROW_BYTES == 128 || ROW_BYTES == 64 || ROW_BYTES == 32,
                "wgmma_operand: rows of 128, 64 or 32 bytes");
  return emulate::wgmma_operand(first, panel_bytes);
}
constexpr uint32_t wgmma_operand_rows(int row_bytes) {
  return uint32_t(row_bytes == 128  ? 1
                  : row_bytes == 64 ? 2
                                    : 3)
             << 30 |
         uint32_t(8 * row_bytes) >> 4;
}

template <class T>
__forceinline__ uint32_t& register_of(vec<T, 2>& x) {
  static_assert(sizeof(T) == 2, "register_of: two elements in a register");
  return reinterpret_cast<uint32_t&>(x);
}
template <class R>
__forceinline__ void keep_registers(R&) {}

template <class... R>
__forceinline__ void wgmma_fence(R&...) {
  emulate::wgmma_fence();
}
__forceinline__ void wgmma_commit() { emulate::wgmma_commit(); }
template <int PENDING, class... R>
__forceinline__ void wgmma_wait(R&...) {
  emulate::wgmma_wait(PENDING);
}

// The registers of an accumulator of 8 columns: T[4], or two pairs of 16-bit elements.
template <class T>
struct wgmma_fragment {
  using type = T[4];
};
template <>
struct wgmma_fragment<__half> {
  using type = vec<__half, 2>[2];
};

#define TILE2CU_WGMMA_FORM(NAME, N, K, T, A_ELEMENT, B_ELEMENT, ACC, DIMENSIONS, OPERAND_A,       \
                           REGISTERS, DESCRIPTION)                                                \
  template <major A, major B, int A_ROW_BYTES = 128, int B_ROW_BYTES = 128>                       \
  __forceinline__ void NAME(wgmma_fragment<T>::type(&acc) DIMENSIONS, OPERAND_A, uint32_t b,      \
                            bool accumulate) {                                                    \
    using emulate::mma_element;                                                                   \
    static_assert(K == 16 || (A == major::k && B == major::k), #NAME ": operands are major k");   \
    emulate::wgmma(                                                                               \
        {#NAME, mma_element::A_ELEMENT, mma_element::B_ELEMENT, emulate::mma_accumulator::ACC, N, \
         K, A == major::mn, B == major::mn, A_ROW_BYTES, B_ROW_BYTES},                            \
        acc, REGISTERS, DESCRIPTION, b, accumulate);                                              \
  }
#define TILE2CU_WGMMA_FORMS(NAME, N, K, T, A, B, ACC, DIMENSIONS)                  \
  TILE2CU_WGMMA_FORM(NAME, N, K, T, A, B, ACC, DIMENSIONS, uint32_t a, nullptr, a) \
  TILE2CU_WGMMA_FORM(NAME, N, K, T, A, B, ACC, DIMENSIONS, const uint32_t(&a)[4], a, 0)
#define TILE2CU_WGMMA(N, K, KIND, T, A, B, ACC) \
  TILE2CU_WGMMA_FORMS(wgmma_m64n##N##k##K##_##KIND, N, K, T, A, B, ACC, [N / 8])

// The instructions of one width: first those of float types, then those of integers.
#define TILE2CU_WGMMA_FLOATS(N)                            \
  TILE2CU_WGMMA(N, 16, f16, float, f16, f16, f32)          \
  TILE2CU_WGMMA(N, 16, bf16, float, bf16, bf16, f32)       \
  TILE2CU_WGMMA(N, 16, f16_acc_f16, __half, f16, f16, f16) \
  TILE2CU_WGMMA(N, 8, tf32, float, tf32, tf32, f32)        \
  TILE2CU_WGMMA(N, 32, e4m3, float, e4m3, e4m3, f32)       \
  TILE2CU_WGMMA(N, 32, e5m2, float, e5m2, e5m2, f32)       \
  TILE2CU_WGMMA(N, 32, e4m3_e5m2, float, e4m3, e5m2, f32)  \
  TILE2CU_WGMMA(N, 32, e5m2_e4m3, float, e5m2, e4m3, f32)
#define TILE2CU_WGMMA_INTS(N)                   \
  TILE2CU_WGMMA(N, 32, s8, int, s8, s8, s32)    \
  TILE2CU_WGMMA(N, 32, u8, int, u8, u8, s32)    \
  TILE2CU_WGMMA(N, 32, s8_u8, int, s8, u8, s32) \
  TILE2CU_WGMMA(N, 32, u8_s8, int, u8, s8, s32)
TILE2CU_WGMMA_FLOATS(8)
TILE2CU_WGMMA_FLOATS(16)
TILE2CU_WGMMA_FLOATS(24)
TILE2CU_WGMMA_FLOATS(32)
TILE2CU_WGMMA_FLOATS(40)
TILE2CU_WGMMA_FLOATS(48)
TILE2CU_WGMMA_FLOATS(56)
TILE2CU_WGMMA_FLOATS(64)
TILE2CU_WGMMA_FLOATS(72)
TILE2CU_WGMMA_FLOATS(80)
TILE2CU_WGMMA_FLOATS(88)
TILE2CU_WGMMA_FLOATS(96)
TILE2CU_WGMMA_FLOATS(104)
TILE2CU_WGMMA_FLOATS(112)
TILE2CU_WGMMA_FLOATS(120)
TILE2CU_WGMMA_FLOATS(128)
TILE2CU_WGMMA_FLOATS(136)
TILE2CU_WGMMA_FLOATS(144)
TILE2CU_WGMMA_FLOATS(152)
TILE2CU_WGMMA_FLOATS(160)
TILE2CU_WGMMA_FLOATS(168)
TILE2CU_WGMMA_FLOATS(176)
TILE2CU_WGMMA_FLOATS(184)
TILE2CU_WGMMA_FLOATS(192)
TILE2CU_WGMMA_FLOATS(200)
TILE2CU_WGMMA_FLOATS(208)
TILE2CU_WGMMA_FLOATS(216)
TILE2CU_WGMMA_FLOATS(224)
TILE2CU_WGMMA_FLOATS(232)
TILE2CU_WGMMA_FLOATS(240)
TILE2CU_WGMMA_FLOATS(248)
TILE2CU_WGMMA_FLOATS(256)
TILE2CU_WGMMA_INTS(8)
TILE2CU_WGMMA_INTS(16)
TILE2CU_WGMMA_INTS(24)
TILE2CU_WGMMA_INTS(32)
TILE2CU_WGMMA_INTS(48)
TILE2CU_WGMMA_INTS(64)
TILE2CU_WGMMA_INTS(80)
TILE2CU_WGMMA_INTS(96)
TILE2CU_WGMMA_INTS(112)
TILE2CU_WGMMA_INTS(128)
TILE2CU_WGMMA_INTS(144)
TILE2CU_WGMMA_INTS(160)
TILE2CU_WGMMA_INTS(176)
TILE2CU_WGMMA_INTS(192)
TILE2CU_WGMMA_INTS(208)
TILE2CU_WGMMA_INTS(224)
TILE2CU_WGMMA_INTS(240)
TILE2CU_WGMMA_INTS(256)

// Accumulators with a single column of 8, which have one dimension less.
TILE2CU_WGMMA_FORMS(wgmma_m64n8k16_f16, 8, 16, float, f16, f16, f32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k16_bf16, 8, 16, float, bf16, bf16, f32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k16_f16_acc_f16, 8, 16, __half, f16, f16, f16, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k8_tf32, 8, 8, float, tf32, tf32, f32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k32_e4m3, 8, 32, float, e4m3, e4m3, f32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k32_e5m2, 8, 32, float, e5m2, e5m2, f32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k32_e4m3_e5m2, 8, 32, float, e4m3, e5m2, f32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k32_e5m2_e4m3, 8, 32, float, e5m2, e4m3, f32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k32_s8, 8, 32, int, s8, s8, s32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k32_u8, 8, 32, int, u8, u8, s32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k32_s8_u8, 8, 32, int, s8, u8, s32, )
TILE2CU_WGMMA_FORMS(wgmma_m64n8k32_u8_s8, 8, 32, int, u8, s8, s32, )

#undef TILE2CU_WGMMA_INTS
#undef TILE2CU_WGMMA_FLOATS
#undef TILE2CU_WGMMA
#undef TILE2CU_WGMMA_FORMS
#undef TILE2CU_WGMMA_FORM

}  // namespace v1
}  // namespace tile2cu
