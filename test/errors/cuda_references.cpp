// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s --implicit-check-not="error:"
// References of cuda(...) that do not say what the text takes.
#include <tile2cu/tile.h>
using namespace tl;

struct Angle {
  float turns;
  __tile__ Angle(float x) : turns(x / 360) {}
};
__tile__ float unnamed(float) { return 0; }

__tile_global__ void texts(float* out, const char* name, int n, float f) {
  auto row = grid(n);
  // CHECK: :[[@LINE+1]]:32: error: the reference of cuda(...) uses 'n', which the text does not have; pass it as an operand
  out[row] = cuda("return x;", [n](float x) { return x + n; }, f);
  // CHECK: :[[@LINE+1]]:32: error: the reference of cuda(...) has a parameter without a name, which the text cannot use
  out[row] = cuda("return 0;", unnamed, f);
  // CHECK: :[[@LINE+1]]:32: error: the reference of cuda(...) has a parameter of type 'Angle'; the text takes bool, integers, float16, bfloat16, float and double, by value
  out[row] = cuda("return x;", [](Angle x) { return x.turns; }, f);
  // CHECK: :[[@LINE+1]]:56: error: a function that runs once for each element cannot access memory
  out[row] = cuda("return x;", [out](float x) { return out[0] + x; }, f);
  // CHECK: :[[@LINE+1]]:32: error: the reference of cuda(...) uses 'name', which the text does not have; pass it as an operand
  out[row] = cuda("return x;", [name](float x) { auto p = name + 1; return x; }, f);
  // CHECK: :[[@LINE+1]]:32: error: the reference of cuda(...) uses 'row', which the text does not have; pass it as an operand
  out[row] = cuda("return x;", [](float x) { return x + program_id(0); }, f);
  // CHECK: :[[@LINE+1]]:32: error: the reference of cuda(...) has parameters without operands; pass all of them
  out[row] = cuda("return x;", [](float x, int k = 3) { return x + k; }, f);
  // CHECK: :[[@LINE+1]]:32: error: the reference of cuda(...) uses 'num_sms', which the text does not have; pass it as an operand
  out[row] = cuda("return x;", [](float x) { return x + num_sms(); }, f);
}
// CHECK: 8 errors generated.
