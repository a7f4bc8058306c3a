// What cuda(text, reference, operands...) takes.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(const float* p) {
  return cuda("return *p;", [](const float* p) { return *p; }, p);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the operands are numbers or tiles of numbers whose shapes broadcast, not pointers
}
auto b(tile<float, 4> x) {
  return cuda("g(x);", [](float) {}, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the reference takes one element of each and returns a number
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
