#include <tile2cu/tile.h>
using namespace tl;

// out = in
__tile_global__ void copy(const float* __restrict__ in, float* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 1024)) * 1024 + arange<1024>();
  store(out + i, load(in + i, i < n), i < n);
}
