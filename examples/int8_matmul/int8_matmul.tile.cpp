// Matmul of 8-bit integers, as quantized networks need it; b is stored transposed.
#include <tile2cu/tile.h>
using namespace tl;

// c = a b^T        a: i8 [M, K], b: i8 [N, K], c: i32 [M, N], rows without gaps
//
// k is contiguous in both matrices, as loads and tensor cores need it for bytes; `trans` moves
// nothing. Accumulators are exact while they fit in 32 bits: for any K up to 131071.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M>
__tile_global__ void int8_matmul(const int8_t* __restrict__ a, const int8_t* __restrict__ b,
                                 int* __restrict__ c, int M, int N, int K) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto rows = pid_m * BLOCK_M + arange<BLOCK_M>();  // of a and c
  auto cols = pid_n * BLOCK_N + arange<BLOCK_N>();  // of c, the rows of b
  auto ks = arange<BLOCK_K>();
  auto a_ptrs = a + rows[all, none] * K + ks[none, all];
  auto b_ptrs = b + cols[all, none] * K + ks[none, all];
  auto acc = zeros<int, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a_ptrs, (rows[all, none] < M) & (ks[none, all] < K - k));
    auto y = load(b_ptrs, (cols[all, none] < N) & (ks[none, all] < K - k));
    acc = dot(x, trans(y), acc);
    a_ptrs += BLOCK_K;
    b_ptrs += BLOCK_K;
  }
  store(c + rows[all, none] * N + cols[none, all], acc,
        (rows[all, none] < M) & (cols[none, all] < N));
}

inline constexpr auto int8_matmul_i8 = tune(
    key{"M", "N", "K"}, candidate(int8_matmul<128, 128, 128, 8>, {.num_warps = 4, .num_stages = 3}),
    candidate(int8_matmul<64, 128, 64, 8>, {.num_warps = 4, .num_stages = 3}));
