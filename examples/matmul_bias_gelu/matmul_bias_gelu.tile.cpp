// A layer of a network: a matmul with a fused epilogue, bias and activation, while the accumulator
// is still in registers.
#include <tile2cu/tile.h>
using namespace tl;

// out = gelu(x w + bias)        x: f16 [M, K], w: f16 [K, N], bias: f16 [N], out: f16 [M, N],
//                               rows without gaps
//
// The product as in examples/matmul. Its float accumulator is rounded once. A kernel of its
// own for bias and gelu would read and write all of out once more.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M>
__tile_global__ void matmul_bias_gelu(const float16* __restrict__ x, const float16* __restrict__ w,
                                      const float16* __restrict__ bias, float16* __restrict__ out,
                                      int M, int N, int K) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto rows = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = pid_n * BLOCK_N + arange<BLOCK_N>();
  auto ks = arange<BLOCK_K>();
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  auto x_ptrs = x + rows * K + ks[none, all];
  auto w_ptrs = w + ks[all, none] * N + cols[none, all];
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x_tile = load(x_ptrs, (rows < M) & (ks[none, all] < K - k));
    auto w_tile = load(w_ptrs, (ks[all, none] < K - k) & (cols[none, all] < N));
    acc = dot(x_tile, w_tile, acc);
    x_ptrs += BLOCK_K;
    w_ptrs += BLOCK_K * N;
  }
  auto b = cast<float>(load(bias + cols, cols < N));
  auto y = gelu(acc + b[none, all], fast_tanh_approx);
  store(out + rows * N + cols[none, all], cast<float16>(y), (rows < M) & (cols[none, all] < N));
}

inline constexpr auto matmul_bias_gelu_f16 =
    tune(key{"M", "N", "K"},
         candidate(matmul_bias_gelu<128, 256, 64, 8>, {.num_warps = 8, .num_stages = 3}),
         candidate(matmul_bias_gelu<64, 128, 64, 8>, {.num_warps = 4, .num_stages = 3}));
