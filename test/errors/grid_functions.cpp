// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// The launcher is C++ of the host: it has no functions and conversions of the device.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void root(float* out, float x) {
  // CHECK: :[[@LINE+1]]:14: error: 'sqrt' in the grid is computed by the launcher; use only kernel parameters, constants and num_sms() here
  auto row = grid(cast<int>(sqrt(x)));
  out[row] = 1;
}
__tile_global__ void half(float* out, double x) {
  // CHECK: :[[@LINE+1]]:14: error: 'cast' in the grid is computed by the launcher
  auto row = grid(cast<int>(cast<float16>(x)));
  out[row] = 1;
}
__tile_global__ void toward_zero(float* out, int n) {
  // CHECK: :[[@LINE+1]]:3: error: 'cast' in a requirement is computed by the launcher
  require(cast<float>(n, rounding::rz) < 3.0f);
  grid(n);
  out[0] = 1;
}
__tile_global__ void high(float* out, unsigned n) {
  // CHECK: :[[@LINE+1]]:14: error: 'umulhi' in the grid is computed by the launcher
  auto row = grid(umulhi(n, n));
  out[row] = 1;
}
__tile_global__ void random(float* out, int n) {
  // CHECK: :[[@LINE+1]]:14: error: 'random_bits' in the grid is computed by the launcher
  auto row = grid(randint(7, n));
  out[row] = 1;
}
