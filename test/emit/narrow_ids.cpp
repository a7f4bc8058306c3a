// RUN: %tile2cu %s --arch=sm_90a -o - | FileCheck %s
// An id that the source narrows to `int` keeps what is known of it: the blocks of a cluster share loads.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b, float16* __restrict__ c, int M, int N, int K) {
  int pid = grid(cdiv(M, 128) * cdiv(N, 128));
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, 128), cdiv(N, 128), 8);
  auto A = make_tensor_descriptor<128, 64>(a, {M, K}, {K, 1});
  auto B = make_tensor_descriptor<64, 128>(b, {K, N}, {N, 1});
  auto C = make_tensor_descriptor<128, 128>(c, {M, N}, {N, 1});
  auto acc = zeros<float, 128, 128>();
  for (int k = 0; k < K; k += 64) acc = dot(A.load({pid_m * 128, k}), B.load({k, pid_n * 128}), acc);
  C.store({pid_m * 128, pid_n * 128}, cast<float16>(acc));
}
inline constexpr auto product_8 = instantiate(product, {.num_warps = 8, .num_stages = 3});
// CHECK: tma_load_multicast<CLUSTER>(&smem.B_block
// CHECK: cluster_sync<CLUSTER>
