// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s --implicit-check-not="error:"
// Texts that access memory or return nothing, and references that do not say what they do.
#include <tile2cu/tile.h>
using namespace tl;

__tile__ void set(float* p, float v);

__tile_global__ void effects(const float* in, float* out, int n, float f) {
  auto row = grid(n);
  // CHECK: :[[@LINE+1]]:20: error: the reference of cuda(...) takes 'p' as a pointer to const; pass reads(p)
  cuda("(void)p;", [](const float* p) {}, writes(out));
  // CHECK: :[[@LINE+1]]:33: error: the reference of cuda(...) takes 'p' as a pointer to what it may change; make it a pointer to const, or pass writes(p)
  out[row] = cuda("return *p;", [](float* p) { return *p; }, reads(out));
  // CHECK: :[[@LINE+1]]:19: error: the reference of cuda(...) uses variables around it, which the text does not have; pass them as operands
  cuda("*p = 1;", [n](float* p) { *p = n; }, writes(out));
  // CHECK: :[[@LINE+1]]:19: error: the reference of cuda(...) has no body here; pass a lambda, or a function that is defined above
  cuda("*p = v;", set, writes(out), f);
  // CHECK: :[[@LINE+1]]:19: error: the reference of cuda(...) has a parameter without a name, which the text cannot use
  cuda("*p = 1;", [](float*) {}, writes(out));
  // CHECK: :[[@LINE+1]]:8: error: the text of cuda(...) does not use 'v'; drop that parameter of the reference
  cuda("*p = 1;", [](float* p, float v) { *p = v; }, writes(out), f);
  // CHECK: :[[@LINE+1]]:8: error: the text of cuda(...) has a '{' that is not closed
  cuda("{ *p = 1;", [](float* p) { *p = 1; }, writes(out));
  // CHECK: :[[@LINE+1]]:19: error: the text of cuda(...) returns nothing; it is the body of a function, so write return
  out[row] = cuda("(void)*p;", [](const float* p) { return *p; }, reads(in));
  // CHECK: :[[@LINE+1]]:19: error: the reference of cuda(...) has a parameter of type 'volatile float *'; drop volatile, and cast the pointer where the text needs it
  cuda("*p = 1;", [](volatile float* p) { *p = 1; }, writes(out));
  auto v = load(in + arange<8>());
  auto w = map([](float x) {
    // CHECK: :[[@LINE+1]]:22: error: the reference of cuda(...) returns nothing or accesses memory, which a function that runs once for each element cannot; call cuda(...) with the tile
    cuda("(void)x;", [](float x) {}, x);
    return x;
  }, v);
  store(out + arange<8>(), w);
}
