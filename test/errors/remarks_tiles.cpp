// Remarks about tiles: their layouts, layout conversions, and barriers.
// RUN: %tile2cu -Rtile %s -o %t.cu 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <int M, int N>
__tile_global__ void transpose(const float* __restrict__ in, float* __restrict__ out) {
  grid(1);
  auto r = arange<M>()[all, none];
  auto c = arange<N>()[none, all];
  // CHECK: :[[@LINE+2]]:12: remark: this tile is distributed for the load: 32 elements a thread in vectors of 4 along dimension 1 [-Rtile,T2C201]
  // CHECK: :[[@LINE+1]]:12: remark: this load moves 4 elements (16 bytes) at a time [-Rtile,T2C101]
  auto x = load(in + r * N + c);
  // CHECK: :[[@LINE+4]]:3: remark: this tile is distributed for the store: 32 elements a thread in vectors of 4 along dimension 1
  // CHECK: :[[@LINE+3]]:3: remark: this store moves 4 elements (16 bytes) at a time [-Rtile,T2C101]
  // CHECK: :[[@LINE+2]]:68: remark: 'x' goes through shared memory, 16640 bytes: its producer and its users have layouts for different accesses
  // CHECK: :[[@LINE+1]]:68: remark: a barrier of the whole block before this: smem.x has been written
  store(out + arange<N>()[all, none] * M + arange<M>()[none, all], trans(x));
}
inline constexpr auto transpose_64 = instantiate(transpose<64, 64>, {.num_warps = 4});

__tile_global__ void sums(const float* __restrict__ in, float* __restrict__ out, int n) {
  auto row = grid(n);
  auto acc = zeros<float, 1000>();
  float total = 0.0f, largest = -inf;
  for (int k = 0; k < n; k += 1000) {
    auto i = arange<1000>();
    // CHECK: :[[@LINE+1]]:14: remark: this tile is distributed for the load: 8 elements a thread in vectors of 4, 1000 padded to 1024
    auto x = load(in + row * n + k + i, i < n - k);
    // CHECK: :[[@LINE+2]]:14: remark: this sum: each thread combines 8, then 32 lanes are reduced by 5 shuffles, then 4 warps are reduced through 16 bytes of shared memory and a barrier
    // CHECK: :[[@LINE+1]]:14: remark: this sum stays within each thread in the loop: threads synchronize once, after it
    total += sum(x);
    // CHECK: :[[@LINE+2]]:27: remark: this max: each thread
    // CHECK: :[[@LINE+1]]:27: remark: threads synchronize for this max in every iteration; if only the total is needed, add into a tile and reduce that after the loop
    if (k < 2) largest += max(x);
    acc += x;
  }
  store(out + row, total + largest + sum(acc));
}
inline constexpr auto sums_1 = instantiate(sums, {.num_warps = 4});

__tile_global__ void in_place(float* x, float* y) {
  grid(1);
  auto i = arange<256>();
  auto a = load(x + i);
  // CHECK: :[[@LINE+1]]:3: remark: a barrier of the whole block before this: the loads above have completed before the stores below; 'x' in line [[@LINE-1]] and 'y' here may overlap
  store(y + i, a);
}
inline constexpr auto in_place_1 = instantiate(in_place, {.num_warps = 4});

__tile_global__ void within_warps(const float* __restrict__ x, float* __restrict__ y, float* __restrict__ z) {
  auto row = grid(4);
  auto i = arange<128>();
  // CHECK: :[[@LINE+1]]:18: remark: a tile moves between the lanes of each warp, 4 shuffles per thread and no shared memory: flip moves elements to other positions
  store(y + i, -(flip(load(x + i))));
  // CHECK: :[[@LINE+1]]:17: remark: 'a' stays in its threads and only changes registers: split moves elements to other positions
  auto [a, b] = split(load(x + arange<32>()[all, none] * 2 + arange<2>()[none, all]));
  store(z + row * 32 + arange<32>(), a - b);
}
inline constexpr auto within_warps_1 = instantiate(within_warps, {.num_warps = 1});
