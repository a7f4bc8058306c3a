// RUN: %tile2cu %s -o - | FileCheck %s
// The steps of a range are as many as its numbers say: where the sum behind the last one may be no number of the type, the text asks
// before it adds. Where it always is, and in a `for` of C++, it just adds.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void steps(int64_t* __restrict__ o, int a, int b, int64_t c, unsigned u) {
  require(a > 0);
  grid(1);
  int64_t n = 0;
  for (auto k1 : range(a, b, 4)) n += k1 / 3;
  for (auto k2 : range(b, a, -3)) n += k2 / 3;
  for (auto k3 : range(b)) n += k3 / 3;
  for (int k4 = 0; k4 < b; k4 += 4) n += k4 / 3;
  for (auto k5 : range(int64_t(0), b, 4)) n += k5 / 3;
  for (auto k6 : range(a, 1000, 4)) n += k6 / 3;
  for (auto k7 : range(u, 3, -1)) n += k7 / 3;
  for (auto k8 : range(int64_t(a), c, a)) n += k8 / 3;
  store(o, n);
}
inline constexpr auto f = instantiate(steps, {.num_warps = 1});

// CHECK-LABEL: steps_kernel(
// CHECK: for (int k1 = a; k1 < b; k1 = tile2cu::step_up(k1, 4, b))
// CHECK: for (int k2 = b; k2 > a; k2 = tile2cu::step_down(k2, -3, a))
// CHECK: for (int k3 = 0; k3 < b; ++k3)
// CHECK: for (int k4 = 0; k4 < b; k4 += 4)
// CHECK: for (int64_t k5 = 0; k5 < b; k5 += 4)
// CHECK: for (int k6 = a; k6 < 1000; k6 += 4)
// CHECK: for (uint32_t k7 = u; k7 > 3u; --k7)
// CHECK: for (int64_t k8 = a; k8 < c; k8 = tile2cu::step_up(k8, int64_t(a), c))
