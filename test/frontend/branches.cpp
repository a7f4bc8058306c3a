// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// `if` yields the values that differ between its arms; an early return needs no nesting; constant conditions keep one arm.
#include <tile2cu/tile.h>
using namespace tl;

template <int B, bool DOUBLE>
__tile_global__ void branches(const float* in, float* out, int n, int mode) {
  auto row = grid(n);
  // CHECK: %[[RET:.*]] = gt %row, %{{.*}} : bool
  // CHECK: if %[[RET]] {
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  if (row > 100) return;
  auto x = load(in + row * B + arange<B>());
  int count = 0;
  // CHECK: %[[C:.*]] = gt %mode
  // CHECK: %x.1, %count.1 = if %[[C]] : tile<32:B x f32>, i32 {
  // CHECK: yield %x.2, %count.2
  // CHECK: else {
  // CHECK: yield %x.3, %count
  if (mode > 3) {
    x = x * 2.0f;
    count = 1;
  } else {
    x = x + 1.0f;
  }
  // CHECK: %x.4 = add %x.1, %x.1
  if constexpr (DOUBLE)
    x = x + x;
  else
    x = x - x;
  // CHECK-NOT: if
  // CHECK: %x.5 = exp %x.4
  if (B == 32) x = exp(x);
  // The arm that returns is inverted.
  // CHECK: %[[NOT:.*]] = not
  // CHECK: if %[[NOT]] {
  // CHECK-NEXT: return
  if (mode != 7) {
    count += 5;
  } else {
    return;
  }
  // CHECK: %[[SUM:.*]] = add %count.1
  // CHECK: store {{.*}}
  out[row] = count;
  store(out + arange<B>(), x);
}
inline constexpr auto branches_32 = instantiate(branches<32, true>);

__tile_global__ void chosen(float* out, const float* in, int mode, int n) {
  auto row = grid(n);
  float x = 0;
  // CHECK-LABEL: kernel @chosen
  // CHECK: %[[ONE:.*]] = eq %mode
  // CHECK: %x.1 = if %[[ONE]] : f32 {
  // CHECK: %[[OR:.*]] = or
  // CHECK: if %[[OR]] : f32 {
  switch (mode) {
    case 1:
      x = 1;
      break;
    case 2:
    case 3: {
      x = 2;
      break;
    }
    default:
      x = n;
  }
  // && of cheap operands is `and`; of a load it is an `if`.
  // CHECK: and
  bool both = mode > 1 && n > 2;
  // CHECK: %either = if %both : bool {
  // CHECK: yield %both
  // CHECK: else {
  // CHECK: load
  bool either = both || in[row] > 0;
  // CHECK: select %either
  out[row] = either ? x : -x;
  // CHECK: if %either : f32 {
  out[row + 1] = either ? in[row] : 0;
}

// What a condition guards is read under the condition, through a reference as well.
// CHECK: kernel @guarded(
__tile_global__ void guarded(const float* in, float* out, int n) {
  auto row = grid(n);
  auto& element = in[row];
  // CHECK: if
  // CHECK-NEXT: load
  out[0] = n < 3 ? element : 7;
  // CHECK: if
  // CHECK-NEXT: load
  out[1] = n < 2 && element > 1;
  // CHECK: store
  // CHECK-NOT: if
  // CHECK: select
  int other = n + 1;
  auto& variable = other;
  out[2] = n < 3 ? variable : 7;
}
inline constexpr auto guarded_all = instantiate(guarded);
