// RUN: %tile2cu %s -o - | FileCheck %s
// A range has as many iterations as its arguments say. If `k + step` always is a value of the type, and in a C++ `for`, the text
// is `k += step`. Otherwise it counts the distance to the bound, or the iterations, which do not overflow.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void steps(int64_t* __restrict__ o, int a, int b, int64_t c, unsigned u, unsigned v, const int* in) {
  require(a > 0);
  grid(1);
  int64_t n = 0;
  for (auto k1 : range(0, b, 64)) n += k1 / 3;
  for (auto k2 : range(a & 1023, b + a, 4)) n += k2 / 3;
  for (auto k3 : range(b)) n += k3 / 3;
  for (int k4 = 0; k4 < b; k4 += 4) n += k4 / 3;
  for (auto k5 : range(int64_t(0), b, 4)) n += k5 / 3;
  for (auto k6 : range(a, 1000, 4)) n += k6 / 3;
  for (auto k7 : range(u, 3, -1)) n += k7 / 3;
  for (auto k8 : range(b, 0, -3)) n += k8 / 3;
  for (auto k9 : range(2147483640, 2147483647, 2)) n += k9 / 3;
  // The distance may need 33 bits.
  for (auto k10 : range(load(in), b, 64)) n += k10 / 3;
  for (auto k11 : range(0, b, -3)) n += k11 / 3;
  for (auto k12 : range(u, v, -64)) n += k12 / 3;
  // nvcc does not unroll a loop over a distance with an unknown step, and no type holds all 64-bit distances.
  for (auto k13 : range(0, b, a)) n += k13 / 3;
  for (auto k14 : range(c, c * 2, 64)) n += k14 / 3;
  for (auto k15 : range(c * 2, c, -64)) n += k15 / 3;
  // k16 has no readers.
  for (auto k16 : range(0, b, 64)) n += 3;
  store(o, n);
}
inline constexpr auto f = instantiate(steps, {.num_warps = 1});

// CHECK-LABEL: steps_kernel(
// CHECK: for (int k1_left = b; k1_left > 0; k1_left -= 64) {
// CHECK-NEXT: const int k1 = b - k1_left;
// CHECK: const int k2_begin = a & 1023;
// CHECK-NEXT: const int k2_end = b + a;
// CHECK-NEXT: for (int k2_left = k2_end > k2_begin ? k2_end - k2_begin : 0; k2_left > 0; k2_left -= 4) {
// CHECK-NEXT: const int k2 = k2_end - k2_left;
// CHECK: for (int k3 = 0; k3 < b; ++k3)
// CHECK: for (int k4 = 0; k4 < b; k4 += 4)
// CHECK: for (int64_t k5 = 0; k5 < b; k5 += 4)
// CHECK: for (int k6 = a; k6 < 1000; k6 += 4)
// CHECK: for (uint32_t k7 = u; k7 > 3u; --k7)
// CHECK: for (int k8 = b; k8 > 0; k8 -= 3)
// CHECK: for (int k9_left = 2147483647 - 2147483640; k9_left > 0; k9_left -= 2) {
// CHECK-NEXT: const int k9 = 2147483647 - k9_left;
// CHECK: for (int64_t k10_left = int64_t(b) - in_value; k10_left > 0; k10_left -= 64) {
// CHECK-NEXT: const int k10 = int(b - k10_left);
// CHECK: for (int64_t k11_left = -int64_t(b); k11_left > 0; k11_left -= 3) {
// CHECK-NEXT: const int k11 = int(b + k11_left);
// CHECK: for (int64_t k12_left = int64_t(u) - v; k12_left > 0; k12_left -= 64) {
// CHECK-NEXT: const uint32_t k12 = uint32_t(v + k12_left);
// CHECK: for (uint32_t k13_step = 0, k13_steps = tile2cu::step_count(0, b, a); k13_step < k13_steps;
// CHECK-NEXT: ++k13_step) {
// CHECK-NEXT: const int k13 = int(k13_step * a);
// CHECK: k14_steps = tile2cu::step_count(c, start, 64);
// CHECK: const int64_t k14 = int64_t(c + k14_step * 64);
// CHECK: k15_steps = tile2cu::step_count(c, start, 64u);
// CHECK: const int64_t k15 = int64_t(start - k15_step * 64u);
// CHECK: for (int k16_left = b; k16_left > 0; k16_left -= 64) n += 3;
