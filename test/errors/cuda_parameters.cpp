// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s --implicit-check-not="error:"
// Parameters whose names are macros or words where the text is compiled.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void names(float* out, int n, float f) {
  auto row = grid(n);
  // CHECK: :[[@LINE+1]]:14: error: the text of cuda(...) cannot call an operand '__shared__', which is a word of CUDA's or C's headers; give the parameter of the reference another name
  out[row] = cuda("return __shared__;", [](float __shared__) { return __shared__; }, f);
  // CHECK: :[[@LINE+1]]:14: error: the text of cuda(...) cannot call an operand 'M_PI'
  out[row] = cuda("return M_PI;", [](float M_PI) { return M_PI; }, f);
  // CHECK: :[[@LINE+1]]:14: error: the text of cuda(...) cannot call an operand 'linux'
  out[row] = cuda("return linux;", [](float linux) { return linux; }, f);
  // Types and variables may be hidden.
  out[row] = cuda("return float4 + threadIdx;", [](float float4, int threadIdx) { return float4 + threadIdx; }, f, n);
}
