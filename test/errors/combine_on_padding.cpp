// RUN: not %tile2cu -I %root/runtime/include %s -o %t.cu 2>&1 | FileCheck %s
// Padding is passed to a combine function, which must be able to take it.
#include <tile2cu/tile.h>
using namespace tl;

template <int ROWS>
__tile_global__ void rows(const int* x, int* out) {
  grid(1);
  auto at = arange<ROWS>()[all, none] * 32 + arange<32>()[none, all];
  auto common = [](int a, int b) {
    while (b != 0) {
      int rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  };
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a combine function with a loop, a load, an assertion or a division by a variable needs sizes that fill their layout, because padding could be outside its domain, but 3 is padded to 4;
  store(out + arange<ROWS>(), reduce<1>(load(x + at), common));
}
inline constexpr auto rows_of_3 = instantiate(rows<3>, {.num_warps = 1});
inline constexpr auto rows_of_4 = instantiate(rows<4>, {.num_warps = 1});

__tile_global__ void scanned(const int* x, int* out) {
  grid(1);
  auto i = arange<100>();
  auto quotients = [](int a, int b) { return a / b; };
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a combine function with {{.*}} but 100 is padded to 128;
  store(out + i, associative_scan<0>(load(x + i), quotients));
}
inline constexpr auto scanned_warp = instantiate(scanned, {.num_warps = 1});
// CHECK: 2 errors generated
