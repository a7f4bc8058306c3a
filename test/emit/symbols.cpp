// A number is written as what the source says, so a kernel whose parameters are equal by chance has
// the text of one whose parameters are all different: both launchers run one template. So do the
// forms with vectors and with single elements.
// RUN: %tile2cu %s -o %t.cu
// RUN: FileCheck %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: template <int ROWS, int VEC>
// CHECK-NEXT: static __global__
// CHECK-NEXT: scale_kernel(
// CHECK: constexpr int COLUMNS = 64;
// CHECK: = COLUMNS / VEC;
// CHECK: = NUM_THREADS / THREADS_PER_ROW;
// CHECK: = ROWS / ROWS_PER_STEP;
// CHECK: pid * ROWS
// CHECK: 0), ROWS));
// CHECK-NOT: scale_{{.*}}_kernel

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

// Rows of some lanes, of a whole warp and of several, and the grid, which the launch function
// computes.
// CHECK: template <int HEIGHT, int WIDTH, int VEC>
// CHECK-NEXT: static __global__
// CHECK-NEXT: rows_kernel(
// CHECK: = WIDTH / VEC;
// CHECK: = NUM_THREADS / THREADS_PER_ROW;
// CHECK: * ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_ROW);
// CHECK: int(threadIdx.x % THREADS_PER_ROW) * VEC,
// CHECK-NOT: rows_{{.*}}_kernel

template <int HEIGHT, int WIDTH>
__tile_global__ void rows(float* out, int n) {
  auto y = grid(cdiv(n, HEIGHT)) * HEIGHT + arange<HEIGHT>();
  store(out + y[all, none] * WIDTH + arange<WIDTH>()[none, all], 1.0f, y[all, none] < n);
}
inline constexpr auto rows_equal = instantiate(rows<64, 64>);
inline constexpr auto rows_different = instantiate(rows<32, 128>);

// The warps of an accumulator, also where all are along its columns.
// CHECK: warps_kernel(
// CHECK-NOT: warps_{{[0-9]}}
// CHECK: warp / WARPS_N * M_TILES

template <int M, int N>
__tile_global__ void warps(const float16* a, const float16* b, float* c) {
  grid(1);
  auto m = arange<M>()[all, none];
  auto n = arange<N>()[none, all];
  auto x = load(a + m * 32 + arange<32>()[none, all]);
  auto y = load(b + arange<32>()[all, none] * N + n);
  store(c + m * N + n, dot(x, y));
}
inline constexpr auto warps_2_by_2 = instantiate(warps<128, 128>, {.num_warps = 4});
inline constexpr auto warps_1_by_4 = instantiate(warps<64, 128>, {.num_warps = 4});

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
// CHECK: float x[DEPTH][WIDTH + 1];
// CHECK: turn_kernel(
// CHECK: smem.x[i * ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_ROW)]
// CHECK-NEXT: [int(threadIdx.x % THREADS_PER_ROW) * VEC + v]

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

// CHECK: launch_rows(
// CHECK: programs = tile2cu::cdiv(n, HEIGHT);
