// Lesson 12: choose the block sizes of a matmul.
#include <tile2cu/tile.h>
using namespace tl;

// c = a @ b        a: f16 [M, K], b: f16 [K, N], c: f32 [M, N]
template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b,
                            float* __restrict__ c, int M, int N, int K) {
  auto [pid_m, pid_n] = grid(cdiv(M, BLOCK_M), cdiv(N, BLOCK_N));
  auto m = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto n = (pid_n * BLOCK_N + arange<BLOCK_N>())[none, all];
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto ks = k + arange<BLOCK_K>();
    auto x = load(a + m * K + ks[none, all], (m < M) & (ks[none, all] < K));
    auto y = load(b + ks[all, none] * N + n, (ks[all, none] < K) & (n < N));
    acc = dot(x, y, acc);
  }
  store(c + m * N + n, acc, (m < M) & (n < N));
}

// TODO: blocks of 32 x 32 do 16 FLOP for each byte that they load. Choose sizes with at least 64 FLOP
// for each byte, at most 128 accumulators for each thread (num_warps stays 4), and at most 80 KiB
// of shared memory, which lets two blocks share a multiprocessor.
constexpr int kBlockM = 32, kBlockN = 32, kBlockK = 32, kStages = 3;

inline constexpr auto matmul_f16 =
    instantiate(matmul<kBlockM, kBlockN, kBlockK>, {.num_warps = 4, .num_stages = kStages});
