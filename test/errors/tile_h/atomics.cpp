// What atomics do not take.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(const float* p) {
  return atomic_add(p + arange<4>(), 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_add takes pointers to 16-, 32- or 64-bit integers or to floats, not to const
}
auto b(std::int8_t* p) {
  return atomic_max(p + arange<4>(), 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_max takes pointers to 16-, 32- or 64-bit integers or to floats, not to const
}
auto c(float* p) {
  return atomic_or(p, 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_or takes pointers to 16-, 32- or 64-bit integers, not to const
}
auto d(bool* p) {
  return atomic_xchg(p, true);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_xchg takes pointers to 16-, 32-
}
auto e(double* p) {
  return atomic_inc(p + arange<4>(), 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_inc takes pointers to 16-, 32- or 64-bit integers, not
}
auto f(int* p) {
  return atomic_min(p + arange<4>(), arange<3>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the value must be a number or a tile whose shape broadcasts
}
auto g(int* p) {
  return atomic_min(p + arange<4>(), 1, arange<4>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the mask must be bool
}
auto h(const int* p) {
  return atomic_cas(p, 0, 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_cas takes pointers to 16-, 32-
}
auto i(int* p) {
  return atomic_cas(p + arange<4>(), 0, arange<3>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_cas takes the expected value and the new one; the value must be
}
auto j(int* p) {
  return atomic_cas(p + arange<4>(), 0, 1, 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the mask must be bool
}
void k(const int* p) {
  atomic_store(p, 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_store takes pointers to 16-, 32- or 64-bit integers or to floats, not to const
}
auto l(std::int8_t* p) {
  return atomic_load(p + arange<4>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_load takes pointers to 16-, 32- or 64-bit integers or to floats
}
auto m(int* p) {
  return atomic_load(p + arange<4>(), arange<4>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the mask must be bool
}
void n(int* p) {
  atomic_store(p + arange<4>(), arange<3>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the value must be a number or a tile whose shape broadcasts
}
