// RUN: %tile2cu %s -I %S --helpers=include -o - | FileCheck %s
// size_t and ptrdiff_t, with and without std::.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void sizes(int* __restrict__ out, size_t n, std::ptrdiff_t step) {
  grid(1);
  std::size_t part = n / 2;
  ptrdiff_t last = step * 3;
  out[part] = cast<int>(last);
}
inline constexpr auto sizes_1 = instantiate(sizes, {.num_warps = 1});

// CHECK: sizes_kernel(int* __restrict__ out, uint64_t n, int64_t step)
// CHECK: const uint64_t part = n / uint64_t(2);
