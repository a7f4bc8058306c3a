// RUN: %tile2cu %s -o - | FileCheck %s
// A variable of the source that branches and loops change is one variable of the text, as long as nobody needs both values.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void counted(const int* p, int* out, int n, int flag) {
  grid(1);
  int c = n * 3;
  if (flag > 0) c = c * 2;
  int hits = 0, best = -1;
  for (int i = 0; i < c; ++i) {
    int v = load(p + i);
    if (v > 0) {
      hits += 1;
      if (v > best) best = v;
    } else if (v < -5) {
      break;
    }
  }
  float scale = 1.0f;
  if (hits > 3) scale = 0.5f; else if (hits > 1) scale = 0.75f;
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (load(p + mid) < best) lo = mid + 1; else hi = mid;
  }
  store(out, hits + best + lo + int(scale * 4));
}
inline constexpr auto count = instantiate(counted, {.num_warps = 4});

// CHECK-LABEL: counted_kernel(
// CHECK: int c = n * 3;
// CHECK: if (flag > 0) {
// CHECK-NEXT: c *= 2;
// CHECK-NEXT: }
// CHECK: for (int i = 0; i < c; ++i) {
// CHECK: if (v > 0) {
// CHECK-NEXT: hits += 1;
// CHECK: best = v > best ? v : best;
// CHECK-NEXT: } else if (v < -5) {
// CHECK-NEXT: break;
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: float scale;
// CHECK: if (hits > 3) {
// CHECK-NEXT: scale = 0.5f;
// CHECK-NEXT: } else if (hits > 1) {
// CHECK-NEXT: scale = 0.75f;
// CHECK-NEXT: } else {
// CHECK-NEXT: scale = 1.0f;
// CHECK-NEXT: }
// CHECK: while (lo < hi) {
// CHECK-NEXT: const int mid = (lo + hi) / 2;
// CHECK: if (p_value < best) {
// CHECK-NEXT: lo = mid + 1;
// CHECK-NEXT: } else {
// CHECK-NEXT: hi = mid;
// CHECK-NEXT: }
// CHECK-NEXT: }

__tile_global__ void both(int* out, int n, int flag) {
  grid(1);
  int a = n * 3;
  int before = a;
  if (flag > 0) a = a * 2;
  out[0] = before - a;
}
inline constexpr auto differ = instantiate(both, {.num_warps = 4});

// The old value is read after the branch: two variables.
// CHECK-LABEL: both_kernel(
// CHECK: const int a = n * 3;
// CHECK: int a_2 = a;
// CHECK: if (flag > 0) {
// CHECK-NEXT: // a = a * 2
// CHECK-NEXT: a_2 = a * 2;
// CHECK: *out = a - a_2;
