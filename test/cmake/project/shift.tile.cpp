#include <tile2cu/tile.h>

#include "nudge.h"
using namespace tl;

// out = in + AMOUNT, nudged
__tile_global__ void shift(const float* __restrict__ in, float* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 1024)) * 1024 + arange<1024>();
  store(out + i, map(nudge, load(in + i, i < n) + AMOUNT), i < n);
}
