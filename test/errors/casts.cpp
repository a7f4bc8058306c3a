// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
// Casts that C++ has and tile functions do not.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void casts(const float* x, float* out, int n) {
  grid(1);
  // CHECK: :[[@LINE+1]]:20: error: a cast that drops const is not supported in a tile function; drop it from the parameter
  float* dropped = const_cast<float*>(x);
  // CHECK: :[[@LINE+1]]:13: error: a cast that drops const is not supported
  dropped = (float*)x;
  *dropped = 1;
  const float* added = const_cast<const float*>(out);
  // CHECK: :[[@LINE+2]]:41: error: the type 'unsigned __int128' is not supported in a tile function; use bool, an integer of at most 64 bits, float16, bfloat16, float or double
  // CHECK: :[[@LINE+1]]:47: error: the type 'unsigned __int128'
  out[1] = *added + ((unsigned __int128)(n) * 3 >> 64);
}
inline constexpr auto launch_casts = instantiate(casts);
