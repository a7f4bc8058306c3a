// Remarks about whole kernels, and the names of instances that differ.
// RUN: %tile2cu -Rtile %s -o %t.cu 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: :[[@LINE+8]]:22: remark: row<256>: 4 programs of one warp share a block: by default as many as hold 1024 elements, at most 4, and its largest tile has 256 [-Rtile,T2C501]
// CHECK: :[[@LINE+7]]:22: remark: row<512>: 3 programs of one warp share a block: programs_per_block says so [-Rtile,T2C501]
// CHECK: :[[@LINE+6]]:22: remark: the launcher uses vectorized accesses where 'in' and 'out' are multiples of 16 bytes, and 'n' is a multiple of 4; otherwise it runs a kernel with element-wise accesses [-Rtile,T2C105]
// CHECK: remark: row<256>: 128 threads a block, 0 bytes of shared memory, registers for 1024 resident threads on a multiprocessor (by default)
// CHECK: remark: row<512>: 96 threads a block, 0 bytes
// CHECK: remark: row<2048> on 4 warps: 128 threads a block, 16 bytes of shared memory, registers for 1024
// CHECK: remark: row<2048> on 8 warps: 256 threads a block, 32 bytes of shared memory, registers for 768 resident threads on a multiprocessor (min_blocks says so)
template <int BLOCK>
__tile_global__ void row(const float* __restrict__ in, float* __restrict__ out, int rows, int n) {
  require(n <= BLOCK);
  auto r = grid(rows);
  auto i = arange<BLOCK>();
  // CHECK: :[[@LINE+3]]:12: remark: row<256>, <2048> on 8 warps: this tile is distributed for the load: 8 elements a thread in vectors of 4
  // CHECK: :[[@LINE+2]]:12: remark: row<512>, <2048> on 4 warps: this tile is distributed for the load: 16 elements
  // CHECK: :[[@LINE+1]]:12: remark: this load moves 4 elements (16 bytes) at a time
  auto x = load(in + r * n + i, i < n);
  store(out + r * n + i, x / sum(x), i < n);
}
inline constexpr auto rows_any = select(candidate(row<256>, {.num_warps = 1}),
                                        candidate(row<512>, {.num_warps = 1, .programs_per_block = 3}),
                                        candidate(row<2048>, {.num_warps = 4}));
inline constexpr auto rows_large = instantiate(row<2048>, {.num_warps = 8, .min_blocks = 3});
