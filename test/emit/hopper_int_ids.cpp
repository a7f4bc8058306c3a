// Program ids fit an int, and sizes are required to be positive: coordinates made of both are those of tensor boxes.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: TMA loads 'x' into shared memory
// CHECK: TMA loads 'y' into shared memory
// TEXT-LABEL: void producer(
// TEXT: const int pid = blockIdx.x;
// TEXT: const int head = pid / blocks;
// TEXT: tile2cu::tma_load(smem.x[stage], a_map, smem.full[stage], k, block_start, head);
// TEXT: tile2cu::tma_load(smem.y[stage], b_map, smem.full[stage],

template <int D>
__tile_global__ void grouped_product(const float16* __restrict__ a, const float16* __restrict__ b,
                                     float* __restrict__ c, int heads, int group, int length) {
  require(group > 0);
  int blocks = cdiv(length, 64);
  int pid = grid(blocks * heads);
  int head = pid / blocks, block = pid % blocks;
  auto rows = (block * 64 + arange<64>())[all, none];
  auto ks = arange<64>();
  auto cols = arange<D>()[none, all];
  auto base = int64_t(head) * length * 256;
  auto shared = int64_t(head) / group * (256 * D);
  auto acc = zeros<float, 64, D>();
  for (int k = 0; k < 256; k += 64) {
    auto x = load(a + base + rows * int64_t(256) + (k + ks)[none, all], rows < length);
    auto y = load(b + shared + (k + ks)[all, none] * int64_t(D) + cols);
    acc = dot(x, y, acc);
  }
  store(c + int64_t(head) * length * D + rows * int64_t(D) + cols, acc, rows < length);
}
inline constexpr auto grouped_product_64 = instantiate(grouped_product<64>);

// Also with a constant upper bound.
// CHECK: TMA loads 'part' into shared memory
__tile_global__ void parts(const float16* __restrict__ a, const float16* __restrict__ b,
                           float* __restrict__ c, int heads) {
  auto [i, head] = grid(4, heads);
  int first = int(i) * 64;
  auto rows = (first + arange<64>())[all, none];
  auto ks = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < 256; k += 64) {
    auto part = load(a + head * (256 * 256) + rows * 256 + (k + ks)[none, all]);
    acc = dot(part, load(b + (k + ks)[all, none] * 64 + arange<64>()[none, all]), acc);
  }
  store(c + head * (256 * 64) + rows * 64 + arange<64>()[none, all], acc);
}
inline constexpr auto parts_64 = instantiate(parts);

// A constant minus a bounded value is bounded too.
// CHECK: TMA loads 'other' into shared memory
__tile_global__ void halves(const float16* __restrict__ q, const float16* __restrict__ b,
                            float* __restrict__ c, int programs) {
  auto program = grid(programs);
  auto Q = make_tensor_descriptor<64, 64>(q, {64, 512}, {512, 1});
  auto mine = program % 2 * 256;
  auto other = Q.load({0, 256 - mine});
  auto at = iota<0, 64, 64>() * 64 + iota<1, 64, 64>();
  store(c + program * 4096 + at, dot(other, load(b + at)));
}
inline constexpr auto halves_64 = instantiate(halves);
