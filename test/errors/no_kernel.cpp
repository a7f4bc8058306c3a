// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
// CHECK: no_kernel.cpp:1:1: error: there is no kernel in this file; mark a function with __tile_global__
__tile__ float helper(float x) { return x; }
