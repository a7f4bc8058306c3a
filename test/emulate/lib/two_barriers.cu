// A program of its own for emulator_test.py: the calls of a barrier in two branches, as an optimizing compiler makes them of one,
// on one line or, with a define, on two.
#include <cstdio>

#include "tile2cu/device.cuh"

namespace {

__global__ void branches(int* out) {
#ifdef TWO_LINES
  if (threadIdx.x == 0) {
    *out = 7;
    __syncthreads();  // the first
  } else {
    __syncthreads();  // the second
  }
#else
  // clang-format off
  if (threadIdx.x == 0) { *out = 7; __syncthreads(); } else { __syncthreads(); }
  // clang-format on
#endif
}

}  // namespace

int main() {
  int out = 0;
  const cudaError_t error = emulate::launch(branches, 1, 64, 0, nullptr, &out);
  std::printf("%s %d\n", cudaGetErrorString(error), out);
}
