// Kernels whose tiles would not fit the registers of 1024 resident threads get more registers per thread.
// RUN: %tile2cu -Rtile %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// WHY-DAG: carried<1024>: {{.*}}registers for 1024 resident threads on a multiprocessor (by default)
// WHY-DAG: carried<2048>: {{.*}}registers for 512 resident threads on a multiprocessor (by default, fewer where a thread holds much or no access is a vector)
// WHY-DAG: carried<4096>: {{.*}}registers for 256 resident threads on a multiprocessor (by default, fewer where a thread holds much or no access is a vector)
// CHECK: {{^}}//   bounds  registers for RESIDENT_THREADS resident threads on a multiprocessor{{$}}
// CHECK: __launch_bounds__(128, tile2cu::resident_blocks(128, RESIDENT_THREADS))

template <int BLOCK>
__tile_global__ void carried(const float* __restrict__ x, const float* __restrict__ w,
                             float* __restrict__ sums, float* __restrict__ squares, int rows, int n) {
  auto program = grid(132);
  auto cols = arange<BLOCK>();
  auto mask = cols < n;
  auto weight = load(w + cols, mask);
  auto a = zeros<float, BLOCK>();
  auto b = zeros<float, BLOCK>();
  for (auto row = program; row < rows; row += 132) {
    auto v = load(x + row * n + cols, mask) * weight;
    auto mean = sum(v) / n;
    a += v - mean;
    b += (v - mean) * (v - mean);
  }
  store(sums + program * n + cols, a, mask);
  store(squares + program * n + cols, b, mask);
}
inline constexpr auto carried_1024 = instantiate(carried<1024>);
inline constexpr auto carried_2048 = instantiate(carried<2048>);
inline constexpr auto carried_4096 = instantiate(carried<4096>);
