// What cuda(text, reference, operands...) takes.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(const float* p) {
  return cuda("return *p;", [](const float* p) { return *p; }, p);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the operands are numbers or tiles of numbers whose shapes broadcast, or reads(p) and writes(p) of pointers
}
auto b(tile<float, 4> x) {
  return cuda("return x;", [](float x) { return &x; }, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the reference takes one element of each and returns a number or nothing
}
auto c(tile<float, 4> x, tile<float, 8> y) {
  return cuda("return x + y;", [](float x, float y) { return x + y; }, x, y);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}whose shapes broadcast
}
auto d() {
  return cuda("return 1;", [] { return 1; });
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}takes one element of each
}
auto e(tile<float, 4> x) {
  return cuda("return x + y;", [](float x, float y) { return x + y; }, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}takes one element of each
}
void f(const float* p, tile<float, 4> x) {
  cuda("*q = 1;", [](float* q) { *q = 1; }, writes(p));
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}writes(p) takes a pointer, or a tile of pointers, to what is not const
  cuda("*q = 1;", [](float* q) { *q = 1; }, reads(x));
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}reads(p) takes a pointer or a tile of pointers
  cuda("*q = 1;", [](float* q) { *q = 1; }, reads(p));
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the reference takes one element of each
}
void g(tile<int*, 4> p, tile<int, 8> x) {
  cuda("*q = x;", [](int* q, int x) { *q = x; }, writes(p), x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}whose shapes broadcast
}
