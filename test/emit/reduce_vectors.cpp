// Accumulators that are added to memory, on GPUs with vector additions (sm_90): whole lines through shared memory, four
// elements at a time; before sm_90 one at a time.
// RUN: %tile2cu %in_parts --arch=sm_90 -Rtile %s -o %t.cu 2>%t.txt
// RUN: FileCheck %s --input-file=%t.cu
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.txt
// RUN: %tile2cu %in_parts --arch=sm_80 %s -o - | FileCheck %s --check-prefix=OLD
#include <tile2cu/tile.h>
using namespace tl;

// SAYS: this atomic_add moves 4 elements (16 bytes) at a time

// CHECK: static constexpr int VEC_2 = 4;
// CHECK-LABEL: void epilogue(
// CHECK: smem.acc[
// CHECK: __syncthreads();
// CHECK: tile2cu::reduce_add_vector_if<VEC_2>(

// OLD-LABEL: void epilogue(
// OLD: smem.acc[
// OLD-NOT: reduce_add_vector
// OLD: tile2cu::atomic_add(

__tile_global__ void added(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int K) {
  grid(1);
  auto i = arange<64>()[all, none];
  auto j = arange<128>()[none, all];
  auto acc = zeros<float, 64, 128>();
  for (int k = 0; k < K; k += 32) {
    auto ks = k + arange<32>();
    auto x = load(a + i * K + ks[none, all], (ks < K)[none, all]);
    auto y = load(b + ks[all, none] * 128 + j, (ks < K)[all, none]);
    acc = dot(x, y, acc);
  }
  atomic_add(c + i * 128 + j, acc, memory_order::relaxed);
}
inline constexpr auto added_f16 = instantiate(added, {.num_warps = 4});
