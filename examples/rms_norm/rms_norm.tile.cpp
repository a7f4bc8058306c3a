// RMSNorm: one reduction over a row, f16 data, f32 arithmetic.
#include <tile2cu/tile.h>
using namespace tl;

// y[row, :] = x[row, :] / sqrt(mean(x[row, :]^2) + eps) * weight
// x, y: f16 [n_rows, n_cols], rows `stride` apart; weight: f16 [n_cols]
template <int BLOCK>
__tile_global__ void rms_norm(const float16* __restrict__ x, const float16* __restrict__ weight,
                              float16* __restrict__ y, int n_rows, int n_cols, int stride,
                              float eps) {
  require(n_cols <= BLOCK);
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  auto mask = cols < n_cols;
  auto v = cast<float>(load(x + row * stride + cols, mask));
  auto scale = rsqrt(sum(v * v) / n_cols + eps);
  auto w = cast<float>(load(weight + cols, mask));
  store(y + row * stride + cols, cast<float16>(v * scale * w), mask);
}

inline constexpr auto rms_norm_f16 =
    select(candidate(rms_norm<1024>, {.num_warps = 2}), candidate(rms_norm<2048>, {.num_warps = 2}),
           candidate(rms_norm<4096>, {.num_warps = 4}), candidate(rms_norm<5120>, {.num_warps = 5}),
           candidate(rms_norm<6144>, {.num_warps = 6}), candidate(rms_norm<8192>, {.num_warps = 8}),
           candidate(rms_norm<16384>, {.num_warps = 16}));
