// What has to hold of sizes is asserted, so that other template arguments do not compile.
//
// RUN: %tile2cu --arch=sm_80 %s -o - | FileCheck %s
// RUN: %tile2cu --arch=sm_80 --emit=emulator %s -o %t.cpp
// RUN: %compile_emulated < %t.cpp
// The warps cover 32 rows at a time.
// RUN: sed 's/launch_multiply<64, 32/launch_multiply<16, 32/' %t.cpp | not %compile_emulated 2>&1 | FileCheck %s --check-prefix=ROWS
// One k-step, which has no second buffer of fragments.
// RUN: sed 's/launch_multiply<64, 32/launch_multiply<64, 16/' %t.cpp | not %compile_emulated 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: sed 's/launch_scale<1024/launch_scale<1000/' %t.cpp | not %compile_emulated 2>&1 | FileCheck %s --check-prefix=LENGTH
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void multiply(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c,
                              int M, int N, int K) {
  auto i = program_id(0) * BLOCK_M + arange<BLOCK_M>();
  auto j = program_id(1) * BLOCK_N + arange<BLOCK_N>();
  auto k = arange<BLOCK_K>();
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int start = 0; start < K; start += BLOCK_K)
    acc = dot(load(a + i[all, none] * K + start + k[none, all]), load(b + (start + k[all, none]) * N + j[none, all]), acc);
  store(c + i[all, none] * N + j[none, all], acc);
}
inline constexpr auto multiply_f16 =
    tune(key{"M"}, candidate(multiply<64, 64, 32>, {.num_warps = 4}), candidate(multiply<128, 64, 64>, {.num_warps = 8}));

template <int BLOCK>
__tile_global__ void scale(const float* __restrict__ x, float* __restrict__ y) {
  auto i = program_id(0) * BLOCK + arange<BLOCK>();
  store(y + i, load(x + i) * 2);
}
inline constexpr auto scale_f32 =
    tune(key{}, candidate(scale<1024>, {.num_warps = 4}), candidate(scale<2048>, {.num_warps = 8}));

// CHECK-LABEL: multiply_kernel(
// CHECK:      constexpr int N_TILES = BLOCK_N / (WARPS_N * 8);
// CHECK-NEXT: static_assert(BLOCK_M % ROWS_PER_STEP == 0 && BLOCK_M % (NUM_WARPS / WARPS_N * 16) == 0);
// CHECK-NEXT: static_assert(BLOCK_N % VEC == 0 && BLOCK_N % (WARPS_N * 8) == 0);
// CHECK-NEXT: static_assert(BLOCK_K % VEC == 0 && BLOCK_K % BLOCK_N_ROWS_PER_STEP == 0 && BLOCK_K % 16 == 0);
// CHECK-NEXT: static_assert(NUM_WARPS % WARPS_N == 0);
// CHECK-NEXT: static_assert(NUM_THREADS % THREADS_PER_ROW == 0 && NUM_THREADS % THREADS_PER_BLOCK_N == 0);
// CHECK-NEXT: static_assert(N_TILES % 2 == 0);
// CHECK-NEXT: const int lane
// CHECK:      static_assert(BLOCK_K / 16 % 2 == 0,
// CHECK-NEXT: "each stage starts with the first of the two fragment buffers");
// CHECK-LABEL: scale_kernel(
// CHECK: static_assert(BLOCK % (NUM_THREADS * VEC) == 0);

// ROWS: error: {{.*}}16 % ROWS_PER_STEP == 0
// STEPS: error: {{.*}}16 / 16 % 2 == 0
// LENGTH: error: {{.*}}1000 % (NUM_THREADS * 4) == 0
