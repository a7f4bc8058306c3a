#include <tile2cu/tile.h>

__tile_global__ void negate(float* x, int n) {
  auto i = tl::grid(tl::cdiv(n, 256)) * 256 + tl::arange<256>();
  tl::store(x + i, -tl::load(x + i, i < n), i < n);
}
