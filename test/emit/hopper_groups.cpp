// Programs in groups of rows, numbered as in Triton's tutorials: a group is not empty, as its first row is in the matrix.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: TMA loads 'x'
// CHECK: TMA loads 'y'
// CHECK: TMA does not load 'x': its coordinates may be negative

template <int BM, int BN, int BK, int GROUP>
__tile_global__ void tutorial(const float16* __restrict__ a, const float16* __restrict__ b,
                              float16* __restrict__ c, int M, int N, int K, int stride_am,
                              int stride_bk, int stride_cm) {
  int pid = grid(cdiv(M, BM) * cdiv(N, BN));
  int num_m = cdiv(M, BM), num_n = cdiv(N, BN);
  int in_group = GROUP * num_n;
  int group = pid / in_group;
  int first_m = group * GROUP;
  int size = minimum(num_m - first_m, GROUP);
  int pid_m = first_m + (pid % in_group) % size;
  int pid_n = (pid % in_group) / size;
  auto offs_am = (pid_m * BM + arange<BM>());
  auto offs_bn = (pid_n * BN + arange<BN>());
  auto offs_k = arange<BK>();
  auto a_ptrs = a + (offs_am[all, none] * stride_am + offs_k[none, all]);
  auto b_ptrs = b + (offs_k[all, none] * stride_bk + offs_bn[none, all]);
  auto acc = zeros<float, BM, BN>();
  for (int k = 0; k < cdiv(K, BK); ++k) {
    auto x = load(a_ptrs, (offs_am < M)[all, none] & (offs_k[none, all] < K - k * BK));
    auto y = load(b_ptrs, (offs_bn < N)[none, all] & (offs_k[all, none] < K - k * BK));
    acc = dot(x, y, acc);
    a_ptrs += BK;
    b_ptrs += BK * stride_bk;
  }
  auto offs_cm = pid_m * BM + arange<BM>();
  auto offs_cn = pid_n * BN + arange<BN>();
  store(c + stride_cm * offs_cm[all, none] + offs_cn[none, all], cast<float16>(acc), (offs_cm[all, none] < M) & (offs_cn[none, all] < N));
}
inline constexpr auto tutorial_f16 = instantiate(tutorial<128, 256, 64, 8>, {.num_warps = 8, .num_stages = 3});

// Other rows than the group's: the first one may lie past the end of the matrix.
__tile_global__ void other(const float16* __restrict__ a, const float16* __restrict__ b,
                           float* __restrict__ c, int M, int N, int K) {
  int pid = grid(cdiv(M, 64) * cdiv(N, 64));
  int first_m = pid / (4 * cdiv(N, 64)) * 8;
  auto i = (first_m + pid % minimum(cdiv(M, 64) - first_m, 8) / (cdiv(M, 64) - first_m)) * 64 + arange<64>();
  auto j = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64) {
    auto ks = k + arange<64>();
    auto x = load(a + i[all, none] * K + ks[none, all], (i[all, none] < M) & (ks[none, all] < K));
    auto y = load(b + ks[all, none] * N + j[none, all], (ks[all, none] < K) & (j[none, all] < N));
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
}
inline constexpr auto other_f16 = instantiate(other, {.num_warps = 4});
