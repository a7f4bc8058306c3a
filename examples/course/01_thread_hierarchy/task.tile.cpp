// Lesson 1: add two vectors.
#include <tile2cu/tile.h>
using namespace tl;

// c[i] = a[i] + b[i]        a, b, c: f32 [n]
template <int BLOCK>
__tile_global__ void add(const float* __restrict__ a, const float* __restrict__ b,
                         float* __restrict__ c, int n) {
  [[maybe_unused]] auto pid = grid(cdiv(n, BLOCK));
  // TODO: every program works on the same BLOCK elements. Program `pid` has to start at element
  // pid * BLOCK.
  auto i = arange<BLOCK>();
  auto mask = i < n;
  auto x = load(a + i, mask);
  auto y = load(b + i, mask);
  store(c + i, x + y, mask);
}

inline constexpr auto add_f32 = instantiate(add<256>, {.num_warps = 4});
