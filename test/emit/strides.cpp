// Strides that are arguments: the launcher runs kernels of their own for strides of 1.
// RUN: %tile2cu -Rtile %s -o %t.cu 2>%t.txt
// RUN: FileCheck %s --input-file=%t.cu
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.txt
// RUN: %tile2cu --arch=sm_80,sm_90a %s -o %t.both.cu
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t.both.cu
#include <tile2cu/tile.h>
using namespace tl;

// SAYS: there is a kernel where 's1' and 't1' are 1; other strides run one that takes any
// SAYS: the launcher uses vectorized accesses where 's1' and 't1' are 1, and 'in' and 'out' are multiples of 16 bytes, and 'N', 's0' and 't0' are multiples of 4; otherwise it runs a kernel for any strides
// SAYS: this load moves 4 elements (16 bytes) at a time
// SAYS: there is a kernel where 'ak', 'bn' and 'cn' are 1, and one where 'ak', 'bk' and 'cn' are 1; other strides run one that takes any

// CHECK: ---- copy_kernel ---
// CHECK: needs   s1 > 0
// CHECK-NEXT: needs   s1 == 1, t1 == 1; in, out aligned to 16 bytes; N % 4 == 0, s0 % 4 == 0, t0 % 4 == 0
// CHECK: tile2cu::load_if<VEC>(
// CHECK: ---- copy_strided_kernel ---
// CHECK: int64_t(row) * s0 + int64_t(column) * s1
// CHECK: ---- matmul_kernel ---
// CHECK: needs   ak == 1, bn == 1, cn == 1; a, b, c aligned to 16 bytes;
// CHECK: ---- matmul_unit_bk_kernel ---
// CHECK: needs   ak == 1, bk == 1, cn == 1; a, b, c aligned to 16 bytes;
// CHECK: ---- matmul_strided_kernel ---
// CHECK-NOT: needs
// CHECK: ---- matmul_64_128_64_kernel ---
// CHECK-LABEL: cudaError_t copy_any(
// CHECK: if (!(s1 > 0)) return cudaErrorInvalidValue;
// CHECK: const bool unit_strides = s1 == 1 && t1 == 1 && tile2cu::aligned<16>(in, out) && N % 4 == 0 &&
// CHECK: if (unit_strides) return launch_copy(in, out, M, N, s0, s1, t0, t1, stream);
// CHECK: return launch_copy_strided(in, out, M, N, s0, s1, t0, t1, stream);
// CHECK-LABEL: cudaError_t matmul_any(
// CHECK: if (unit_strides) return launch_matmul(
// CHECK: if (unit_bk) return launch_matmul_unit_bk(
// CHECK: return launch_matmul_strided<
// CHECK-LABEL: cudaError_t matmul_fastest(
// CHECK: unit_strides ? launch_matmul
// CHECK-NEXT: : unit_bk ? launch_matmul_unit_bk
// CHECK-NEXT: : launch_matmul_strided<128, {{[0-9]}}>,

template <int BM, int BN>
__tile_global__ void copy(const float* __restrict__ in, float* __restrict__ out, int M, int N, int s0, int64_t s1, int t0,
                          int t1) {
  require(s1 > 0);
  auto [p, q] = grid(cdiv(M, BM), cdiv(N, BN));
  auto i = p * BM + arange<BM>();
  auto j = q * BN + arange<BN>();
  auto mask = (i[all, none] < M) & (j[none, all] < N);
  store(out + i[all, none] * t0 + j[none, all] * t1, load(in + i[all, none] * s0 + j[none, all] * s1, mask), mask);
}
inline constexpr auto copy_any = instantiate(copy<32, 64>);

template <int BM, int BN, int BK>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b, float16* __restrict__ c, int M,
                            int N, int K, int am, int ak, int bk, int bn, int cm, int cn) {
  auto [p, q] = grid(cdiv(M, BM), cdiv(N, BN));
  auto i = p * BM + arange<BM>();
  auto j = q * BN + arange<BN>();
  auto ks = arange<BK>();
  auto a_ptrs = a + i[all, none] * am + ks[none, all] * ak;
  auto b_ptrs = b + ks[all, none] * bk + j[none, all] * bn;
  auto acc = zeros<float, BM, BN>();
  for (int k = 0; k < K; k += BK) {
    auto x = load(a_ptrs, (i[all, none] < M) & (ks[none, all] < K - k));
    auto y = load(b_ptrs, (ks[all, none] < K - k) & (j[none, all] < N));
    acc = dot(x, y, acc);
    a_ptrs += BK * ak;
    b_ptrs += BK * bk;
  }
  store(c + i[all, none] * cm + j[none, all] * cn, cast<float16>(acc), (i[all, none] < M) & (j[none, all] < N));
}
inline constexpr auto matmul_any = instantiate(matmul<128, 128, 64>);
inline constexpr auto matmul_fastest =
    tune(key{"M", "N"}, candidate(matmul<128, 128, 64>), candidate(matmul<64, 128, 64>));

// Two forms of each kernel: the Hopper variant is tried first.
// BOTH-LABEL: cudaError_t matmul_any(
// BOTH: const bool unit_strides = ak == 1 && bn == 1 && cn == 1 &&
// BOTH: const bool unit_bk = ak == 1 && bk == 1 && cn == 1 &&
// BOTH: const bool hopper = tile2cu::on_hopper();
// BOTH: if (hopper && unit_strides &&
// BOTH-NEXT: return launch_matmul_hopper(
// BOTH: if (unit_strides)
// BOTH: if (hopper && unit_bk
// BOTH: return launch_matmul_hopper_unit_bk
