// A number is written as what the source says, so a kernel whose parameters are equal by chance has
// the text of one whose parameters are all different: both launchers run one template.
// RUN: %tile2cu %s -o %t.cu
// RUN: FileCheck %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: template <int ROWS>
// CHECK-NEXT: static __global__
// CHECK-NEXT: scale_kernel(
// CHECK: constexpr int COLUMNS = 64;
// CHECK: = ROWS / (NUM_WARPS * 2);
// CHECK: pid * ROWS
// CHECK: 0), ROWS));
// CHECK-NOT: scale_32_64_kernel

template <int ROWS, int COLUMNS>
__tile_global__ void scale(const float* in, float* out, int blocks, int rows, float factor) {
  auto pid = grid(blocks);
  auto row = pid * ROWS + arange<ROWS>();
  auto column = arange<COLUMNS>();
  auto at = row[all, none] * COLUMNS + column[none, all];
  auto inside = row[all, none] < rows;
  store(out + at, load(in + at, inside) * factor, inside);
}
inline constexpr auto scale_equal = instantiate(scale<64, 64>);
inline constexpr auto scale_different = instantiate(scale<32, 64>);

// A helper's parameters stand for the caller's, given or deduced; its literals are literals.
// CHECK: template <int STEP, int BLOCK, int VEC>
// CHECK-NEXT: static __global__
// CHECK-NEXT: helped_kernel(
// CHECK: start += STEP
// CHECK: n / (2 * BLOCK) + BLOCK / 2 + (STEP - 1) + 1024

template <int N>
__tile__ int twice() {
  return 2 * N;
}
template <class T, int N>
__tile__ int half(const tile<T, N>&) {
  return N / 2;
}
template <int BLOCK, int STEP>
__tile_global__ void helped(float* out, int* counts, int n) {
  grid(1);
  auto block = arange<BLOCK>();
  for (int start = 0; start < n; start += STEP) store(out + (block + start), 1.0f, block < n - start);
  counts[0] = n / twice<BLOCK>() + half(block) + (STEP - 1) + 1024;
}
inline constexpr auto helped_equal = instantiate(helped<1024, 1024>);
inline constexpr auto helped_different = instantiate(helped<512, 2048>);

// Sizes and strides in shared memory.
// CHECK: float x[DEPTH * (WIDTH + 1)];
// CHECK: turn_kernel(
// CHECK: * (WIDTH + 1) +

template <int WIDTH, int DEPTH>
__tile_global__ void turn(const float* in, float* out) {
  grid(1);
  auto x = load(in + arange<DEPTH>()[all, none] * WIDTH + arange<WIDTH>()[none, all]);
  store(out + arange<WIDTH>()[all, none] * DEPTH + arange<DEPTH>()[none, all], trans(x));
}
inline constexpr auto turn_equal = instantiate(turn<32, 32>);

// Where both parameters are 64, neither has the name of the other; a literal has none.
// CHECK: template <int A, int B>
// CHECK-NEXT: static __global__
// CHECK-NEXT: apart_kernel(
// CHECK: = n + A;
// CHECK: = n - B;
// CHECK: = n * 64;

template <int A, int B>
__tile_global__ void apart(int* out, int n) {
  grid(1);
  out[0] = n + A;
  out[1] = n - B;
  out[2] = n * 64;
}
inline constexpr auto apart_equal = instantiate(apart<64, 64>);
inline constexpr auto apart_different = instantiate(apart<64, 128>);
inline constexpr auto apart_other = instantiate(apart<32, 128>);

// The steps of a dot, by the dimension that it sums over.
// CHECK: k_steps_kernel(
// CHECK: for (int kk = 0; kk < BLOCK_K / 16; ++kk) {

template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void k_steps(const float16* a, const float16* b, float* c, int k) {
  grid(1);
  auto m = arange<BLOCK_M>()[all, none];
  auto n = arange<BLOCK_N>()[none, all];
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int start = 0; start < k; start += BLOCK_K) {
    auto x = load(a + m * k + (arange<BLOCK_K>()[none, all] + start));
    auto y = load(b + (arange<BLOCK_K>()[all, none] + start) * BLOCK_N + n);
    acc = dot(x, y, acc);
  }
  store(c + m * BLOCK_N + n, acc);
}
inline constexpr auto k_steps_equal = instantiate(k_steps<64, 64, 64>);
