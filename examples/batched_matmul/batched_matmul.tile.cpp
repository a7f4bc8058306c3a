// Batched matmul: the second dimension of the grid is the batch.
#include <tile2cu/tile.h>
using namespace tl;

// c[i] = a[i] b[i] for i < batch        a: f16 [batch, M, K], b: f16 [batch, K, N],
//                                       c: f16 [batch, M, N], all without gaps
//
// The product as in examples/matmul. Programs of one batch entry follow each other, so that they
// share its matrices in the L2 cache.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M>
__tile_global__ void batched_matmul(const float16* __restrict__ a, const float16* __restrict__ b,
                                    float16* __restrict__ c, int batch, int M, int N, int K) {
  auto [pid, entry] = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N), batch);
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto rows = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = (pid_n * BLOCK_N + arange<BLOCK_N>())[none, all];
  auto ks = arange<BLOCK_K>();
  auto a_ptrs = a + entry * M * K + (rows * K + ks[none, all]);
  auto b_ptrs = b + entry * K * N + (ks[all, none] * N + cols);
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a_ptrs, (rows < M) & (ks[none, all] < K - k));
    auto y = load(b_ptrs, (ks[all, none] < K - k) & (cols < N));
    acc = dot(x, y, acc);
    a_ptrs += BLOCK_K;
    b_ptrs += BLOCK_K * N;
  }
  store(c + entry * M * N + (rows * N + cols), cast<float16>(acc), (rows < M) & (cols < N));
}

// Small matrices leave much of a large tile empty.
inline constexpr auto batched_matmul_f16 =
    tune(key{"batch", "M", "N", "K"},
         candidate(batched_matmul<128, 256, 64, 8>, {.num_warps = 8, .num_stages = 3}),
         candidate(batched_matmul<64, 128, 64, 8>, {.num_warps = 4, .num_stages = 3}));
