// RUN: %tile2cu %s --arch=sm_90a --helpers=include -o - | FileCheck %s
// Packed words stay in the thread that holds them: it unpacks each once, and stores the results where the dot reads them.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: void consumer(
// The scales are in flight while the iteration waits for its copies.
// CHECK: for (int k = 0; k < K; k += 64) {
// CHECK-NOT: pipeline.consumer_wait
// CHECK: tile2cu::vec<__half, VEC> scale =
// CHECK: const int stage = pipeline.consumer_wait(smem.full);
// CHECK: tile2cu::vec<int, VEC> words =
// CHECK: &smem.words[stage]
// CHECK-NOT: sync
// CHECK-NOT: smem.words
// CHECK: ((words[v] >> (l * 4)) & 15) - 8) * scale[v];
// CHECK: smem.b[stage]
// CHECK: tile2cu::named_barrier_sync<NUM_THREADS>(1);  // smem.b has been written
// CHECK: tile2cu::wgmma_wait<1>();

__tile_global__ void weights(const float16* __restrict__ x, const int* __restrict__ packed,
                             const float16* __restrict__ scales, float16* __restrict__ out, int M, int N, int K) {
  require(K % 64 == 0 && K > 0);
  auto [j, i] = grid(cdiv(N, 64), cdiv(M, 64));
  auto X = make_tensor_descriptor<64, 64>(x, {M, K}, {K, 1});
  auto Q = make_tensor_descriptor<8, 64>(packed, {K / 8, N}, {N, 1});
  auto S = make_tensor_descriptor<1, 64>(scales, {K / 64, N}, {N, 1});
  auto O = make_tensor_descriptor<64, 64>(out, {M, N}, {N, 1});
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64) {
    auto words = Q.load({k / 8, j * 64});
    auto w = reshape<64, 64>((words[all, none, all] >> (arange<8>() * 4)[none, all, none]) & 15);
    auto scale = S.load({k / 64, j * 64});
    acc = dot(X.load({i * 64, k}), cast<float16>(w - 8) * scale, acc);
  }
  O.store({i * 64, j * 64}, cast<float16>(acc));
}
inline constexpr auto weights_f16 = instantiate(weights, {.num_warps = 4, .num_stages = 3});
