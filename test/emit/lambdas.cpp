// A kernel that is not too long is one function. The copies of an iteration, which the prologue and the loop start, are a lambda of it, and so
// are the loads of fragments. A shorter limit divides it into functions.
// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// RUN: %tile2cu %in_parts %s --helpers=include -o - | FileCheck %s --check-prefix=PARTS
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b, float16* __restrict__ c, int rows, int columns, int depth) {
  auto [pm, pn] = grid(cdiv(rows, 64), cdiv(columns, 64));
  auto i = pm * 64 + arange<64>(), j = pn * 64 + arange<64>();
  auto k = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k0 = 0; k0 < depth; k0 += 64) {
    auto x = load(a + i[all, none] * depth + k0 + k[none, all], (i[all, none] < rows) & (k0 + k[none, all] < depth), 0);
    auto y = load(b + (k0 + k[all, none]) * columns + j[none, all], (k0 + k[all, none] < depth) & (j[none, all] < columns), 0);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * columns + j[none, all], cast<float16>(acc), (i[all, none] < rows) & (j[none, all] < columns));
}
inline constexpr auto product_f16 = instantiate(product, {.num_warps = 4});

// CHECK: {{^}}product_kernel(
// CHECK: // Starts the copies of one iteration of the loop into a stage.
// CHECK-NEXT: const auto copy_x_y = [&](int stage
// CHECK: copy_x_y(stage
// CHECK: const auto load_fragments = [&](int stage, int kk) {
// CHECK: load_fragments(0, 0);
// CHECK: store_if
// CHECK: {{^}}}

// PARTS: void copy_x_y(
// PARTS: void epilogue(
// PARTS: {{^}}product_kernel(
// PARTS-NOT: copy_x_y = [&]
// PARTS: // ---- product_unaligned_kernel
