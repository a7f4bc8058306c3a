// Matmul: each program computes a tile of the result, in a loop over blocks of k.
#include <tile2cu/tile.h>
using namespace tl;

// c = a b        a: f16 [M, K], b: f16 [K, N], c: f16 [M, N], rows `stride_...` elements apart
//
// One program computes BLOCK_M x BLOCK_N elements of c, in float. Programs walk the tiles of c in
// groups of GROUP_M tile rows, so that those that run at a time share rows of a and columns of b in
// the L2 cache. Elements past an edge read as 0, which adds nothing.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b,
                            float16* __restrict__ c, int M, int N, int K, int stride_am,
                            int stride_bk, int stride_cm) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto offs_m = pid_m * BLOCK_M + arange<BLOCK_M>();
  auto offs_n = pid_n * BLOCK_N + arange<BLOCK_N>();
  auto offs_k = arange<BLOCK_K>();
  auto a_ptrs = a + offs_m[all, none] * stride_am + offs_k[none, all];
  auto b_ptrs = b + offs_k[all, none] * stride_bk + offs_n[none, all];
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a_ptrs, (offs_m[all, none] < M) & (offs_k[none, all] < K - k), 0);
    auto y = load(b_ptrs, (offs_k[all, none] < K - k) & (offs_n[none, all] < N), 0);
    acc = dot(x, y, acc);
    a_ptrs += BLOCK_K;
    b_ptrs += BLOCK_K * stride_bk;
  }
  store(c + offs_m[all, none] * stride_cm + offs_n[none, all], cast<float16>(acc),
        (offs_m[all, none] < M) & (offs_n[none, all] < N));
}

// Large tiles read less memory per multiplication; small ones keep every multiprocessor busy when
// c is small, with long blocks along k where shared memory has room for them. The launcher times
// them when a shape first occurs, and remembers the fastest.
inline constexpr auto matmul_f16 =
    tune(key{"M", "N", "K"}, candidate(matmul<128, 256, 64, 8>, {.num_warps = 8, .num_stages = 3}),
         candidate(matmul<64, 128, 128, 8>, {.num_warps = 4, .num_stages = 3}),
         candidate(matmul<64, 128, 64, 8>, {.num_warps = 4, .num_stages = 4}));
