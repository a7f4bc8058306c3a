#include <tile2cu/tile.h>

// AMOUNT is another number in each target and configuration.
__tile_global__ void fill(float* x, int n) {
  auto i = tl::grid(tl::cdiv(n, 256)) * 256 + tl::arange<256>();
  tl::store(x + i, AMOUNT, i < n);
}
