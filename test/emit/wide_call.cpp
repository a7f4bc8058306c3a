// RUN: %tile2cu %s -o - | FileCheck %s
// A function of a part is worth its call only if the call is shorter than the part: the rest of this loop reads 102
// variables, and a call with as many arguments would be a part again, without end.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: {{^}}wide_kernel(
// CHECK: for (int k = 0; k < n; ++k)

__tile_global__ void wide(const float16* __restrict__ x, float* __restrict__ y, int n) {
  grid(1);
  auto i = arange<64>();
  auto a = load(x + i[all, none] * 64 + i[none, all]);
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < n; ++k) {
    auto key = (k + i)[none, all];
    auto m = key < n;
    auto least = key;
    for (int s : static_range<100>()) {
      m = (m & (key < n + s)) | (m & (key + s < n));
      least = minimum(least, maximum(least, s));
    }
    acc += where(m & (least < n), where(least < 7, -dot(a, a), 1.0f), 0.0f);
  }
  store(y + i[all, none] * 64 + i[none, all], acc);
}
inline constexpr auto wide_f16 = instantiate(wide, {.num_warps = 4});
