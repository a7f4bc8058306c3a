// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// The options of operations have to be constants.
#include <tile2cu/tile.h>
using namespace tl;

template <class X>
__tile__ auto narrowed(const X& x, rounding mode) {
  // CHECK: :[[@LINE+1]]:28: error: an option is not a constant; write it with literals
  return cast<bfloat16>(x, mode);
}

template <rounding MODE, class X>
__tile__ auto narrowed(const X& x) {
  return cast<bfloat16>(x, MODE);
}

__tile_global__ void chosen(const double* in, bfloat16* out, float* c, int n) {
  auto i = grid(1) + arange<32>();
  auto x = load(in + i);
  store(out + i, narrowed(x, rounding::rz));
  store(out + i, narrowed<rounding::rz>(x));
  // CHECK: :[[@LINE+1]]:36: error: an option is not a constant
  store(out + i, cast<bfloat16>(x, n > 3 ? rounding::rz : rounding::rn));
  auto a = full<float, 16, 16>(1.0f);
  // CHECK: :[[@LINE+1]]:67: error: an option is not a constant
  store(c + iota<0, 16, 16>() * 16 + iota<1, 16, 16>(), dot(a, a, n > 3 ? precision::ieee : precision::tf32));
  // CHECK: 3 errors generated
}
inline constexpr auto launch = instantiate(chosen);
