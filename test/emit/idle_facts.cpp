// The launcher checks only what some access needs, not what each could use by itself: the scales of a dot, one per row, are in
// the accumulator's layout and loaded element by element, so that their number may be anything.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>%t.txt
// RUN: FileCheck %s --input-file=%t.cu
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.txt
// RUN: %tile2cu --arch=sm_80 %s -o %t.80.cu
// RUN: FileCheck %s --check-prefix=MMA --input-file=%t.80.cu
#include <tile2cu/tile.h>
using namespace tl;

// SAYS: the launcher uses vectorized accesses where 'a', 'b' and 'out' are multiples of 16 bytes, and 'N' is a multiple of 8, and 'K' is a multiple of 16;
// CHECK-LABEL: cudaError_t rows_scaled(
// CHECK: tile2cu::aligned<16>(a, b, out) && N % 8 == 0 && K % 16 == 0 && K > 0
// MMA-LABEL: cudaError_t rows_scaled(
// MMA: const bool aligned = tile2cu::aligned<16>(a, b, out) && N % 8 == 0 && K % 16 == 0;

template <int BM, int BN, int BK>
__tile_global__ void scaled(const int8_t* __restrict__ a, const int8_t* __restrict__ b,
                            const float* __restrict__ scales, bfloat16* __restrict__ out, int M,
                            int N, int K) {
  auto [i, j] = grid(cdiv(M, BM), cdiv(N, BN));
  auto A = make_tensor_descriptor<BM, BK>(a, {M, K}, {K, 1});
  auto B = make_tensor_descriptor<BN, BK>(b, {N, K}, {K, 1});
  auto O = make_tensor_descriptor<BM, BN>(out, {M, N}, {N, 1});
  auto acc = zeros<int, BM, BN>();
  for (int k = 0; k < K; k += BK) acc = dot(A.load({i * BM, k}), trans(B.load({j * BN, k})), acc);
  auto rows = i * BM + arange<BM>();
  auto scale = load(scales + rows, rows < M);
  O.store({i * BM, j * BN}, cast<bfloat16>(cast<float>(acc) * scale[all, none]));
}
inline constexpr auto rows_scaled = instantiate(scaled<128, 128, 64>, {.num_warps = 8});
