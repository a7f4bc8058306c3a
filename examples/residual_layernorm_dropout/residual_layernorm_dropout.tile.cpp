// Residual + LayerNorm + dropout in one pass: the tail of a transformer block.
#include <tile2cu/tile.h>
using namespace tl;

// y = dropout(layer_norm(x + residual) * weight + bias)
// x, residual, y: f16 [n_rows, n_cols], contiguous; weight, bias: f16 [n_cols]
//
// An element is dropped with probability p, kept ones are scaled by 1 / (1 - p). Whether element i
// of the whole array is kept depends on `seed` and i alone, not on BLOCK, the launch or the GPU.
template <int BLOCK>
__tile_global__ void residual_layernorm_dropout(const float16* __restrict__ x,
                                                const float16* __restrict__ residual,
                                                const float16* __restrict__ weight,
                                                const float16* __restrict__ bias,
                                                float16* __restrict__ y, int n_rows, int n_cols,
                                                float eps, float p, uint64_t seed) {
  require(n_cols <= BLOCK);
  require(p >= 0.0f && p < 1.0f);
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  auto mask = cols < n_cols;
  auto offsets = row * n_cols + cols;
  auto v = cast<float>(load(x + offsets, mask)) + cast<float>(load(residual + offsets, mask));
  auto mean = sum(v) / n_cols;
  auto centered = where(mask, v - mean, 0);
  auto rstd = rsqrt(sum(centered * centered) / n_cols + eps);
  auto w = cast<float>(load(weight + cols, mask));
  auto b = cast<float>(load(bias + cols, mask));
  auto normed = centered * rstd * w + b;
  auto scale = 1.0f / (1.0f - p);
  auto kept = where(rand(seed, offsets) > p, normed * scale, 0);
  store(y + offsets, cast<float16>(kept), mask);
}

// 32 elements a thread; from 10240 columns on 64, with fewer threads that may use more registers.
inline constexpr auto residual_layernorm_dropout_f16 =
    select(candidate(residual_layernorm_dropout<512>, {.num_warps = 1}),
           candidate(residual_layernorm_dropout<1024>, {.num_warps = 2}),
           candidate(residual_layernorm_dropout<2048>, {.num_warps = 2}),
           candidate(residual_layernorm_dropout<3072>, {.num_warps = 3}),
           candidate(residual_layernorm_dropout<4096>, {.num_warps = 4}),
           candidate(residual_layernorm_dropout<5120>, {.num_warps = 5}),
           candidate(residual_layernorm_dropout<6144>, {.num_warps = 6}),
           candidate(residual_layernorm_dropout<7168>, {.num_warps = 7}),
           candidate(residual_layernorm_dropout<8192>, {.num_warps = 8}),
           candidate(residual_layernorm_dropout<10240>, {.num_warps = 5, .resident_threads = 512}),
           candidate(residual_layernorm_dropout<12288>, {.num_warps = 6, .resident_threads = 512}),
           candidate(residual_layernorm_dropout<14336>, {.num_warps = 7, .resident_threads = 512}),
           candidate(residual_layernorm_dropout<16384>, {.num_warps = 8, .resident_threads = 512}));
