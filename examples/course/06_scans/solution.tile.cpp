// Lesson 6: running sums of each row.
#include <tile2cu/tile.h>
using namespace tl;

// out[row, i] = x[row, 0] + ... + x[row, i]        x, out: f32 [rows, n]
template <int BLOCK>
__tile_global__ void running_sum(const float* __restrict__ x, float* __restrict__ out, int rows,
                                 int n) {
  auto row = grid(rows);
  float before = 0;  // the sum of the earlier tiles of this row
  for (int k = 0; k < n; k += BLOCK) {
    auto cols = k + arange<BLOCK>();
    auto v = load(x + row * n + cols, cols < n);
    store(out + row * n + cols, before + cumsum(v), cols < n);
    before += sum(v);
  }
}

inline constexpr auto running_sum_f32 = instantiate(running_sum<128>, {.num_warps = 1});
