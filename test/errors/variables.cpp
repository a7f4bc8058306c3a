// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

float shared = 1;
constexpr float kTable[2] = {1, 2};

__tile_global__ void variables(float* out, int n, float f) {
  auto row = grid(n);
  // CHECK: :[[@LINE+1]]:14: error: 'shared' is a global variable that may change; make it constexpr or pass it as a parameter
  out[row] = shared;
  extern float declared_here;
  // CHECK: :[[@LINE+1]]:14: error: 'declared_here' is a global variable that may change; make it constexpr or pass it as a parameter
  out[row] = declared_here;
  // CHECK: :[[@LINE+1]]:14: error: 'calls' is a static variable, which all programs would share; make it constexpr or an ordinary variable
  static int calls = 0;
  float mutable_array[17] = {f, 2};
  // CHECK: :[[@LINE+1]]:28: error: an array is indexed with a value that is not constant; make it a constexpr array of numbers, unroll the loop with static_for or static_range, or use a tile
  out[row] = mutable_array[n];
  float few[2] = {1, 2};
  // CHECK: :[[@LINE+1]]:10: error: an array is indexed with a value that is not constant
  few[n] = 3;
  // CHECK: :[[@LINE+1]]:21: error: an array is indexed with a value that is not constant
  out[row] = kTable[2];
  decltype(arange<2>() * f) of_tiles[2] = {arange<2>() * f, arange<2>() * f};
  // CHECK: :[[@LINE+1]]:37: error: an array is indexed with a value that is not constant
  store(out + arange<2>(), of_tiles[n]);
  // CHECK: :[[@LINE+1]]:23: error: an array as a pointer is not supported in a tile function; make it a constexpr array of int, float or another number that C++ has, subscript it with a constant, or use a tile
  out[row] = sum(load(mutable_array + arange<2>()));
  const auto x = arange<8>();
  // CHECK: :[[@LINE+4]]:11: error: 'f' is assigned inside a function that runs once for each element; return the value instead
  // CHECK-NEXT: f = v;
  auto y = map(
      [&](float v) {
        f = v;
        return v;
      },
      cast<float>(x));
  // CHECK: :[[@LINE+1]]:36: error: a function that runs once for each element cannot access memory; load the tile first and pass it in
  auto z = map([&](int v) { return out[v]; }, x);
  // CHECK: :[[@LINE+1]]:29: error: a function that runs once for each element cannot compute with a whole tile; compute that before the call, or pass the tile as an argument to get its elements
  auto total = reduce<0>(x, [&](int a, int b) { return a + b + sum(x * a); });
  // CHECK: :[[@LINE+1]]:16: error: a function that runs once for each element cannot compute with a whole tile
  auto w = map([&](int v) { return v * max(x); }, x);
  out[row] = sum(y) + sum(z) + total;
}
