// Lesson 2: multiply a matrix by a number.
#include <tile2cu/tile.h>
using namespace tl;

// out[r, c] = in[r, c] * factor        in, out: f32 [rows, cols]
template <int BLOCK>
__tile_global__ void scale(const float* __restrict__ in, float* __restrict__ out, int rows,
                           int cols, float factor) {
  // TODO: a tile lies along a column: BLOCK rows of column c. The values are right, but neighbouring
  // threads read addresses that are a whole row apart. Let a tile lie along a row.
  auto [block, c] = grid(cdiv(rows, BLOCK), cols);
  auto r = block * BLOCK + arange<BLOCK>();
  auto mask = r < rows;
  auto x = load(in + r * cols + c, mask);
  store(out + r * cols + c, x * factor, mask);
}

inline constexpr auto scale_f32 = instantiate(scale<128>, {.num_warps = 4});
