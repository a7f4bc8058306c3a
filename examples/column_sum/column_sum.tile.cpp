// Sums of columns: a reduction along axis 0 of a 2-D tile, in a loop, finished by atomics.
#include <tile2cu/tile.h>
using namespace tl;

// out[n] += sum over rows m of x[m, n]
// x: f32 [n_rows, n_cols], contiguous; out: f32 [n_cols]
//
// The caller zeroes `out`. Each program adds ROWS rows of WIDTH columns, DEPTH rows at a time, so
// that enough programs run at once to fill the GPU; one atomic addition for each column joins them.
template <int ROWS, int DEPTH, int WIDTH>
__tile_global__ void column_sum(const float* __restrict__ x, float* __restrict__ out, int n_rows,
                                int n_cols) {
  auto [column_block, row_block] = grid(cdiv(n_cols, WIDTH), cdiv(n_rows, ROWS));
  auto n = column_block * WIDTH + arange<WIDTH>();
  auto row_begin = row_block * ROWS;
  auto row_end = minimum(row_begin + ROWS, n_rows);
  auto acc = zeros<float, WIDTH>();
  for (auto start = row_begin; start < row_end; start += DEPTH) {
    auto m = start + arange<DEPTH>();
    acc += sum<0>(load(x + m[all, none] * n_cols + n[none, all],
                       (m[all, none] < row_end) & (n[none, all] < n_cols)));
  }
  atomic_add(out + n, acc, n < n_cols, memory_order::relaxed);
}

inline constexpr auto column_sum_f32 = instantiate(column_sum<128, 64, 128>, {.num_warps = 8});
