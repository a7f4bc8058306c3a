// A stride that the kernel requires or assumes to be 1 is 1 for all passes: accesses are whole vectors, copies to shared memory
// are asynchronous, fragments are loaded by ldmatrix, and on Hopper TMA loads and stores tensor boxes.
// RUN: %tile2cu %s -o - | FileCheck %s
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck --check-prefix=HOPPER %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: VEC > 1 needs in, out aligned to 16 bytes; N % 4 == 0, s0 % 4 == 0, t0 % 4 == 0
// CHECK: tile2cu::load_if<VEC>(mask, in_q + int64_t(row) * s0 + column
// CHECK: tile2cu::store_if<VEC>(mask, {{.*}} * t0 + column
// CHECK: VEC > 1 needs a, b, c aligned to 16 bytes;
// CHECK: tile2cu::copy_to_shared_if<VEC>(
// CHECK: tile2cu::ldmatrix_x4(
// CHECK-LABEL: cudaError_t copy_rows(
// CHECK: if (!(s1 == 1)) return cudaErrorInvalidValue;
// CHECK-LABEL: cudaError_t matmul_rows(
// CHECK: if (!(ak == 1 && bn == 1 && cn == 1)) return cudaErrorInvalidValue;

template <int BM, int BN>
__tile_global__ void copy(const float* __restrict__ in, float* __restrict__ out, int M, int N, int s0, int64_t s1, int t0,
                          int t1) {
  require(s1 == 1);
  auto [p, q] = grid(cdiv(M, BM), cdiv(N, BN));
  assume(t1 == 1);
  auto i = p * BM + arange<BM>();
  auto j = q * BN + arange<BN>();
  auto mask = (i[all, none] < M) & (j[none, all] < N);
  store(out + i[all, none] * t0 + j[none, all] * t1, load(in + i[all, none] * s0 + j[none, all] * s1, mask), mask);
}
inline constexpr auto copy_rows = instantiate(copy<32, 64>);

template <int BM, int BN, int BK>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b, float16* __restrict__ c, int M,
                            int N, int K, int am, int ak, int bk, int bn, int cm, int cn) {
  require(ak == 1 && bn == 1);
  require(cn == 1);
  auto [p, q] = grid(cdiv(M, BM), cdiv(N, BN));
  auto i = p * BM + arange<BM>();
  auto j = q * BN + arange<BN>();
  auto ks = arange<BK>();
  auto a_ptrs = a + i[all, none] * am + ks[none, all] * ak;
  auto b_ptrs = b + ks[all, none] * bk + j[none, all] * bn;
  auto acc = zeros<float, BM, BN>();
  for (int k = 0; k < K; k += BK) {
    // HOPPER: [[@LINE+1]]:14: remark: TMA loads 'x' into shared memory
    auto x = load(a_ptrs, (i[all, none] < M) & (ks[none, all] < K - k));
    // HOPPER: [[@LINE+1]]:14: remark: TMA loads 'y' into shared memory
    auto y = load(b_ptrs, (ks[all, none] < K - k) & (j[none, all] < N));
    acc = dot(x, y, acc);
    a_ptrs += BK * ak;
    b_ptrs += BK * bk;
  }
  // HOPPER: [[@LINE+1]]:3: remark: TMA stores this tile from shared memory
  store(c + i[all, none] * cm + j[none, all] * cn, cast<float16>(acc), (i[all, none] < M) & (j[none, all] < N));
}
inline constexpr auto matmul_rows = instantiate(matmul<128, 128, 64>);
