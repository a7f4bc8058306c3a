// Steps of ranges with unknown sign. The sign may follow from the range of the step, or from the launcher's checks.
// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// RUN: not %tile2cu %s -o - 2>&1 | grep -c "error:" | FileCheck --check-prefix=COUNT %s
// COUNT: {{^3$}}
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void ranges(int64_t* out, int n, int step, int positive, int16_t small, int a, unsigned u) {
  require(positive > 0 && small >= 1);
  auto row = grid(n);
  int64_t x = 0;
  for (auto i : range(0, n, positive)) x += i;
  for (auto i : range(0, n, small)) x += i;
  for (auto i : range(0, n, positive * 2 + small)) x += i;
  for (auto i : range(row, n, num_programs(0))) x += i;
  for (auto i : range(0, n, step & 63)) x += i;
  for (auto i : range(0u, u, positive)) x += i;
  // CHECK: :[[@LINE+1]]:29: error: the sign of this step is not known; make it a constant, write require(step > 0) at the start of the kernel, or write for (auto i = a; i < b; i += step){{$}}
  for (auto i : range(0, n, step)) x += i;
  // An unsigned loop variable does not make the step unsigned.
  // CHECK: :[[@LINE+1]]:30: error: the sign of this step is not known
  for (auto i : range(0u, u, step)) x += i;
  // CHECK: :[[@LINE+1]]:29: error: the sign of this step is not known
  for (auto i : range(0, n, (a + positive))) x += i;
  out[row] = x;
}
inline constexpr auto f = instantiate(ranges, {.num_warps = 1});
