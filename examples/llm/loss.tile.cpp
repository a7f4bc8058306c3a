// Cross entropy with its gradient, and the choice of the next token.
#include "real.h"

// losses[row] = log(sum(exp(logits[row, :]))) - logits[row, targets[row]]
// logits[row, :] becomes scale * (softmax(logits[row, :]) - one_hot(targets[row])), the gradient of
//   scale * sum(losses)
// logits: [rows, columns], of which the first `vocabulary` columns count; the gradient of the others
// is 0. targets: u16 [rows]; losses: f32 [rows]
//
// As in examples/cross_entropy, the running maximum m and sum s are tiles, reduced once after the
// loop. Loads are masked by `columns`, which is a multiple of a vector, and `vocabulary` need not be.
// The second pass runs backward, because the end of the row is still in the caches.
template <int WIDTH, bool SMALL>
__tile_global__ void cross_entropy_rows(real* logits, const uint16_t* __restrict__ targets,
                                        float* __restrict__ losses, int rows, int vocabulary,
                                        int columns, float scale) {
  require(!SMALL || columns <= WIDTH);
  auto row = grid(rows);
  auto in_row = logits + row * columns;
  auto m = full<float, WIDTH>(-inf);
  auto s = zeros<float, WIDTH>();
  for (int start = 0; start < vocabulary; start += WIDTH) {
    auto c = start + arange<WIDTH>();
    auto x = where(c < vocabulary, cast<float>(load(in_row + c, c < columns)), -inf);
    auto new_m = maximum(m, x);
    auto base = where(new_m == -inf, 0.0f, new_m);  // exp(-inf - base) is 0, never NaN
    s = s * exp(m - base) + exp(x - base);
    m = new_m;
  }
  auto row_max = max(m);
  auto row_sum = sum(s * exp(m - row_max));
  int target = load(targets + row);
  store(losses + row, row_max + log(row_sum) - cast<float>(load(in_row + target)));
  auto factor = scale / row_sum;
  int blocks = cdiv(columns, WIDTH);
  for (int block = blocks - 1; block >= 0; --block) {
    auto c = block * WIDTH + arange<WIDTH>();
    auto x = where(c < vocabulary, cast<float>(load(in_row + c, c < columns)), -inf);
    auto gradient = exp(x - row_max) * factor - where(c == target, scale, 0.0f);
    store(in_row + c, cast<real>(gradient), c < columns);
  }
}

// tokens[position + 1] = a token drawn from softmax(logits[position, :] / temperature)
// logits: [length, columns], of which the first `vocabulary` columns count; tokens: u16 [length]
//
// The largest of x + g with g = -log(-log(u)) and u uniform has the distribution of softmax(x). Each
// element of the tile finds the largest of its columns; these are compared after the loop.
template <int BLOCK>
__tile_global__ void draw_token(const real* __restrict__ logits, uint16_t* __restrict__ tokens,
                                int position, int vocabulary, int columns, float temperature,
                                uint64_t seed) {
  auto row = (grid(1) + position) * columns;
  auto best = full<float, BLOCK>(-inf);
  auto best_at = zeros<int, BLOCK>();
  for (int start = 0; start < vocabulary; start += BLOCK) {
    auto c = start + arange<BLOCK>();
    auto x = where(c < vocabulary, cast<float>(load(logits + row + c, c < columns)), -inf);
    auto score = x / temperature - log(-log(maximum(rand(seed, row + c), 1e-10f)));
    best_at = where(score > best, c, best_at);
    best = maximum(best, score);
  }
  auto [value, token] = reduce<0>(tuple(best, best_at), [](auto a, auto b) {
    return a.v0 > b.v0 || (a.v0 == b.v0 && a.v1 < b.v1) ? a : b;
  });
  store(tokens + position + 1, cast<uint16_t>(token));
}

inline constexpr auto cross_entropy =
    select(candidate(cross_entropy_rows<256, true>, {.num_warps = 1}),
           candidate(cross_entropy_rows<8192, false>, {.num_warps = 16}));
inline constexpr auto sample_token = instantiate(draw_token<1024>, {.num_warps = 4});
