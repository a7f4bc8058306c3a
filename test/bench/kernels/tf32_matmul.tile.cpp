// Matmul of floats on tensor cores in tf32, timed against float16.
#include <tile2cu/tile.h>
using namespace tl;

// c = a b        a: f32 [M, K], b: f32 [K, N], c: f32 [M, N], rows without gaps
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M>
__tile_global__ void tf32_matmul(const float* __restrict__ a, const float* __restrict__ b,
                                 float* __restrict__ c, int M, int N, int K) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto rows = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = (pid_n * BLOCK_N + arange<BLOCK_N>())[none, all];
  auto ks = arange<BLOCK_K>();
  auto a_ptrs = a + rows * K + ks[none, all];
  auto b_ptrs = b + ks[all, none] * N + cols;
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a_ptrs, (rows < M) & (ks[none, all] < K - k));
    auto y = load(b_ptrs, (ks[all, none] < K - k) & (cols < N));
    acc = dot(x, y, acc, precision::tf32);
    a_ptrs += BLOCK_K;
    b_ptrs += BLOCK_K * N;
  }
  store(c + rows * N + cols, acc, (rows < M) & (cols < N));
}

inline constexpr auto tf32_matmul_f32 =
    instantiate(tf32_matmul<128, 256, 32, 8>, {.num_warps = 8, .num_stages = 3});
