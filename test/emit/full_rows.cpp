// Rows that take all threads of a block are written as those of fewer threads, where both are
// kernels of one template: threadIdx.x / WIDTH is 0 in the one. Alone, such a kernel has the
// thread's index as the column.
// RUN: %tile2cu %s -o %t.cu
// RUN: FileCheck %s < %t.cu
// CHECK: kernels    alone_kernel, shared_kernel
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: {{^}}alone_kernel(
// CHECK-NOT: threadIdx.x %
// CHECK: for (int i = 0; i < ROWS; ++i) {
// CHECK: tid
template <int ROWS, int WIDTH>
__tile_global__ void alone(const float* __restrict__ x, float* __restrict__ out, int n,
                            int stride) {
  auto rows = grid(n) * ROWS + arange<ROWS>()[all, none];
  auto columns = arange<WIDTH>()[none, all];
  auto value = load(x + rows * stride + columns * 3, rows < n, 0);
  store(out + rows * stride + columns * 3, value + 1, rows < n);
}

// CHECK-LABEL: {{^}}shared_kernel(
// CHECK: constexpr int ROWS_PER_STEP = NUM_THREADS / WIDTH;
// CHECK: constexpr int ROW_STEPS = ROWS / ROWS_PER_STEP;
// CHECK: for (int i = 0; i < ROW_STEPS; ++i) {
// CHECK: i * ROWS_PER_STEP + int(threadIdx.x / WIDTH)
// CHECK: int(threadIdx.x % WIDTH)
template <int ROWS, int WIDTH>
__tile_global__ void shared(const float* __restrict__ x, float* __restrict__ out, int n,
                            int stride) {
  auto rows = grid(n) * ROWS + arange<ROWS>()[all, none];
  auto columns = arange<WIDTH>()[none, all];
  auto value = load(x + rows * stride + columns * 3, rows < n, 0);
  store(out + rows * stride + columns * 3, value + 1, rows < n);
}

inline constexpr auto alone_f32 = instantiate(alone<16, 128>, {.num_warps = 4});
inline constexpr auto shared_f32 = tune(key{"n"}, candidate(shared<16, 64>, {.num_warps = 4}),
                                        candidate(shared<32, 128>, {.num_warps = 4}));
