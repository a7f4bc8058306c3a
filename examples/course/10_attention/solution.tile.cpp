// Lesson 10: attention, tile by tile.
#include <tile2cu/tile.h>
using namespace tl;

// out = softmax(q @ trans(k) * scale) @ v
//
// q: f16 [m, D], k and v: f16 [n, D], out: f32 [m, D]
template <int M, int N, int D>
__tile_global__ void attention(const float16* __restrict__ q, const float16* __restrict__ k,
                               const float16* __restrict__ v, float* __restrict__ out, int m, int n,
                               float scale) {
  auto rows = (grid(cdiv(m, M)) * M + arange<M>())[all, none];
  auto d = arange<D>()[none, all];
  auto queries = load(q + rows * D + d, rows < m);
  auto row_max = full<float, M>(-inf);
  auto row_sum = zeros<float, M>();
  auto acc = zeros<float, M, D>();
  for (int start = 0; start < n; start += N) {
    auto keys = (start + arange<N>())[all, none];
    auto k_tile = load(k + keys * D + d, keys < n);
    auto v_tile = load(v + keys * D + d, keys < n);
    auto scores = where(trans(keys) < n, dot(queries, trans(k_tile)) * scale, -inf);
    auto new_max = maximum(row_max, max<1>(scores));
    auto weights = exp(scores - new_max[all, none]);
    auto alpha = exp(row_max - new_max);
    row_sum = row_sum * alpha + sum<1>(weights);
    acc *= alpha[all, none];
    acc = dot(cast<float16>(weights), v_tile, acc);
    row_max = new_max;
  }
  store(out + rows * D + d, acc / row_sum[all, none], rows < m);
}

inline constexpr auto attention_f16 = instantiate(attention<64, 32, 32>, {.num_warps = 4});
