// Launchers with the names of functions that the text defines for another launcher.
// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK>
__tile_global__ void fill(float* x, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  store(x + i, 1.0f, i < n);
}
inline constexpr auto fast = tune(key(), candidate(fill<64>), candidate(fill<128>));
// CHECK: :[[@LINE+1]]:23: error: 'fast_pin' is a name of another launcher or of its functions, so nvcc would refuse this launcher; give the launcher and its namespaces other names
inline constexpr auto fast_pin = instantiate(fill<32>);
// CHECK: :[[@LINE+1]]:23: error: 'fast_tuner' is a name of another launcher or of its functions
inline constexpr auto fast_tuner = instantiate(fill<32>);

namespace other {
inline constexpr auto fast_pin = instantiate(fill<32>);
// The names of inline namespaces are those of the namespace around them.
inline namespace first {
inline constexpr auto same = instantiate(fill<32>);
}
inline namespace second {
// CHECK: :[[@LINE+1]]:23: error: 'same' is a name of another launcher or of its functions
inline constexpr auto same = instantiate(fill<32>);
}
}  // namespace other
// CHECK: 3 errors generated.
