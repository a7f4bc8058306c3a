// Remarks about software-pipelined loops.
// RUN: %tile2cu -Rtile --arch=sm_80 %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %tile2cu -Rtile --arch=sm_75 %s -o %t.cu 2>&1 | FileCheck --check-prefix=OLD %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void products(const float16* __restrict__ a, const float16* b, float* __restrict__ c, int K) {
  grid(1);
  auto i = arange<16>();
  auto acc = zeros<float, 16, 16>();
  // CHECK: :[[@LINE+2]]:3: remark: this loop is pipelined: its operands have 3 stages, and copies start 2 iterations ahead
  // OLD: :[[@LINE+1]]:3: remark: this loop is not pipelined: a target has no asynchronous copies
  for (int k = 0; k < K; k += 16) {
    auto x = load(a + i[all, none] * K + (k + i)[none, all]);
    // CHECK: :[[@LINE+1]]:14: remark: 'y' is not prefetched: what it loads may be written by the kernel
    auto y = load(b + (k + i)[all, none] * 16 + i[none, all]);
    acc = dot(x, y, acc);
  }
  // CHECK: :[[@LINE+1]]:3: remark: this loop is not pipelined: it has a break or continue
  for (int k = 0; k < K; k += 16) {
    if (k > 64) break;
    auto z = load(a + i[all, none] * K + (k + i)[none, all]);
    acc = dot(z, trans(z), acc);
  }
  auto w = load(a + i[all, none] * K + i[none, all]);
  // CHECK: :[[@LINE+1]]:9: remark: the first operand goes from the accumulator of one dot to the next dot in registers
  acc = dot(cast<float16>(acc), w);
  store(c + i[all, none] * 16 + i[none, all], acc);
}
inline constexpr auto products_1 = instantiate(products, {.num_warps = 1});
