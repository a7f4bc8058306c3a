// A program of its own for emulator_test.py: a condition that does not hold for all threads.
#include <cstdio>

#include "tile2cu/device.cuh"

namespace {

__global__ void below(int bound) {
  tile2cu::device_assert(int(threadIdx.x) < bound, "below.tile.cpp:7: below the bound");
}

}  // namespace

int main(int count, char**) {
  // With an argument, for the last thread not.
  const cudaError_t error = emulate::launch(below, 1, 64, 0, nullptr, count > 1 ? 63 : 64);
  std::printf("%s\n", cudaGetErrorString(error));
}
