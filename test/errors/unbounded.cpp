// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Kernels whose translation would take unlimited time and memory are rejected.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void copies(float* out) {
  grid(1);
  float x = 0;
  // CHECK: :[[@LINE+1]]:3: error: unrolling this loop makes 2000000000 copies of its body, at most 4096 are allowed; use range(...), which is not unrolled
  for (int i : static_range<2000000000>()) x += i;
  store(out, x);
}
inline constexpr auto copies1 = instantiate(copies);

__tile_global__ void falling(float* out) {
  grid(1);
  float x = 0;
  // CHECK: :[[@LINE+1]]:3: error: unrolling this loop makes 4097 copies
  for (int i : static_range<4097, -4097, -2>()) x += i;
  store(out, x);
}
inline constexpr auto falling1 = instantiate(falling);

__tile_global__ void nested(float* out) {
  grid(1);
  float x = 0;
  for (int i : static_range<4096>())
    for (int j : static_range<4096>())
      // CHECK: :[[@LINE+1]]:7: error: kernel 'nested' has more than 32768 statements after loops are unrolled and functions are inlined; use range(...), which is not unrolled, or write several kernels
      x += i;
  store(out, x);
}
inline constexpr auto nested1 = instantiate(nested);

// Each function calls the next one twice: 2^40 calls.
template <int N>
__tile__ float twice(float x) {
  // CHECK: :{{[0-9]+}}:{{[0-9]+}}: error: kernel 'doubled' has more than 32768 statements
  if constexpr (N == 0)
    return x;
  else
    return twice<N - 1>(x) + twice<N - 1>(x + 1.0f);
}
__tile_global__ void doubled(float* out) {
  grid(1);
  store(out, twice<40>(load(out)));
}
inline constexpr auto doubled1 = instantiate(doubled);

__tile_global__ void array(float* out) {
  grid(1);
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: this array has 1073741824 values, each of which becomes a variable, and at most 4096 are allowed; use a tile or memory
  float all[1 << 30];
  all[0] = 1.0f;
  store(out, all[0]);
}
inline constexpr auto array1 = instantiate(array);

struct Row {
  float values[1000];
};
__tile_global__ void arrays(float* out) {
  grid(1);
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: this array has 5 values, each of which
  Row rows[5] = {};
  store(out, rows[0].values[0]);
}
inline constexpr auto arrays1 = instantiate(arrays);
