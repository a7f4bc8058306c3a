// Grouped matmul: matrices of different heights in one launch, as a mixture of experts needs them.
// The rows of `a` are sorted by expert, and each expert has a matrix of its own.
#include <tile2cu/tile.h>
using namespace tl;

// c[r, :] = a[r, :] b[g]        for the rows r of group g: starts[g] <= r < starts[g + 1]
// a: f16 [rows, K], b: f16 [groups, K, N], c: f16 [rows, N], all without gaps;
// starts: i32 [groups + 1], ascending, from 0 to rows
//
// Heights are known on the device only, so the grid has as many programs as any heights can need:
// each group has at most one tile that is not full. A program searches for its group.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void grouped_gemm(const float16* __restrict__ a, const float16* __restrict__ b,
                                  float16* __restrict__ c, const int* __restrict__ starts, int rows,
                                  int groups, int N, int K) {
  auto [pid_n, tile_m] = grid(cdiv(N, BLOCK_N), cdiv(rows, BLOCK_M) + groups);
  // The last group that begins at this tile or before it.
  int group = 0;
  int64_t group_tile = 0, tiles = 0;
  for (int g = 0; g < groups; ++g) {
    if (tiles <= tile_m) {
      group = g;
      group_tile = tiles;
    }
    tiles += cdiv(starts[g + 1] - starts[g], BLOCK_M);
  }
  if (tiles <= tile_m) return;

  auto end = starts[group + 1];
  auto offs_m = (starts[group] + (tile_m - group_tile) * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto offs_n = (pid_n * BLOCK_N + arange<BLOCK_N>())[none, all];
  auto offs_k = arange<BLOCK_K>();
  auto a_ptrs = a + offs_m * K + offs_k[none, all];
  auto b_ptrs = b + int64_t(group) * K * N + (offs_k[all, none] * N + offs_n);
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a_ptrs, (offs_m < end) & (offs_k[none, all] < K - k));
    auto y = load(b_ptrs, (offs_k[all, none] < K - k) & (offs_n < N));
    acc = dot(x, y, acc);
    a_ptrs += BLOCK_K;
    b_ptrs += BLOCK_K * N;
  }
  store(c + offs_m * N + offs_n, cast<float16>(acc), (offs_m < end) & (offs_n < N));
}

inline constexpr auto grouped_gemm_f16 =
    instantiate(grouped_gemm<128, 256, 64>, {.num_warps = 8, .num_stages = 3});
