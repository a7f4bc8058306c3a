// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// A struct that the emitted file would define has a name of CUDA's.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: :[[@LINE+1]]:8: error: 'float2' is a name of CUDA's or C's headers, so nvcc would refuse this struct; give it another name, or define it in a header of its own
struct float2 {
  float x, y;
};
__tile_global__ void point(::float2 p, float* out) { out[grid(1)] = p.x; }
inline constexpr auto run = instantiate(point);
