// Lesson 7: one small matmul on tensor cores.
#include <tile2cu/tile.h>
using namespace tl;

// c = a @ b        a: f16 [M, K], b: f16 [K, N], c: f32 [M, N]
template <int M, int N, int K>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b,
                            float* __restrict__ c) {
  grid(1);
  auto m = arange<M>()[all, none];
  auto n = arange<N>()[none, all];
  auto k = arange<K>();
  auto x = load(a + m * K + k[none, all]);  // M x K
  auto y = load(b + k[all, none] * N + n);  // K x N
  // TODO: the operands are converted to float, and multiplied without tensor cores. Give `dot` the
  // tiles of 16-bit floats; its result is a tile of floats anyway.
  store(c + m * N + n, dot(cast<float>(x), cast<float>(y), precision::ieee));
}

inline constexpr auto matmul_f16 = instantiate(matmul<32, 16, 32>, {.num_warps = 1});
