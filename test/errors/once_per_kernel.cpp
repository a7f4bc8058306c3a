// An error in several variants of a kernel (wide accesses, element-wise accesses, Hopper) is
// reported once.
// RUN: not %tile2cu %s --arch=sm_80,sm_90a -o - 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %tile2cu %s --arch=sm_80,sm_90a -DLARGE -o - 2>&1 | FileCheck %s --check-prefix=LARGE --implicit-check-not=error:
#include <tile2cu/tile.h>
using namespace tl;

#ifdef LARGE
__tile_global__ void copy(const float* __restrict__ in, float* __restrict__ out, int n) {
  auto i = grid(n) * 32768 + arange<32768>();
  // LARGE: :[[@LINE+1]]:{{[0-9]+}}: error: a tile of 32768 elements is too large for 1 warps
  store(out + i, load(in + i) + 1);
}
inline constexpr auto large = instantiate(copy, {.num_warps = 1});
// LARGE: 1 error generated
#else
template <int BLOCK>
__tile_global__ void combined(const float* __restrict__ in, float* __restrict__ out, int n) {
  auto row = grid(n);
  auto x = load(in + row * BLOCK + arange<BLOCK>());
  // CHECK: :[[@LINE+1]]:14: error: a reduction or scan with its own combine function needs a size that fills its layout, but 1000 is padded to 1024
  out[row] = reduce<0>(x, [](float a, float b) { return a + b + a * b; });
}
inline constexpr auto padded = instantiate(combined<1000>, {.num_warps = 1});
// CHECK: 1 error generated
#endif
