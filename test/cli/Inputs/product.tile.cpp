// A product whose copies depend on two things that stand in the way of bulk copies; a remark names one.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void product(const float16 *__restrict__ a, const float16 *__restrict__ b,
                             float *__restrict__ c, int M, int N, int K,
                             const float *__restrict__ scales) {
  grid(1);
  auto i = arange<64>(), j = arange<64>();
  auto k = arange<32>();
  auto sums = zeros<float, 64, 64>();
  for (int k0 = 0; k0 < K; k0 += 32) {
    auto step = k0 + k;
    auto a_tile = load(a + i[all, none] * K + step[none, all],
                       (i[all, none] < M) & (step[none, all] < K), 0);
    auto b_tile = load(b + step[all, none] * N + j[none, all],
                       (step[all, none] < K) & (j[none, all] < N), 0);
    auto scale = load(scales + j / 64 * cdiv(K, 32) + k0 / 32, j < N);
    if (sum(scale) > 4) break;
    sums += dot(a_tile, b_tile) * scale[none, all];
  }
  store(c + i[all, none] * N + j[none, all], sums, (i[all, none] < M) & (j[none, all] < N));
}
inline constexpr auto product_kernel = instantiate(product);
