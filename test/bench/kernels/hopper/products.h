// Matmul, as in examples/matmul, for the element types and memory orders that test/bench times on
// Hopper.
#pragma once
#include <tile2cu/tile.h>
using namespace tl;

// c = a b        a: T [M, K], b: T [K, N], c: Out [M, N], rows `stride_...` elements apart
template <class T, class Out, int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M = 8>
__tile_global__ void matmul(const T* __restrict__ a, const T* __restrict__ b, Out* __restrict__ c,
                            int M, int N, int K, int stride_am, int stride_bk, int stride_cm) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto rows = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = (pid_n * BLOCK_N + arange<BLOCK_N>())[none, all];
  auto ks = arange<BLOCK_K>();
  auto a_ptrs = a + rows * stride_am + ks[none, all];
  auto b_ptrs = b + ks[all, none] * stride_bk + cols;
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a_ptrs, (rows < M) & (ks[none, all] < K - k));
    auto y = load(b_ptrs, (ks[all, none] < K - k) & (cols < N));
    acc = dot(x, y, acc);
    a_ptrs += BLOCK_K;
    b_ptrs += BLOCK_K * stride_bk;
  }
  store(c + rows * stride_cm + cols, cast<Out>(acc), (rows < M) & (cols < N));
}

// c = a b^T        a: T [M, K], b: T [N, K], c: Out [M, N], rows `stride_...` elements apart
template <class T, class Out, int BLOCK_M, int BLOCK_N, int BLOCK_K, int GROUP_M = 8>
__tile_global__ void matmul_nt(const T* __restrict__ a, const T* __restrict__ b,
                               Out* __restrict__ c, int M, int N, int K, int stride_am,
                               int stride_bn, int stride_cm) {
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), GROUP_M);
  auto rows = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = pid_n * BLOCK_N + arange<BLOCK_N>();
  auto ks = arange<BLOCK_K>()[none, all];
  auto a_ptrs = a + rows * stride_am + ks;
  auto b_ptrs = b + cols[all, none] * stride_bn + ks;
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a_ptrs, (rows < M) & (ks < K - k));
    auto y = load(b_ptrs, (cols[all, none] < N) & (ks < K - k));
    acc = dot(x, trans(y), acc);
    a_ptrs += BLOCK_K;
    b_ptrs += BLOCK_K;
  }
  store(c + rows * stride_cm + cols[none, all], cast<Out>(acc), (rows < M) & (cols[none, all] < N));
}
