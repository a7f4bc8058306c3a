#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void wrong(float* out, int n) {
  auto i = grid(n);
  store(out + i, undeclared);
}
