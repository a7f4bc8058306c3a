// RUN: %tile2cu %s -o - | FileCheck %s
// device_print: one thread prints a scalar, and one of the threads that have an element prints it.
#include <tile2cu/tile.h>
using namespace tl;

template <int M, int N>
__tile_global__ void show(const float16* __restrict__ in, int64_t n) {
  auto [x, y] = grid(n, 2);
  auto r = arange<M>()[all, none];
  auto c = arange<N>()[none, all];
  auto a = load(in + r * N + c);
  device_print("100%\"", n, y);
  device_print("a", a);
  device_print("bits", n, y == 1, hex);
}
// CHECK: #include <cstdio>
// CHECK-LABEL: __global__
// CHECK: if (lane == 0)
// CHECK-NEXT: printf("pid (%d, %d, 0) idx () 100%%\" (operand 0): %lld\n", int(x), int(y),
// CHECK-NEXT: static_cast<long long>(n));
// CHECK: (operand 1): %lld\n"
// CHECK: printf("pid (%d, %d, 0) idx (%d, %d) a: %g\n", int(x), int(y), lane / THREADS_PER_ROW,
// CHECK-NEXT: lane % THREADS_PER_ROW * VEC + v, float(a[v]));
// CHECK: bits (operand 0): 0x%016llx\n"
// CHECK: static_cast<unsigned long long>(
// CHECK: bits (operand 1): 0x%01x\n", int(x), int(y), y == 1);
inline constexpr auto shown = instantiate(show<4, 64>, {.num_warps = 1});
// Twelve elements: 16 lanes have a copy, and 4 have padding.
// CHECK-LABEL: __global__
// CHECK: if (lane < 16 && lane / 4 % 4 < M)
// CHECK-NEXT: printf("pid (%d, %d, 0) idx (%d, %d) a: %g\n", int(x), int(y), lane / 4 % 4, lane % N,
inline constexpr auto shown_few = instantiate(show<3, 4>, {.num_warps = 1});
