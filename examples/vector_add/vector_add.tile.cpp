// Vector addition: the smallest whole example.
#include <tile2cu/tile.h>
using namespace tl;

// c[i] = a[i] + b[i]        a, b, c: f32 [n]
//
// One program adds BLOCK elements. Any n and any pointers are right; where all pointers are 16-byte
// aligned, the launcher picks the version with 16-byte accesses.
template <int BLOCK>
__tile_global__ void vector_add(const float* __restrict__ a, const float* __restrict__ b,
                                float* __restrict__ c, int64_t n) {
  auto block = grid(cdiv(n, BLOCK));
  auto offsets = block * BLOCK + arange<BLOCK>();
  auto mask = offsets < n;
  auto x = load(a + offsets, mask);
  auto y = load(b + offsets, mask);
  store(c + offsets, x + y, mask);
}

inline constexpr auto vector_add_f32 = instantiate(vector_add<1024>, {.num_warps = 8});
