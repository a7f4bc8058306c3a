// RUN: %tile2cu %s --arch=sm_80 -o %t.cu 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %tile2cu %s --arch=sm_80 -Wno-grid -Wno-prefetch -Wno-registers -Wno-offset -Wno-access -Wno-axis -o %t.cu 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// Warnings that are on by default, each once for all variants of a kernel.
// NONE-NOT: warning:
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-DAG: :[[@LINE+1]]:22: warning: kernel 'alone' has no grid(...) and reads no program_id, so each of its programs does the same; write auto pid = grid(n) at its start for n programs [-Wgrid]
__tile_global__ void alone(float* out) { store(out + arange<64>(), 1.0f); }
inline constexpr auto alone_1 = instantiate(alone);

// Each reads the number of its program, or of all of them.
__tile_global__ void numbered(float* out) { store(out + program_id(0) * 64 + arange<64>(), 1.0f); }
inline constexpr auto numbered_1 = instantiate(numbered);
__tile_global__ void persistent(float* out, int n) {
  for (auto i : persistent_range(n)) store(out + i * 64 + arange<64>(), 1.0f);
}
inline constexpr auto persistent_1 = instantiate(persistent);

__tile_global__ void product(const float16* a, const float16* __restrict__ b, float16* c, int K) {
  grid(1);
  auto i = arange<32>();
  auto acc = zeros<float, 32, 32>();
  // CHECK-DAG: :[[@LINE+1]]:3: warning: this loop waits for each load through 'a': the kernel might write what it points to, so nothing is prefetched; declare it const T* __restrict__ [-Wprefetch]
  for (int k = 0; k < K; k += 32) {
    auto x = load(a + i[all, none] * K + (k + i)[none, all]);
    auto y = load(b + (k + i)[all, none] * 32 + i[none, all]);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * 32 + i[none, all], cast<float16>(acc));
}
inline constexpr auto product_1 = instantiate(product);

// It writes through the pointer from which it loads, so the order matters.
__tile_global__ void in_place(float16* a, const float16* __restrict__ b, int K) {
  grid(1);
  auto i = arange<32>();
  auto acc = zeros<float, 32, 32>();
  for (int k = 0; k < K; k += 32) {
    auto x = load(a + i[all, none] * K + (k + i)[none, all]);
    auto y = load(b + (k + i)[all, none] * 32 + i[none, all]);
    acc = dot(x, y, acc);
    store(a + i[all, none] * K + (k + i)[none, all], cast<float16>(acc));
  }
}
inline constexpr auto in_place_1 = instantiate(in_place);

template <int N>
__tile_global__ void sums(const float* __restrict__ x, float* out) {
  auto row = grid(100);
  // CHECK-DAG: :[[@LINE+1]]:12: warning: this tile has 256 elements for each thread; more than 128 rarely fit its registers, and the others go to local memory, which is slow; use more warps (num_warps) or a smaller tile [-Wregisters]
  auto v = load(x + row * N + arange<N>());
  store(out + row * N + arange<N>(), v / sum(v));
}
inline constexpr auto sums_large = instantiate(sums<32768>, {.num_warps = 4});
inline constexpr auto sums_small = instantiate(sums<16384>, {.num_warps = 4});

__tile_global__ void narrow_ids(const float* __restrict__ x, float* __restrict__ out, int rows, int columns, int stride) {
  int row = grid(rows);
  auto i = arange<64>();
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: 'row' * 'stride' is part of an address and may pass 2147483647, the largest int; convert a factor to int64_t, which the ids of grid(...) are [-Woffset]
  auto v = load(x + row * stride + i);
  // Of a constant, of a tile's index, of the id itself, of a bounded number, not of an address, and not of the program's number.
  v += load(x + row * 4096 + i);
  v += load(x + i * stride);
  v += load(x + program_id(0) * stride + i);
  v += load(x + minimum(row, 1000) * stride + i);
  v += row * stride;
  for (int k = 0; k < columns; ++k) {
    v += load(x + k * columns + i);
  }
  store(out + program_id(0) * 64 + i, v);
}
inline constexpr auto narrow_ids_1 = instantiate(narrow_ids, {.num_warps = 1});

__tile_global__ void rows_of_table(const float* __restrict__ x, const int64_t* __restrict__ starts, float* __restrict__ out) {
  auto row = grid(100);
  auto i = arange<256>();
  auto start = load(starts + row);
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: this load moves 1 element (4 bytes) at a time: addresses are multiples of 4 bytes only, as the loaded 'start' may have any value; if it is a multiple of 4, say so by assume_divisible<4> [-Waccess]
  auto v = load(x + start + i);
  v += load(x + assume_divisible<4>(load(starts + row + 1)) + i);
  store(out + row * 256 + i, v);
}
inline constexpr auto rows_of_table_1 = instantiate(rows_of_table, {.num_warps = 1});

__tile_global__ void extremes(const float* __restrict__ x, float* __restrict__ out) {
  auto row = grid(100);
  auto v = load(x + row * 64 + arange<64>());
  auto square = reshape<8, 8>(v);
  // CHECK-DAG: :[[@LINE+1]]:15: warning: max(x, 0) is the maximum of each element and the number 0; for the maximum along an axis write max<0>(x), otherwise maximum(x, 0) [-Waxis]
  auto high = max(v, 0);
  // CHECK-DAG: :[[@LINE+1]]:14: warning: min(x, -2) is the minimum of each element and the number -2; for the minimum along an axis write min<-2>(x), otherwise minimum(x, -2) [-Waxis]
  auto low = min(square, -2);
  // CHECK-DAG: :[[@LINE+1]]:9: warning: max(x, 1) is the maximum
  low = max(square, (1), propagate_nan);
  // No axis of the tile, not a literal, not of a tile, and both ways to say which is meant.
  constexpr int kZero = 0;
  v = max(v, 1) + max(v, kZero) + max(v, 0.0f) + min(int(row), 0) + maximum(v, 0) + max<0>(v) + max(0, v);
  store(out + row * 64 + arange<64>(), v + high + reshape<64>(low));
}
inline constexpr auto extremes_1 = instantiate(extremes, {.num_warps = 1});
