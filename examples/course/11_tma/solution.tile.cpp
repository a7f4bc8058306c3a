// Lesson 11: a matmul for Hopper, with TMA and a producer warp.
#include <tile2cu/tile.h>
using namespace tl;

// c = a @ b        a: f16 [M, K], b: f16 [K, N], c: f16 [M, N]
template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b,
                            float16* __restrict__ c, int M, int N, int K) {
  auto [pid_m, pid_n] = grid(cdiv(M, BLOCK_M), cdiv(N, BLOCK_N));
  auto A = make_tensor_descriptor<BLOCK_M, BLOCK_K>(a, {M, K}, {K, 1});
  auto B = make_tensor_descriptor<BLOCK_K, BLOCK_N>(b, {K, N}, {N, 1});
  auto C = make_tensor_descriptor<BLOCK_M, BLOCK_N>(c, {M, N}, {N, 1});
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = A.load({pid_m * BLOCK_M, k});
    auto y = B.load({k, pid_n * BLOCK_N});
    acc = dot(x, y, acc);
  }
  C.store({pid_m * BLOCK_M, pid_n * BLOCK_N}, acc);
}

inline constexpr auto matmul_f16 =
    instantiate(matmul<128, 128, 64>, {.num_warps = 8, .num_stages = 3});
