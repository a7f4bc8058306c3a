// RUN: tile2cu %s --helpers=include -o - | FileCheck %s
// The remembered text of a value is forgotten when the value changes.
#include <tile2cu/tile.h>
using namespace tl;

// The mask of x is computed again after the branch that assigns x, and nowhere else.
// CHECK-LABEL: branch_kernel(
// CHECK: const int before = tid < n ? x : 0;
// CHECK-NOT: tid < n ? x
// CHECK: if (rows > 2) x *= 2;
// CHECK: const int after = tid < n ? x : 0;
// CHECK-NEXT: store_element_if({{.*}}, after);

__tile_global__ void branch(const int* __restrict__ in, int* __restrict__ out, int rows, int n) {
  auto row = grid(rows);
  auto i = arange<128>();
  auto x = load(in + row * 128 + i);
  auto before = where(i < n, x, 0);
  store(out + row * 128 + i, before);
  auto same = where(i < n, x, 0);
  store(out + rows * 128 + row * 128 + i, same);
  if (rows > 2) x = x * 2;
  auto after = where(i < n, x, 0);
  store(out + rows * 256 + row * 128 + i, after);
}
inline constexpr auto branch_4 = instantiate(branch, {.num_warps = 4});

// A loop variable has another value in each iteration: its mask is computed in the loop.
// CHECK-LABEL: loop_kernel(
// CHECK: const int before = tid < n ? x : 0;
// CHECK: for (int k = 0; k < rows; ++k) {
// CHECK: const int inside = tid < n ? x : 0;
// CHECK: x += k;
// CHECK: }
// CHECK: const int behind = tid < n ? x : 0;

__tile_global__ void loop(const int* __restrict__ in, int* __restrict__ out, int rows, int n) {
  grid(1);
  auto i = arange<128>();
  auto x = load(in + i);
  auto before = where(i < n, x, 0);
  store(out + i, before);
  for (int k = 0; k < rows; ++k) {
    auto inside = where(i < n, x, 0);
    store(out + 128 + i, inside);
    x = x + k;
  }
  auto behind = where(i < n, x, 0);
  store(out + 256 + i, behind);
}
inline constexpr auto loop_4 = instantiate(loop, {.num_warps = 4});

// `condition` is the same for all elements of a vector, but stored in each of them for the second store: c reads it in the loop
// that stores it.
// CHECK-LABEL: pair_flags_warp_kernel(
// CHECK: tile2cu::vec<bool, VEC> condition;
// CHECK-NOT: condition[0]
// CHECK: for (int e = 0; e < VEC; ++e) {
// CHECK-NEXT: condition[e] = tile_max > 0.5f;
// CHECK-NEXT: const bool c = condition[e] != (lane % 2 == 1);

__tile_global__ void pair_flags(float* a, int* b, const float* x) {
  grid(1);
  auto i = arange<64>();
  auto v = load(x + i);
  auto pair_max = reshape<64>(broadcast_to<32, 2>(max<1>(reshape<32, 2>(v))[all, none]));
  auto pair_sum = reshape<64>(broadcast_to<32, 2>(sum<1>(reshape<32, 2>(i))[all, none]));
  auto odd = reshape<64>(broadcast_to<16, 2, 2>(arange<2>()[none, all, none] == 1));
  auto c = (pair_max > 0.5f) ^ odd;
  store(a + i, where(c, v, 0.0f));
  store(b + i, where(c, pair_sum, 0));
}
inline constexpr auto pair_flags_1 = instantiate(pair_flags, {.num_warps = 1});
