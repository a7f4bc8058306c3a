// Running sums along rows: a scan.
#include <tile2cu/tile.h>
using namespace tl;

// out[row, i] = in[row, 0] + ... + in[row, i]        in, out: f32 [n_rows, n_cols], contiguous
template <int BLOCK>
__tile_global__ void row_cumsum(const float* __restrict__ in, float* __restrict__ out, int n_rows,
                                int n_cols) {
  require(n_cols <= BLOCK);
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  auto mask = cols < n_cols;
  auto x = load(in + row * n_cols + cols, mask);
  store(out + row * n_cols + cols, cumsum(x), mask);
}

inline constexpr auto row_cumsum_f32 = select(
    candidate(row_cumsum<512>, {.num_warps = 1}), candidate(row_cumsum<1024>, {.num_warps = 2}),
    candidate(row_cumsum<2048>, {.num_warps = 4}), candidate(row_cumsum<4096>, {.num_warps = 8}),
    candidate(row_cumsum<8192>, {.num_warps = 16}),
    candidate(row_cumsum<16384>, {.num_warps = 16}));
