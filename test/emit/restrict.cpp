// RUN: %tile2cu %s -o - | FileCheck %s
// The threads of a program exchange data through `sums`, so it is not __restrict__: nvcc would keep its own thread's value
// of *sums in a register across __syncthreads(). `in` is only read and `out` only written.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void running(const float* __restrict__ in, float* __restrict__ out,
                             float* __restrict__ sums, int n) {
  grid(1);
  for (int i = 0; i < n; ++i) {
    sums[0] += sum(load(in + i * 64 + arange<64>()));
    out[i] = sums[0];
  }
}
inline constexpr auto run = instantiate(running);

// CHECK: running_kernel(const float* __restrict__ in, float* __restrict__ out, float* sums, int n) {
