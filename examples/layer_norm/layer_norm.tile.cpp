// LayerNorm: two dependent reductions over a row that stays in registers.
#include <tile2cu/tile.h>
using namespace tl;

// y[row, :] = (x[row, :] - mean) / sqrt(variance + eps) * weight + bias
// x, y: f16 [n_rows, n_cols], rows `stride` apart; weight, bias: f16 [n_cols]
//
// The variance is the mean of squared differences, not E[x^2] - mean^2, which cancels. Columns past
// the end must not count in it: hence the `where`.
template <int BLOCK>
__tile_global__ void layer_norm(const float16* __restrict__ x, const float16* __restrict__ weight,
                                const float16* __restrict__ bias, float16* __restrict__ y,
                                int n_rows, int n_cols, int stride, float eps) {
  require(n_cols <= BLOCK);
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  auto mask = cols < n_cols;
  auto v = cast<float>(load(x + row * stride + cols, mask));
  auto mean = sum(v) / n_cols;
  auto centered = where(mask, v - mean, 0);
  auto rstd = rsqrt(sum(centered * centered) / n_cols + eps);
  auto w = cast<float>(load(weight + cols, mask));
  auto b = cast<float>(load(bias + cols, mask));
  store(y + row * stride + cols, cast<float16>(centered * rstd * w + b), mask);
}

// 32 elements a thread. A tight BLOCK matters: rows of 5000 columns in a tile of 8192 would leave
// four of ten loads in flight empty.
inline constexpr auto layer_norm_f16 = select(
    candidate(layer_norm<512>, {.num_warps = 1}), candidate(layer_norm<1024>, {.num_warps = 2}),
    candidate(layer_norm<2048>, {.num_warps = 2}), candidate(layer_norm<3072>, {.num_warps = 3}),
    candidate(layer_norm<4096>, {.num_warps = 4}), candidate(layer_norm<5120>, {.num_warps = 5}),
    candidate(layer_norm<6144>, {.num_warps = 6}), candidate(layer_norm<7168>, {.num_warps = 7}),
    candidate(layer_norm<8192>, {.num_warps = 8}), candidate(layer_norm<10240>, {.num_warps = 10}),
    candidate(layer_norm<12288>, {.num_warps = 12}),
    candidate(layer_norm<14336>, {.num_warps = 14}),
    candidate(layer_norm<16384>, {.num_warps = 16}));
