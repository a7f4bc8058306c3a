// Softmax of rows of any length, in two reads, for rows that do not fit in registers.
#include <tile2cu/tile.h>
using namespace tl;

// out[row, :] = softmax(in[row, :])        in, out: f32 [n_rows, n_cols], rows `stride` apart
//
// The first loop follows the maximum m and the sum s of exp(x - m) for each of WIDTH columns of a
// [DEPTH, WIDTH] tile: element-wise work without communication. They are reduced once, after it.
// The second loop runs backward, because the end of the row is still in the caches.
template <int DEPTH, int WIDTH>
__tile_global__ void softmax_online(const float* __restrict__ in, float* __restrict__ out,
                                    int n_rows, int n_cols, int stride) {
  auto row = grid(n_rows);
  auto tile_cols = arange<DEPTH>()[all, none] * WIDTH + arange<WIDTH>()[none, all];

  auto m = full<float, WIDTH>(-inf);
  auto s = zeros<float, WIDTH>();
  for (int start = 0; start < n_cols; start += DEPTH * WIDTH) {
    auto cols = start + tile_cols;
    auto x = load(in + row * stride + cols, cols < n_cols, -inf);
    auto new_m = maximum(m, max<0>(x));
    auto base = where(new_m == -inf, 0.0f, new_m);  // exp(-inf - base) is 0, never NaN
    s = s * exp(m - base) + sum<0>(exp(x - base[none, all]));
    m = new_m;
  }

  auto [row_max, row_sum] =
      reduce<0>(tl::tuple(m, s), [](tl::tuple<float, float> a, tl::tuple<float, float> b) {
        auto [m_a, s_a] = a;
        auto [m_b, s_b] = b;
        auto m_ab = maximum(m_a, m_b);
        auto base = m_ab == -inf ? 0.0f : m_ab;
        return tl::tuple(m_ab, s_a * exp(m_a - base) + s_b * exp(m_b - base));
      });

  // The last use of both rows: other rows need the caches more.
  auto scale = 1.0f / row_sum;
  for (int start = (n_cols - 1) / (DEPTH * WIDTH) * (DEPTH * WIDTH); start >= 0;
       start -= DEPTH * WIDTH) {
    auto cols = start + tile_cols;
    auto mask = cols < n_cols;
    auto x = load(in + row * stride + cols, mask, 0, evict::no_allocate);
    store(out + row * stride + cols, exp(x - row_max) * scale, mask, cache::cs);
  }
}

inline constexpr auto softmax_online_f32 = instantiate(softmax_online<16, 2048>, {.num_warps = 16});
