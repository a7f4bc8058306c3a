// What test/nvcc/line_info.py transpiles with --line-directives. The lines marked "in the binary" are those that
// instructions come from.
#include <tile2cu/tile.h>

#include "halved.h"
using namespace tl;

template <int N>
__tile_global__ void lines(const float* in, float* __restrict__ out, int n) {  // in the binary
  auto row = grid(n);                                                          // in the binary
  auto x = load(in + row * N + arange<N>());          // in the binary: load
  auto largest = reduce<0>(x, [](float a, float b) {  // in the binary
    auto larger = a * a > b * b ? a : b;              // in the binary
    return larger;
  });
  auto scaled = halved(x) - largest;           // in the binary
  store(out + row * N + arange<N>(), scaled);  // in the binary: store
}

inline constexpr auto lines_512 = instantiate(lines<512>);
