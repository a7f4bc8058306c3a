// The product of two matrices on Hopper: the kernel of examples/matmul_descriptor, transpiled for
// sm_90a. A producer warp loads the operands by TMA, consumer warpgroups multiply (wgmma).
#include <tile2cu/tile.h>
using namespace tl;

// c = a b        a: f16 [M, K], b: f16 [K, N], c: f16 [M, N], rows `stride_...` elements apart
//
// Elements of a block past an edge read as 0, and are not written. Programs walk
// the tiles of c in groups of GROUP_M tile rows, so that those that run at a time share rows of a
// and columns of b in the L2 cache.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M>
__tile_global__ void hopper_matmul(const float16* __restrict__ a, const float16* __restrict__ b,
                                   float16* __restrict__ c, int M, int N, int K, int stride_am,
                                   int stride_bk, int stride_cm) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto a_desc = make_tensor_descriptor<BLOCK_M, BLOCK_K>(a, {M, K}, {stride_am, 1});
  auto b_desc = make_tensor_descriptor<BLOCK_K, BLOCK_N>(b, {K, N}, {stride_bk, 1});
  auto c_desc = make_tensor_descriptor<BLOCK_M, BLOCK_N>(c, {M, N}, {stride_cm, 1});
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = a_desc.load({pid_m * BLOCK_M, k});
    auto y = b_desc.load({k, pid_n * BLOCK_N});
    acc = dot(x, y, acc);
  }
  c_desc.store({pid_m * BLOCK_M, pid_n * BLOCK_N}, cast<float16>(acc));
}

// Large tiles with two warpgroups, not persistent and persistent; small ones with one warpgroup.
inline constexpr auto hopper_matmul_f16 =
    tune(key{"M", "N", "K"},
         candidate(hopper_matmul<128, 256, 32, 8>, {.num_warps = 8, .num_stages = 6}),
         candidate(hopper_matmul<128, 256, 32, 8>,
                   {.num_warps = 8, .num_stages = 6, .persistent = true}),
         candidate(hopper_matmul<64, 128, 64, 8>, {.num_warps = 4, .num_stages = 8}));
