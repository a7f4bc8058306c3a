// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Calls: what can be inlined.
#include <tile2cu/tile.h>
using namespace tl;

float plain(float x) { return x + 1; }
int rsqrt(int x) { return x + 5; }
__tile__ float declared(float x);
__tile__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
struct Found {
  float value;
  int index;
  __tile__ Found(float v, int i) : value(v), index(i) {}
};
__tile__ float find(const float* in, int n) {
  auto found = [&] {
    auto by_tile = [](float v) { return v; };
    for (auto i : static_range<4>())
      // CHECK-DAG: :[[@LINE+1]]:22: error: a return of a struct or pointer inside a loop of a helper cannot be inlined; set a variable, break, and return it after the loop
      if (in[i] > 0) return by_tile;
    return by_tile;
  }();
  return found(0);
}
__tile__ const float* past(const float* in, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK-DAG: :[[@LINE+1]]:20: error: a return of a struct or pointer inside a loop of a helper cannot be inlined
    if (in[i] > 0) return in + i;
  return in;
}
[[clang::annotate("tile2cu:op:sparkle")]] float sparkle(float x);
__tile_global__ void other(float* out) { grid(1); }

__tile_global__ void calls(float* out, const float* in, int n, float f, float (*pointer)(float)) {}
// CHECK-DAG: error: parameter 'pointer' of a kernel is a function pointer

__tile_global__ void functions(float* out, const float* in, int n, float f) {
  auto row = grid(n);
  // CHECK-DAG: :[[@LINE+1]]:14: error: 'plain' is not a tile function; mark it with __tile__, or use the operation of the tile language
  out[row] = plain(f);
  // CHECK-DAG: :[[@LINE+1]]:14: error: 'rsqrt' is not a tile function; mark it with __tile__
  out[row] = rsqrt(n);
  // CHECK-DAG: :[[@LINE+1]]:14: error: the body of 'declared' is not visible here; tile functions are inlined, so define it in this file or in a header
  out[row] = declared(f);
  // CHECK-DAG: :9:{{[0-9]+}}: error: 'factorial' calls itself; tile functions are inlined, so use a loop
  out[row] = factorial(n);
  // CHECK-DAG: :[[@LINE+1]]:14: note: inlined into 'functions' here
  out[row] = find(in, n);
  out[row] = *past(in, n);
  // CHECK-DAG: :[[@LINE+1]]:14: error: this version of tile2cu does not know the operation 'sparkle'
  out[row] = sparkle(f);
  // CHECK-DAG: :[[@LINE+1]]:22: error: throw is not supported in a tile function
  out[row] = n > 3 ? throw n : f;
  // CHECK-DAG: :[[@LINE+1]]:3: error: kernel 'other' is called from a tile function; move the shared part into a function marked __tile__
  other(out);
}
