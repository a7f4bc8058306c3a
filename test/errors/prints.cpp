// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// What device_print does not take.
#include <tile2cu/tile.h>
using namespace tl;

inline constexpr char kText[] = "x";
__tile_global__ void show(const int* __restrict__ in) {
  grid(1);
  auto v = load(in + arange<8>());
  // CHECK: :[[@LINE+1]]:3: error: the first argument of device_print is a string literal: device_print("x", x)
  device_print(kText, v);
  auto w = map([](int x) {
    // CHECK: :[[@LINE+1]]:5: error: a function that runs once for each element cannot print; print the tile before or after the call
    device_print("x", x);
    return x;
  }, v);
  device_print("w", w);
}
inline constexpr auto shown = instantiate(show);
// CHECK: 2 errors generated
