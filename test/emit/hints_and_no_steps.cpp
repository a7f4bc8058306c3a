// RUN: tile2cu -Rtile %s -o - 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.txt
// Hints reach the text, evict takes precedence over cache; static_for of no steps is empty; -Rtile on the registers of dots.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void hinted(const float* __restrict__ x, const float* y, float* out) {
  grid(1);
  auto i = arange<128>();
  auto sum = load(x + i, evict::unchanged) + load(y + i, evict::unchanged);
  store(out + i, sum + load(x + 128 + i, cache::cs, evict::first), cache::cs, evict::unchanged);
}
inline constexpr auto hinted_128 = instantiate(hinted);
// CHECK-LABEL: hinted_kernel(
// CHECK-DAG: load_element_if<tile2cu::cache::read_only_evict_unchanged>(
// CHECK-DAG: load_element_if<tile2cu::cache::evict_unchanged>(
// CHECK-DAG: load_element_if<tile2cu::cache::read_only_evict_first>(
// CHECK: store_element_if<tile2cu::cache::evict_unchanged>(

template <int N>
__tile_global__ void stepped(float* out) {
  grid(1);
  float s = 7;
  static_for<N>([&](auto i) { s += i; });
  store(out, s);
}
inline constexpr auto stepped_0 = instantiate(stepped<0>, {.num_warps = 1});
// CHECK: *out = 7.0f;

// REMARK: 128 threads a block, {{[0-9]+}} bytes of shared memory, as many registers as its dots take
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b, float* c) {
  grid(1);
  auto at = arange<32>()[all, none] * 32 + arange<32>()[none, all];
  store(c + at, dot(load(a + at), load(b + at)));
}
inline constexpr auto product_32 = instantiate(product, {.num_warps = 4});
