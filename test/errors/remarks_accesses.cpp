// Remarks about loads and stores: their width, and what keeps them from 16 bytes.
// RUN: %tile2cu -Rtile %s -o %t.cu 2>&1 | FileCheck %s
// Nothing is reported without the flag.
// RUN: %tile2cu %s -Wno-access -o %t.cu 2>&1 | count 0
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void wide(const float* __restrict__ in, float16* __restrict__ out, const int* base,
                          int n, int stride) {
  auto row = grid(n);
  auto i = arange<1024>();
  // CHECK: :[[@LINE+1]]:12: remark: this load moves 4 elements (16 bytes) at a time; the mask is tested once for each vector [-Rtile,T2C101]
  auto x = load(in + row * stride + i, i < stride);
  // CHECK: :[[@LINE+1]]:3: remark: this store moves 4 elements (8 bytes) at a time, not 16 bytes: a tile of 512 elements is small for 128 threads; fewer warps or a larger tile would do
  store(out + row * 512 + arange<512>(), zeros<float16, 512>());
  // Whatever the launcher checks, `first` may be anything.
  auto first = base[0];
  // CHECK: :[[@LINE+1]]:3: remark: this store moves 1 element (2 bytes) at a time, not 16 bytes: addresses are multiples of 2 bytes only, as the loaded 'first' may have any value; if it is a multiple of 8, say so by assume_divisible<8>
  store(out + first + i, x, i < n);
}
inline constexpr auto wide_1 = instantiate(wide, {.num_warps = 4});

__tile_global__ void narrow(const float* in, float* out, int n, int stride) {
  auto row = grid(n);
  auto i = arange<512>();
  // CHECK: :[[@LINE+2]]:12: remark: this load moves 1 element (4 bytes) at a time, not 16 bytes: neighbouring elements are 'stride' apart in memory
  // CHECK: :[[@LINE+1]]:12: remark: loads from 'in' stay in program order and off the read-only path: it is not declared __restrict__
  auto x = load(in + row + i * stride);
  // CHECK: :[[@LINE+1]]:3: remark: this store moves 2 elements (8 bytes) at a time, not 16 bytes: addresses are multiples of 8 bytes only, because of the factor 514: a multiple of 4 would do
  store(out + row * 514 + i, x);
  // CHECK: :[[@LINE+1]]:3: remark: this store moves 1 element (4 bytes) at a time, not 16 bytes: the mask changes from element to element
  store(out + i, x, (i ^ 5) < n);
}
inline constexpr auto narrow_1 = instantiate(narrow, {.num_warps = 4});

__tile_global__ void added(const float* __restrict__ in, float* __restrict__ out) {
  grid(1);
  auto i = arange<512>();
  // CHECK: :[[@LINE+1]]:12: remark: this load moves 1 element (4 bytes) at a time, not 16 bytes: its tile is distributed for other operations
  auto x = load(in + i);
  // CHECK: :[[@LINE+1]]:3: remark: this atomic_add moves 1 element (4 bytes) at a time, not 16 bytes: atomics are done element by element
  atomic_add(out + i, x);
}
inline constexpr auto added_1 = instantiate(added, {.num_warps = 4});

__tile_global__ void turned(const float* __restrict__ in, float* __restrict__ out) {
  grid(1);
  auto r = arange<64>()[all, none];
  auto c = arange<64>()[none, all];
  // CHECK: :[[@LINE+3]]:3: remark: this store moves 1 element (4 bytes) at a time, not 16 bytes: addresses run along dimension 0, but its tile is distributed along dimension 1 for other operations
  // CHECK: :[[@LINE+2]]:27: remark: this tile is distributed for the load: 32 elements a thread in vectors of 4 along dimension 1
  // CHECK: :[[@LINE+1]]:27: remark: this load moves 4 elements (16 bytes) at a time
  store(out + r + c * 64, load(in + r * 64 + c));
}
inline constexpr auto turned_1 = instantiate(turned, {.num_warps = 4});

__tile_global__ void random(float* __restrict__ out, uint64_t seed, int n) {
  auto i = grid(cdiv(n, 1024)) * 1024 + arange<1024>();
  // CHECK: :[[@LINE+1]]:18: remark: four neighbouring elements share one Philox call
  store(out + i, rand(seed, i), i < n);
  // CHECK: :[[@LINE+1]]:18: remark: each element makes its own Philox call: its offsets do not count up by one
  store(out + i, rand(seed, i * 3), i < n);
}
inline constexpr auto random_1 = instantiate(::random, {.num_warps = 4});
