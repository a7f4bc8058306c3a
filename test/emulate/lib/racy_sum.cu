// A stand-alone program for emulator_test.py: sums of rows, with a barrier that a macro removes.
#include <cstdio>
#include <vector>

#include "tile2cu/device.cuh"

extern __shared__ __align__(128) unsigned char dynamic_smem[];

namespace {

struct Smem {
  float partial[8];
};

__global__ __launch_bounds__(256) void row_sum(const float* __restrict__ x, float* __restrict__ y,
                                               int cols) {
  const int tid = threadIdx.x;
  auto& smem = *reinterpret_cast<Smem*>(dynamic_smem);
  const auto v =
      tile2cu::load_if<4>(tid * 4 < cols, x + int64_t(blockIdx.x) * cols + tid * 4, 0.0f);
  float sum = tile2cu::warp_reduce(v[0] + v[1] + v[2] + v[3], tile2cu::sum_op<float>());
  if (tid % 32 == 0) smem.partial[tid / 32] = sum;
#ifndef DROP_BARRIER
  __syncthreads();  // the sums of all warps are in smem.partial
#endif
  if (tid == 0) {
    sum = 0.0f;
    for (int w = 0; w < 8; ++w) sum += smem.partial[w];
    y[blockIdx.x] = sum;
  }
}

}  // namespace

int main() {
  const int rows = 1000, cols = 1024;
  std::vector<float> x(rows * cols, 1.0f), y(rows);
  const cudaError_t error =
      emulate::launch(row_sum, rows, 256, sizeof(Smem), nullptr, x.data(), y.data(), cols);
  std::printf("%s %g\n", cudaGetErrorString(error), double(y[rows - 1]));
}
