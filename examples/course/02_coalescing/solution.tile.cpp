// Lesson 2: multiply a matrix by a number.
#include <tile2cu/tile.h>
using namespace tl;

// out[r, c] = in[r, c] * factor        in, out: f32 [rows, cols]
template <int BLOCK>
__tile_global__ void scale(const float* __restrict__ in, float* __restrict__ out, int rows,
                           int cols, float factor) {
  // A tile lies along a row: BLOCK columns of row r.
  auto [r, block] = grid(rows, cdiv(cols, BLOCK));
  auto c = block * BLOCK + arange<BLOCK>();
  auto mask = c < cols;
  auto x = load(in + r * cols + c, mask);
  store(out + r * cols + c, x * factor, mask);
}

inline constexpr auto scale_f32 = instantiate(scale<128>, {.num_warps = 4});
