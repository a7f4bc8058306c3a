// A loop over items with `flatten`: the first copies of the next item start before the accumulator of an item is stored. Remarks
// report the obstacles.
// RUN: %tile2cu %in_parts -Rtile %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: // Starts the copies of an item's first iterations.
// CHECK-NEXT: {{.*}}void start_tile(int64_t tile) {
// CHECK: const int x_row = warp * 8 + lane / 4;
// CHECK-NEXT: const int x_column = lane % 4 * VEC;
// CHECK-NEXT: const __half* next_a_ptrs = a + start * K + int64_t(x_row) * K + x_column;
// CHECK: for (int stage = 0; stage < STAGES - 1; ++stage) {
// CHECK-NEXT: if (stage * 32 < K) copy_x_y(stage, stage * 32, next_a_ptrs
// CHECK: if (program < items) start_tile(int64_t(program));
// CHECK-NEXT: for (uint32_t work = uint32_t(program); work < uint32_t(items); work += uint32_t(programs)) {
// CHECK: const int tile = int(work);
// CHECK: const __half* next_a_ptrs =
// CHECK-NEXT: a + int64_t(tile_start) * K + (STAGES - 1) * 32 + int64_t(x_row) * K + x_column;
// CHECK: for (int k = 0; k < K; k += 32) {
// CHECK: if (programs < items - tile) {
// CHECK-NEXT: const int64_t next_tile = int64_t(tile) + programs;
// CHECK-NEXT: __syncthreads();  // all threads have read smem.x, which may be overwritten
// CHECK-NEXT: start_tile(next_tile);
// CHECK: tile2cu::store

template <bool LEAVES>
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b,
                             float* __restrict__ c, int M, int K) {
  auto i = arange<32>();
  for (auto tile : persistent_range(cdiv(M, 32), {.flatten = true})) {
    if constexpr (LEAVES) {
      if (tile == 3) continue;
    }
    auto rows = (tile * 32 + i)[all, none];
    auto a_ptrs = a + rows * K + i[none, all];
    auto acc = zeros<float, 32, 32>();
    // WHY: :[[@LINE+3]]:5: remark: product<false>: the first copies of this loop start before the previous item is done
    // WHY: :[[@LINE+2]]:5: remark: product<true>: the first copies of this loop wait for their item: the loop over items has a break, continue or return

    for (int k = 0; k < K; k += 32) {
      auto x = load(a_ptrs, (rows < M) & ((k + i)[none, all] < K), 0);
      auto y = load(b + (k + i)[all, none] * 32 + i[none, all], (k + i)[all, none] < K, 0);
      acc = dot(x, y, acc);
      a_ptrs += 32;
    }
    store(c + rows * 32 + i[none, all], acc, rows < M);
  }
}

inline constexpr auto product_to_the_end = instantiate(product<false>);
inline constexpr auto product_left = instantiate(product<true>);

// Items that are known too late, copies that would not fit, and stages that something else reads.
template <int KIND, int SIZE>
__tile_global__ void late(const float16* __restrict__ a, const float16* __restrict__ b, float16* c,
                          int K, const int* __restrict__ rows, int* ends) {
  auto i = arange<SIZE>();
  auto e = arange<64>();
  int carried = 0;
  for (auto tile : range(grid(4), 64, 4, {.flatten = true})) {
    auto row = tile * SIZE + i;
    int end = K;
    if constexpr (KIND == 0) row = cast<int64_t>(load(rows + row));
    if constexpr (KIND == 1) row = row + carried;
    if constexpr (KIND == 2) end = load(ends + tile);
    auto acc = zeros<float, SIZE, SIZE>();
    // WHY: :[[@LINE+5]]:5: remark: late<0, 64>: the first copies of this loop wait for their item: 'row_i32' that they need is a tile of the item
    // WHY: :[[@LINE+4]]:5: remark: late<1, 64>: {{.*}}: 'carried' that they need is carried from item to item
    // WHY: :[[@LINE+3]]:5: remark: late<2, 64>: {{.*}}: 'end' is loaded from what the kernel may write
    // WHY: :[[@LINE+2]]:5: remark: late<3, 128>: {{.*}}: it would take 198656 bytes of shared memory of 166912

    for (int k = 0; k < end; k += 64) {
      auto x = load(a + row[all, none] * K + (k + e)[none, all]);
      auto y = load(b + (k + e)[all, none] * SIZE + i[none, all]);
      acc = dot(x, y, acc);
    }
    carried += KIND == 1 ? tile : 0;
    store(c + (tile * SIZE + i)[all, none] * SIZE + i[none, all], cast<float16>(acc));
  }
}

inline constexpr auto late_rows = instantiate(late<0, 64>);
inline constexpr auto late_carried = instantiate(late<1, 64>);
inline constexpr auto late_end = instantiate(late<2, 64>);
inline constexpr auto too_large = instantiate(late<3, 128>, {.num_stages = 5});
