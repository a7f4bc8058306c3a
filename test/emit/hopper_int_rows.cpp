// The first row of a program's block as an int, which holds it because it is less than the length: a coordinate of TMA loads.
// RUN: %tile2cu --arch=sm_90a %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: void producer(
// CHECK: tile2cu::tma_load(smem.a[stage], x_map, smem.full[stage], k, program_start);

__tile_global__ void product(const float16* __restrict__ x, const float16* __restrict__ y,
                             float* __restrict__ out, int length, int K) {
  auto program = grid(cdiv(length, 64));
  int row = program * 64;
  auto rows = (row + arange<64>())[all, none];
  auto cols = arange<64>()[none, all];
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64) {
    auto ks = k + arange<64>();
    auto a = load(x + rows * K + ks[none, all], (rows < length) & (ks < K)[none, all]);
    auto b = load(y + ks[all, none] * 64 + cols, (ks < K)[all, none]);
    acc = dot(a, b, acc);
  }
  store(out + rows * 64 + cols, acc, rows < length);
}
inline constexpr auto product_f16 = instantiate(product);
