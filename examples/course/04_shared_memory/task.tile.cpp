// Lesson 4: transpose a matrix.
#include <tile2cu/tile.h>
using namespace tl;

// out[c, r] = in[r, c]        in: f32 [rows, cols], out: f32 [cols, rows]
template <int M, int N>
__tile_global__ void transpose(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  auto [i, j] = grid(cdiv(rows, M), cdiv(cols, N));
  auto r = (i * M + arange<M>())[all, none];  // M x 1
  auto c = (j * N + arange<N>())[none, all];  // 1 x N
  auto x = load(in + r * cols + c, (r < rows) & (c < cols));
  auto out_row = trans(c);  // N x 1
  auto out_col = trans(r);  // 1 x M
  // TODO: y has the shape of the transposed tile and its addresses are right, but its values are
  // those of x as it was loaded. Let y be the transposed tile.
  auto y = x;
  store(out + out_row * rows + out_col, y, (out_row < cols) & (out_col < rows));
}

inline constexpr auto transpose_f32 = instantiate(transpose<32, 32>, {.num_warps = 8});
