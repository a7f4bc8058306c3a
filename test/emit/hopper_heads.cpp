// Rows of several heads: the head is a dimension with one element per block, also if its stride is a constant.
// RUN: %tile2cu --arch=sm_90a %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: tile2cu::tma_load_multicast<CLUSTER>(&smem.k_block[stage][part], k_map, smem.full[stage], 0,
// CHECK-NEXT: j + part, head);
// CHECK: make_tensor_map(&k_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, k, {64, total, heads},
// CHECK-NEXT: {int64_t(heads) * 64 * 2, 64 * 2}, {64, 64 / cluster, 1}, 128);

__tile_global__ void squares(const float16* __restrict__ k, float* __restrict__ out, int total,
                             int heads) {
  auto [i, head] = grid(cdiv(total, 64), heads);
  auto K = make_tensor_descriptor<64, 1, 64>(k, {total, heads, 64}, {heads * int64_t(64), 64, 1});
  auto acc = zeros<float, 64, 64>();
  for (int j = 0; j < total; j += 64) {
    auto k_block = reshape<64, 64>(K.load({j, head, 0}));
    acc = dot(k_block, trans(k_block), acc);
  }
  auto r = arange<64>();
  auto at = ((head * cdiv(total, 64) + i) * 64 + r)[all, none] * 64 + r[none, all];
  store(out + at, acc);
}
inline constexpr auto squares_f16 = instantiate(squares);
