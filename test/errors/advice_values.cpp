// RUN: not %tile2cu %s -o - -- -ferror-limit=0 2>&1 | FileCheck %s --implicit-check-not=error:
// Mistakes with functions of numbers, values at compile time and labels, each with one error.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void values(const float* x, float* out, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
  auto v = load(x + i);
  auto twice = [](float a) { return a * 2; };
  // CHECK: :[[@LINE+1]]:18: error: no matching function for call to object of type '(lambda at {{.*}})'; map(f, x) calls a function of numbers for each element of a tile
  store(out + i, twice(v));
  // CHECK: :[[@LINE+1]]:17: error: constexpr variable 'size' must be initialized by a constant expression; what a kernel computes is known when it runs: write const, or make it a template parameter
  constexpr int size = n;
}
