// The emulator's device/fragment_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cuda.h"
#include "float16.h"
#include "intrinsics.h"
#include "tensor_core.h"

namespace tile2cu {
inline namespace v1 {

__forceinline__ uint32_t to_tf32(float x) {
  if (std::isnan(x)) return 0x7fffffff;
  if (std::isinf(x)) return __float_as_uint(x);
  return (__float_as_uint(x) + 0x1000) & 0xffffe000;  // a carry increments the exponent
}

__forceinline__ uint32_t pack_half(float first, float second) {
  return uint32_t{__half(first).bits} | uint32_t{__half(second).bits} << 16;
}
__forceinline__ uint32_t pack_bfloat16(float first, float second) {
  return uint32_t{__nv_bfloat16(first).bits} | uint32_t{__nv_bfloat16(second).bits} << 16;
}

// As the device helper, except that it may read elements that no thread has written, as ldmatrix
// does. Such elements are not used.
template <class R, int N, class At>
__forceinline__ void gather_fragment_at(R (&r)[N], At at) {
  using T = std::remove_pointer_t<decltype(at(0, 0))>;
  constexpr int IN_REGISTER = sizeof(R) / sizeof(T), HALVES = N == 4 ? 2 : 1;
  for (int i = 0; i < N; ++i)
    for (int e = 0; e < IN_REGISTER; ++e)
      emulate::read_fragment(reinterpret_cast<char*>(&r[i]) + e * sizeof(T),
                             at(i % HALVES * 8, i / HALVES * 4 * IN_REGISTER + e), sizeof(T));
}

template <class R, int N, class T>
__forceinline__ void gather_fragment(R (&r)[N], const T* p, int across, int along) {
  gather_fragment_at(r, [&](int row, int k) { return p + row * across + k * along; });
}

}  // namespace v1
}  // namespace tile2cu
