// RUN: not %tile2cu %s -o - -- -I%S 2>&1 | FileCheck %s
// __device__ functions that an emitted file cannot call, or that cannot be inlined.
#include <tile2cu/tile.h>

#include "Inputs/device_functions.h"
using namespace tl;

__device__ float declared(float x);
__device__ float counts(float x) {
  // CHECK-DAG: :[[@LINE+1]]:14: error: 'count' is a static variable, which all programs would share
  static int count = 3;
  return x * count;
}

// CHECK-DAG: :[[@LINE+1]]:57: error: 'plain' in the grid is computed by the launcher
__tile_global__ void in_grid(float* out, float f) { out[grid(int(plain(f)))] = 1; }

__tile_global__ void functions(float* out, const float* in, int n, float f) {
  auto row = grid(n);
  // CHECK-DAG: :[[@LINE+1]]:14: error: 'declared' is only declared, in this file; declare it in a header that this file includes by name, and the emitted file includes that header too
  out[row] = declared(f);
  // CHECK-DAG: :[[@LINE+1]]:14: note: inlined into 'functions' here
  out[row] = counts(f);
  // CHECK-DAG: :[[@LINE+1]]:14: error: the emitted file cannot call 'first': it has a parameter of type 'const float *'; a __device__ function of a header takes and returns bool, integers, float16, bfloat16, float and double, by value
  out[row] = first(in);
  // CHECK-DAG: :[[@LINE+1]]:14: error: the emitted file cannot call 'nothing': it has no parameter
  out[row] = nothing();
  // CHECK-DAG: :[[@LINE+1]]:3: error: the emitted file cannot call 'sink': it returns 'void'
  sink(f);
  // CHECK-DAG: :[[@LINE+1]]:14: error: the emitted file cannot call 'changes': it has a parameter of type 'float &'
  out[row] = changes(f);
  // CHECK-DAG: :[[@LINE+1]]:20: error: the emitted file cannot call 'narrow': it returns 'tl::float8_e4m3'
  out[row] = float(narrow(f));
  // CHECK-DAG: :[[@LINE+1]]:14: error: the emitted file cannot call 'size_of': it has a template argument that is neither a number nor a type of numbers
  out[row] = size_of<Shape>(f);
  Shape shape{f};
  // CHECK-DAG: :[[@LINE+1]]:20: error: the emitted file cannot call 'Shape::area': it is a member of an object
  out[row] = shape.area(f);
  // CHECK-DAG: :[[@LINE+1]]:14: error: the emitted file cannot call 'digits': it has an overload for another type of the same size and sign
  out[row] = digits(int64_t(n));
}
