// The embedding of tokens and positions, and its gradients.
#include "real.h"

// x[row, :] = token_table[tokens[row], :] + position_table[row % length, :]
// tokens: u16 [rows]; token_table: [vocabulary, channels]; position_table: [length, channels];
// x: [rows, channels]; rows = sequences * length
template <int BLOCK>
__tile_global__ void embed(const uint16_t* __restrict__ tokens,
                           const real* __restrict__ token_table,
                           const real* __restrict__ position_table, real* __restrict__ x, int rows,
                           int length, int channels) {
  auto [row, part] = grid(rows, cdiv(channels, BLOCK));
  auto c = part * BLOCK + arange<BLOCK>();
  auto mask = c < channels;
  int64_t token = load(tokens + row);
  auto of_token = cast<float>(load(token_table + token * channels + c, mask));
  auto of_position = cast<float>(load(position_table + row % length * channels + c, mask));
  store(x + row * channels + c, cast<real>(of_token + of_position), mask);
}

// d_token_table[tokens[row], :] += d_x[row, :]
// d_position_table[t, :] += sum over sequences of d_x[sequence * length + t, :]
// Gradients of weights are f32. A token may stand in many rows: their additions are atomic, and
// their order, and so the rounding of the sum, differs from run to run.
template <int BLOCK>
__tile_global__ void embed_backward(const uint16_t* __restrict__ tokens,
                                    const real* __restrict__ d_x, float* __restrict__ d_token_table,
                                    float* __restrict__ d_position_table, int rows, int length,
                                    int channels) {
  auto [t, part] = grid(length, cdiv(channels, BLOCK));
  auto c = part * BLOCK + arange<BLOCK>();
  auto mask = c < channels;
  auto total = load(d_position_table + t * channels + c, mask);
  for (auto row = t; row < rows; row += length) {
    auto d = cast<float>(load(d_x + row * channels + c, mask));
    int64_t token = load(tokens + row);
    atomic_add(d_token_table + token * channels + c, d, mask, memory_order::relaxed);
    total += d;
  }
  store(d_position_table + t * channels + c, total, mask);
}

inline constexpr auto embedding = instantiate(embed<256>, {.num_warps = 1});
inline constexpr auto embedding_backward = instantiate(embed_backward<256>, {.num_warps = 2});
