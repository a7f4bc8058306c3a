// Cross entropy over a vocabulary of any size, in one read of the logits.
#include <tile2cu/tile.h>
using namespace tl;

// loss[row] = log(sum(exp(logits[row, :]))) - logits[row, targets[row]],
//             0 where targets[row] == ignore_index
// logits: f32 [n_rows, n_cols], rows `stride` apart; targets: i64 [n_rows]; loss: f32 [n_rows]
//
// As in softmax_online, the running maximum m and sum s are tiles, reduced once after the loop.
template <int DEPTH, int WIDTH>
__tile_global__ void cross_entropy(const float* __restrict__ logits,
                                   const int64_t* __restrict__ targets, float* __restrict__ loss,
                                   int n_rows, int n_cols, int stride, int64_t ignore_index) {
  auto row = grid(n_rows);
  auto target = load(targets + row);
  if (target == ignore_index) {
    store(loss + row, 0.0f);
    return;
  }

  auto tile_cols = arange<DEPTH>()[all, none] * WIDTH + arange<WIDTH>()[none, all];
  auto m = full<float, WIDTH>(-inf);
  auto s = zeros<float, WIDTH>();
  for (int start = 0; start < n_cols; start += DEPTH * WIDTH) {
    auto cols = start + tile_cols;
    auto x = load(logits + row * stride + cols, cols < n_cols, -inf);
    auto new_m = maximum(m, max<0>(x));
    auto base = where(new_m == -inf, 0.0f, new_m);  // exp(-inf - base) is 0, never NaN
    s = s * exp(m - base) + sum<0>(exp(x - base[none, all]));
    m = new_m;
  }
  auto row_max = max(m);
  auto row_sum = sum(s * exp(m - row_max));
  store(loss + row, row_max + log(row_sum) - load(logits + row * stride + target));
}

inline constexpr auto cross_entropy_f32 = instantiate(cross_entropy<4, 2048>, {.num_warps = 16});
