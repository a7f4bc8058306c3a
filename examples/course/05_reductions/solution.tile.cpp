// Lesson 5: the sum of each row.
#include <tile2cu/tile.h>
using namespace tl;

// out[row] = sum(x[row, :])        x: f32 [rows, n], out: f32 [rows]
template <int BLOCK>
__tile_global__ void row_sum(const float* __restrict__ x, float* __restrict__ out, int rows,
                             int n) {
  require(n <= BLOCK);
  auto row = grid(rows);
  auto cols = arange<BLOCK>();
  auto v = load(x + row * n + cols, cols < n);
  store(out + row, sum(v));
}

inline constexpr auto row_sum_f32 = instantiate(row_sum<128>, {.num_warps = 1});
