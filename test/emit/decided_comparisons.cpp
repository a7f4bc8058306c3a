// Comparisons that the types of their operands decide are constants: nvcc warns of those with zero.
// RUN: tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: decided_kernel(
// CHECK: store_element_if(mask, {{.*}}, false);
// CHECK-NEXT: store_element_if(mask, {{.*}}, true);
// CHECK-NEXT: store_element_if(mask, {{.*}}, true);
// CHECK-NEXT: store_element_if(mask, {{.*}}, false);
// CHECK-NEXT: store_element_if(mask, {{.*}}, false);
// CHECK-NEXT: store_element_if(mask, {{.*}}, true);
__tile_global__ void decided(bool* out, const uint64_t* wide, const uint8_t* narrow,
                             const int8_t* small, int n) {
  auto i = grid(cdiv(n, 256)) * 256 + arange<256>();
  auto inside = i < n;
  auto x = load(wide + i, inside, 0);
  auto high = reshape<256>(broadcast_to<128, 2>(max<1>(reshape<128, 2>(x), keep_dims)));
  store(out + i * 6, high < minimum(x, 0), inside);
  store(out + i * 6 + 1, 0 <= x, inside);
  auto y = load(narrow + i, inside, 0);
  store(out + i * 6 + 2, y >= 0, inside);
  store(out + i * 6 + 3, uint8_t(0) > y, inside);
  store(out + i * 6 + 4, y == 300, inside);
  store(out + i * 6 + 5, load(small + i, inside, 0) != 300, inside);
}
inline constexpr auto decided_1 = instantiate(decided);
