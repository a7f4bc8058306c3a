// Tensor descriptors: how many sizes, strides and offsets; what is stored.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

void a(float* p, int n) {
  make_tensor_descriptor<8, 8>(p, {n}, {1});
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}one size and one stride for each dimension of the block, 1 to 5 of them
  make_tensor_descriptor<8, 8>(p, {n, n}, {1});
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}one size and one stride for each dimension of the block
  make_tensor_descriptor<2, 2, 2, 2, 2, 2>(p, {n, n, n, n, n, n}, {n, n, n, n, n, 1});
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}one size and one stride for each dimension of the block
  make_tensor_descriptor<0>(p, {n}, {1}, padding::nan);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}one size and one stride for each dimension of the block
}
void b(float* p, int* q, int n) {
  make_tensor_descriptor<8>(q, {n}, {1}, padding::nan);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the last argument must be padding::zero or, for a tensor of floats, padding::nan
  make_tensor_descriptor<8>(p, {n}, {1}, 0);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the last argument must be padding::zero or, for a tensor of floats, padding::nan
}
void c(float* p, int n) {
  auto d = make_tensor_descriptor<8, 4>(p, {n, n}, {n, 1});
  d.load({n});
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}a descriptor takes one offset for each dimension: {row, column}
  d.store({n, n, n}, 0);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}a descriptor takes one offset for each dimension
  d.store({n, n}, arange<8>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}a tile whose shape broadcasts to its block, and its pointer must not be to const
}
void d(const float* p, int n) {
  make_tensor_descriptor<8>(p, {n}, {1}).store({0}, 0);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}must not be to const
}
