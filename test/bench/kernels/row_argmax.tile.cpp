// The column of the largest element of each row: a reduction of values with their indices.
#include <tile2cu/tile.h>
using namespace tl;

// out[row] = argmax(in[row, :]), of equal values the first
// in: f32 [n_rows, n_cols], contiguous; out: i32 [n_rows]
template <int BLOCK>
__tile_global__ void row_argmax(const float* __restrict__ in, int* __restrict__ out, int n_rows,
                                int n_cols) {
  require(n_cols <= BLOCK);
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  store(out + row, argmax(load(in + row * n_cols + cols, cols < n_cols, -inf)));
}

inline constexpr auto row_argmax_f32 = select(
    candidate(row_argmax<512>, {.num_warps = 1}), candidate(row_argmax<1024>, {.num_warps = 2}),
    candidate(row_argmax<2048>, {.num_warps = 2}), candidate(row_argmax<4096>, {.num_warps = 4}),
    candidate(row_argmax<8192>, {.num_warps = 8}), candidate(row_argmax<16384>, {.num_warps = 16}));
