// The source of line_directives.test.
#include <tile2cu/tile.h>

#include "twice.h"
using namespace tl;

template <int N>
__tile_global__ void rows(const float* __restrict__ in, float* __restrict__ out, int n, int count) {
  auto row = grid(n);
  auto total = zeros<float, N>();
  // Every column.
  for (int i = 0; i < count; i += 1) {
    auto x = load(in + (row * count + i) * N + arange<N>());
    total = total + twice(x);
  }
  auto largest = reduce<0>(total, [](float a, float b) {
    auto first = a * a > b * b;
    return first ? a + first : b;
  });
  store(out + row, largest);
}

inline constexpr auto rows_2048 = instantiate(rows<2048>);
