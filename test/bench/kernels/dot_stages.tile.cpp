// Matmuls in loops of 1 to 5 pipeline stages, for checks and sanitizers: small tiles, so that small
// problems go through all stages several times.
#include <tile2cu/tile.h>
using namespace tl;

// c = a b        a: f16 [M, K], b: f16 [K, N], c: f16 [M, N], rows without gaps
template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void dot_stages(const float16* __restrict__ a, const float16* __restrict__ b,
                                float16* __restrict__ c, int M, int N, int K) {
  auto [pid_n, pid_m] = grid(cdiv(N, BLOCK_N), cdiv(M, BLOCK_M));
  auto rows = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = (pid_n * BLOCK_N + arange<BLOCK_N>())[none, all];
  auto ks = arange<BLOCK_K>();
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a + rows * K + (k + ks[none, all]), (rows < M) & (ks[none, all] < K - k));
    auto y = load(b + (k + ks[all, none]) * N + cols, (ks[all, none] < K - k) & (cols < N));
    acc = dot(x, y, acc);
  }
  store(c + rows * N + cols, cast<float16>(acc), (rows < M) & (cols < N));
}

// out = tanh(q k^T) v        q: f16 [M, D]; k, v: f16 [N, D]; out: f16 [M, D]
// Two dots in one loop: the accumulator of the first is an operand of the second.
template <int BLOCK_M, int BLOCK_N, int D>
__tile_global__ void chain_stages(const float16* __restrict__ q, const float16* __restrict__ k,
                                  const float16* __restrict__ v, float16* __restrict__ out, int M,
                                  int N) {
  auto rows = (grid(cdiv(M, BLOCK_M)) * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto dims = arange<D>()[none, all];
  auto queries = load(q + rows * D + dims, rows < M);
  auto acc = zeros<float, BLOCK_M, D>();
  for (int start = 0; start < N; start += BLOCK_N) {
    auto keys = (start + arange<BLOCK_N>())[all, none];
    auto k_tile = load(k + keys * D + dims, keys < N);
    auto v_tile = load(v + keys * D + dims, keys < N);
    acc = dot(cast<float16>(tanh(dot(queries, trans(k_tile)))), v_tile, acc);
  }
  store(out + rows * D + dims, cast<float16>(acc), rows < M);
}

inline constexpr auto dot_stages_1 = instantiate(dot_stages<64, 128, 32>, {.num_stages = 1});
inline constexpr auto dot_stages_2 = instantiate(dot_stages<64, 128, 32>, {.num_stages = 2});
inline constexpr auto dot_stages_3 = instantiate(dot_stages<64, 128, 32>, {.num_stages = 3});
inline constexpr auto dot_stages_4 = instantiate(dot_stages<64, 128, 32>, {.num_stages = 4});
inline constexpr auto dot_stages_5 = instantiate(dot_stages<64, 128, 32>, {.num_stages = 5});

inline constexpr auto chain_stages_1 = instantiate(chain_stages<64, 32, 64>, {.num_stages = 1});
inline constexpr auto chain_stages_2 = instantiate(chain_stages<64, 32, 64>, {.num_stages = 2});
inline constexpr auto chain_stages_3 = instantiate(chain_stages<64, 32, 64>, {.num_stages = 3});
inline constexpr auto chain_stages_4 = instantiate(chain_stages<64, 32, 64>, {.num_stages = 4});
inline constexpr auto chain_stages_5 = instantiate(chain_stages<64, 32, 64>, {.num_stages = 5});
