// Split-K matmul, for a long k and a small result: several programs share each tile of it.
#include <tile2cu/tile.h>
using namespace tl;

// c += a b        a: f16 [M, K], b: f16 [K, N], c: f32 [M, N], rows without gaps
//
// A small c has too few tiles for all multiprocessors. Here each tile has `splits` programs; each
// multiplies a part of k and adds its accumulator to c. The caller clears c. The order of these
// additions differs from run to run, and so does their rounding.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void split_k(const float16* __restrict__ a, const float16* __restrict__ b,
                             float* __restrict__ c, int M, int N, int K, int splits) {
  require(splits > 0);
  auto [pid_m, pid_n, split] = grid(cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), splits);
  auto rows = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = (pid_n * BLOCK_N + arange<BLOCK_N>())[none, all];
  auto ks = arange<BLOCK_K>();
  auto depth = cdiv(cdiv(K, BLOCK_K), splits) * BLOCK_K;  // of each part, in whole blocks
  auto first = split * depth;
  int part = clamp(K - first, 0, depth);  // what k has of it
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  auto a_ptrs = a + rows * K + (first + ks[none, all]);
  auto b_ptrs = b + first * N + ks[all, none] * N + cols;
  for (int k = 0; k < part; k += BLOCK_K) {
    auto x = load(a_ptrs, (rows < M) & (ks[none, all] < part - k));
    auto y = load(b_ptrs, (ks[all, none] < part - k) & (cols < N));
    acc = dot(x, y, acc);
    a_ptrs += BLOCK_K;
    b_ptrs += BLOCK_K * N;
  }
  atomic_add(c + rows * N + cols, acc, (rows < M) & (cols < N), memory_order::relaxed);
}

inline constexpr auto split_k_f16 =
    instantiate(split_k<128, 256, 64>, {.num_warps = 8, .num_stages = 3});
