// Layer norm, alone and with the residual addition before it, and its gradients.
#include "real.h"

constexpr float kEpsilon = 1e-5f;

// y[row, :] = (x[row, :] - mean[row]) * rstd[row] * weight + bias, from the row in `v`
// y: [rows, channels]; weight, bias: [channels]; mean, rstd: f32 [rows]
template <int BLOCK>
__tile__ void norm_row(tile<float, BLOCK> v, const real* __restrict__ weight,
                       const real* __restrict__ bias, real* __restrict__ y,
                       float* __restrict__ mean, float* __restrict__ rstd, int64_t row,
                       int channels) {
  auto c = arange<BLOCK>();
  auto mask = c < channels;
  auto row_mean = sum(v) / channels;
  auto centered = where(mask, v - row_mean, 0);
  auto row_rstd = rsqrt(sum(centered * centered) / channels + kEpsilon);
  auto w = cast<float>(load(weight + c, mask));
  auto b = cast<float>(load(bias + c, mask));
  store(y + row * channels + c, cast<real>(centered * row_rstd * w + b), mask);
  store(mean + row, row_mean);
  store(rstd + row, row_rstd);
}

// The layer norm of x. x: [rows, channels]
template <int BLOCK>
__tile_global__ void norm(const real* __restrict__ x, const real* __restrict__ weight,
                          const real* __restrict__ bias, real* __restrict__ y,
                          float* __restrict__ mean, float* __restrict__ rstd, int rows,
                          int channels) {
  require(channels <= BLOCK);
  auto row = grid(rows);
  auto c = arange<BLOCK>();
  auto v = cast<float>(load(x + row * channels + c, c < channels));
  norm_row<BLOCK>(v, weight, bias, y, mean, rstd, row, channels);
}

// x_next = x + branch, where `branch` is what a block computed from x, and the layer norm of x_next.
template <int BLOCK>
__tile_global__ void add_norm(const real* __restrict__ x, const real* __restrict__ branch,
                              const real* __restrict__ weight, const real* __restrict__ bias,
                              real* __restrict__ x_next, real* __restrict__ y,
                              float* __restrict__ mean, float* __restrict__ rstd, int rows,
                              int channels) {
  require(channels <= BLOCK);
  auto row = grid(rows);
  auto c = arange<BLOCK>();
  auto mask = c < channels;
  auto before = cast<float>(load(x + row * channels + c, mask));
  auto next = cast<real>(before + cast<float>(load(branch + row * channels + c, mask)));
  store(x_next + row * channels + c, next, mask);
  norm_row<BLOCK>(cast<float>(next), weight, bias, y, mean, rstd, row, channels);
}

// d_x[row, :] = the gradient of x, plus d_x[row, :] if `add`; d_weight and d_bias += theirs
// d_y, x, d_x: [rows, channels], where x is what was normalized; d_weight, d_bias: f32 [channels]
//   n = (x - mean) rstd, g = d_y weight: d_x += rstd (g - mean(g) - n mean(g n))
// A program adds up the gradients of weight and bias over its rows. Atomic additions join programs.
template <int BLOCK>
__tile_global__ void norm_backward_rows(const real* __restrict__ d_y, const real* __restrict__ x,
                                        const real* __restrict__ weight,
                                        const float* __restrict__ mean,
                                        const float* __restrict__ rstd, real* d_x,
                                        float* __restrict__ d_weight, float* __restrict__ d_bias,
                                        int rows, int channels, bool add) {
  require(channels <= BLOCK);
  int programs = num_sms() * 4;
  auto first = grid(programs);
  auto c = arange<BLOCK>();
  auto mask = c < channels;
  auto w = cast<float>(load(weight + c, mask));
  auto weight_total = zeros<float, BLOCK>();
  auto bias_total = zeros<float, BLOCK>();
  for (auto row = first; row < rows; row += programs) {
    auto d = cast<float>(load(d_y + row * channels + c, mask));
    auto row_rstd = load(rstd + row);
    auto n = (cast<float>(load(x + row * channels + c, mask)) - load(mean + row)) * row_rstd;
    weight_total += d * n;
    bias_total += d;
    auto g = d * w;
    auto g_mean = sum(g) / channels;
    auto gn_mean = sum(g * n) / channels;
    auto before = cast<float>(load(d_x + row * channels + c, mask & add));
    auto after = before + row_rstd * (g - g_mean - n * gn_mean);
    store(d_x + row * channels + c, cast<real>(after), mask);
  }
  atomic_add(d_weight + c, weight_total, mask, memory_order::relaxed);
  atomic_add(d_bias + c, bias_total, mask, memory_order::relaxed);
}

inline constexpr auto layer_norm =
    select(candidate(norm<256>, {.num_warps = 1}), candidate(norm<768>, {.num_warps = 3}),
           candidate(norm<1024>, {.num_warps = 2}), candidate(norm<2048>, {.num_warps = 4}));
inline constexpr auto add_layer_norm = select(
    candidate(add_norm<256>, {.num_warps = 1}), candidate(add_norm<768>, {.num_warps = 3}),
    candidate(add_norm<1024>, {.num_warps = 2}), candidate(add_norm<2048>, {.num_warps = 4}));
inline constexpr auto layer_norm_backward =
    select(candidate(norm_backward_rows<256>, {.num_warps = 2}),
           candidate(norm_backward_rows<768>, {.num_warps = 3}),
           candidate(norm_backward_rows<1024>, {.num_warps = 4}),
           candidate(norm_backward_rows<2048>, {.num_warps = 8}));
