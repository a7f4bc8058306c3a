// Matmul with weights of 8 and of 4 bits on Hopper: TMA loads bytes, which threads convert to 16-bit
// floats while the wgmmas of the previous iteration run.
#include <tile2cu/tile.h>
using namespace tl;

// c = a (w scale)^T        a: f16 [M, K], w: int8 [N, K], scale: float [N], c: f16 [M, N], rows
// without gaps
template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void weights(const float16* __restrict__ a, const int8_t* __restrict__ w,
                             const float* __restrict__ scale, float16* __restrict__ c, int M, int N,
                             int K) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), 8);
  auto rows = pid_m * BLOCK_M + arange<BLOCK_M>();
  auto cols = pid_n * BLOCK_N + arange<BLOCK_N>();
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto ks = k + arange<BLOCK_K>();
    auto x =
        load(a + rows[all, none] * K + ks[none, all], (rows < M)[all, none] & (ks < K)[none, all]);
    auto y =
        load(w + cols[all, none] * K + ks[none, all], (cols < N)[all, none] & (ks < K)[none, all]);
    acc = dot(x, trans(cast<float16>(y)), acc);
  }
  auto s = load(scale + cols, cols < N);
  store(c + rows[all, none] * N + cols[none, all], cast<float16>(acc * s[none, all]),
        (rows < M)[all, none] & (cols < N)[none, all]);
}

inline constexpr auto hopper_weights =
    tune(key{"M", "N", "K"}, candidate(weights<128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(weights<128, 128, 64>, {.num_warps = 8, .num_stages = 4, .persistent = true}),
         candidate(weights<64, 64, 128>, {.num_warps = 4, .num_stages = 3, .min_blocks = 2}),
         candidate(weights<64, 64, 128>, {.num_warps = 4, .num_stages = 5}),
         candidate(weights<64, 32, 128>, {.num_warps = 4, .num_stages = 6}),
         candidate(weights<64, 32, 128>, {.num_warps = 4, .num_stages = 3, .min_blocks = 2}),
         candidate(weights<64, 32, 256>, {.num_warps = 4, .num_stages = 3}));

// c = a b^T, b[n, k] = (w[n, k] - 8) scale[n, k / 128]        a: f16 [M, K], w: two weights of 4 bits in
// a byte, the even k low, uint8 [N, K / 2], scale: f16 [N, K / 128], c: f16 [M, N]
template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void weights4(const float16* __restrict__ a, const uint8_t* __restrict__ w,
                              const float16* __restrict__ scale, float16* __restrict__ c, int M,
                              int N, int K) {
  static_assert(128 % BLOCK_K == 0, "a step has one scale for each column");
  require(K % 128 == 0);
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), 8);
  auto rows = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = pid_n * BLOCK_N + arange<BLOCK_N>();
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto ks = (k + arange<BLOCK_K>())[none, all];
    auto pairs = (k / 2 + arange<BLOCK_K / 2>())[none, all];
    auto x = load(a + rows * K + ks, (rows < M) & (ks < K));
    auto bytes =
        load(w + cols[all, none] * (K / 2) + pairs, (cols < N)[all, none] & (pairs < K / 2));
    auto s = load(scale + cols * (K / 128) + k / 128, cols < N);
    auto low = cast<float16>(cast<int>(bytes & 15) - 8);
    auto high = cast<float16>(cast<int>(bytes >> 4) - 8);
    acc = dot(x, trans(interleave(low, high) * s[all, none]), acc);
  }
  store(c + rows * N + cols[none, all], cast<float16>(acc), (rows < M) & (cols < N)[none, all]);
}

inline constexpr auto hopper_weights4 =
    tune(key{"M", "N", "K"}, candidate(weights4<128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(weights4<64, 64, 128>, {.num_warps = 4, .num_stages = 4}),
         candidate(weights4<64, 32, 128>, {.num_warps = 4, .num_stages = 6}),
         candidate(weights4<16, 32, 128>, {.num_warps = 4, .num_stages = 6}));
