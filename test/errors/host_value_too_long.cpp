// RUN: not tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// The launcher contains the expression of each size: a value that is used twice is in it twice.
// CHECK: :[[#@LINE+6]]:3: error: the grid has more than 4096 operations once each use of a value is replaced by its expression
// CHECK: :[[#@LINE+6]]:3: error: a requirement has more than 4096 operations
// CHECK: 2 errors generated
__tile_global__ void doubled(float *p, int64_t n) {
  for (auto i : static_range<30>()) n = n + n % 7 * n + i;
  auto long_name = n;
  grid(n);
  require(long_name > 3);
  store(p, 1.0f);
}
inline constexpr auto launcher = instantiate(doubled);
