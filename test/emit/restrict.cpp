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

// A table is no memory that a kernel writes.
constexpr float kScales[4] = {1, 2, 4, 8};
__tile_global__ void scaled(const int* __restrict__ which, float* __restrict__ out) {
  grid(1);
  auto i = arange<64>();
  store(out + i, load(kScales + (load(which + i) & 3)));
}
inline constexpr auto scale = instantiate(scaled);

// CHECK: running_kernel(const float* __restrict__ in, float* __restrict__ out, float* sums, int n) {
// CHECK: scaled_kernel(const int* __restrict__ which, float* __restrict__ out) {
