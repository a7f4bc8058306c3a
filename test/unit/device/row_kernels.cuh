// Kernels as the emitter prints them, by hand: what rows_test.cpp runs on the emulator and nvcc
// compiles.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header  // g++ does not know #pragma unroll
#endif
#include "tile2cu/device.cuh"

extern __shared__ __align__(128) unsigned char dynamic_smem[];

namespace row_kernels {

template <int WARPS>
struct Smem {
  float max_of_warp[WARPS];
  float sum_of_warp[WARPS];
};

// y[row, :] = softmax(x[row, :])    cols <= BLOCK; one block per row; VEC divides cols and the
// strides
template <int BLOCK, int WARPS, int VEC>
__global__ __launch_bounds__(WARPS * 32, tile2cu::resident_blocks(WARPS * 32, 1024)) void softmax(
    const float* __restrict__ x, float* __restrict__ y, int cols, int x_stride, int y_stride) {
  constexpr int THREADS = WARPS * 32;
  constexpr int VECS = BLOCK / (THREADS * VEC);  // vectors per thread
  const int tid = threadIdx.x;
  auto& smem = *reinterpret_cast<Smem<WARPS>*>(dynamic_smem);

  const int row = blockIdx.x;
  const float* x_row = x + int64_t(row) * x_stride;
  float* y_row = y + int64_t(row) * y_stride;

  // Tile v [BLOCK]: col = (i * THREADS + tid) * VEC + e. All loads are in flight together.
  tile2cu::vec<float, VEC> v[VECS];
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
    const int col = (i * THREADS + tid) * VEC;
    v[i] = tile2cu::load_if<VEC>(col < cols, x_row + col, -INFINITY);
  }

  // row_max = max(v): thread, then warp, then block.
  float row_max = -INFINITY;
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
#pragma unroll
    for (int e = 0; e < VEC; ++e) row_max = fmaxf(row_max, v[i][e]);
  }
  row_max = tile2cu::block_reduce(row_max, tile2cu::max_op<float>(), smem.max_of_warp);

  // numerator = exp(v - row_max), row_sum = sum(numerator)
  float row_sum = 0.0f;
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
#pragma unroll
    for (int e = 0; e < VEC; ++e) {
      v[i][e] = tile2cu::exp(v[i][e] - row_max);
      row_sum += v[i][e];
    }
  }
  row_sum = tile2cu::block_reduce(row_sum, tile2cu::sum_op<float>(), smem.sum_of_warp);

  // store(y, numerator / row_sum, col < cols)
  const float scale = tile2cu::fdiv(1.0f, row_sum);
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
    const int col = (i * THREADS + tid) * VEC;
#pragma unroll
    for (int e = 0; e < VEC; ++e) v[i][e] *= scale;
    tile2cu::store_if<VEC>(col < cols, y_row + col, v[i]);
  }
}

// y[row, :] = layernorm(x[row, :]) * weight + bias    in half; cols <= BLOCK; one block per row
template <int BLOCK, int WARPS, int VEC>
__global__ __launch_bounds__(WARPS * 32) void layernorm(const __half* __restrict__ x,
                                                        const __half* __restrict__ weight,
                                                        const __half* __restrict__ bias,
                                                        __half* __restrict__ y, int cols,
                                                        float eps) {
  constexpr int THREADS = WARPS * 32;
  constexpr int VECS = BLOCK / (THREADS * VEC);  // vectors per thread
  const int tid = threadIdx.x;
  auto& smem = *reinterpret_cast<Smem<WARPS>*>(dynamic_smem);
  const int64_t row_start = int64_t(blockIdx.x) * cols;

  // Tile x_half [BLOCK]: col = (i * THREADS + tid) * VEC + e. All loads are in flight together.
  tile2cu::vec<__half, VEC> x_half[VECS];
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
    const int col = (i * THREADS + tid) * VEC;
    x_half[i] = tile2cu::load_if<VEC>(col < cols, x + row_start + col, 0.0f);
  }

  // mean = sum(v) / cols
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
#pragma unroll
    for (int e = 0; e < VEC; ++e) sum += tile2cu::to_float(x_half[i][e]);
  }
  sum = tile2cu::block_reduce(sum, tile2cu::sum_op<float>(), smem.max_of_warp);
  const float mean = tile2cu::fdiv(sum, float(cols));

  // d = where(mask, v - mean, 0), rstd = rsqrt(sum(d * d) / cols + eps)
  float square_sum = 0.0f;
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
    const int col = (i * THREADS + tid) * VEC;
#pragma unroll
    for (int e = 0; e < VEC; ++e) {
      const float d = tile2cu::to_float(x_half[i][e]) - mean;
      square_sum += col < cols ? d * d : 0.0f;
    }
  }
  square_sum = tile2cu::block_reduce(square_sum, tile2cu::sum_op<float>(), smem.sum_of_warp);
  const float rstd = tile2cu::rsqrt(tile2cu::fdiv(square_sum, float(cols)) + eps);

  // store(y, d * rstd * w + b, mask)
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
    const int col = (i * THREADS + tid) * VEC;
    const auto w = tile2cu::load_if<VEC>(col < cols, weight + col, 0.0f);
    const auto b = tile2cu::load_if<VEC>(col < cols, bias + col, 0.0f);
    tile2cu::vec<__half, VEC> out;
#pragma unroll
    for (int e = 0; e < VEC; ++e) {
      const float d = tile2cu::to_float(x_half[i][e]) - mean;
      const float scaled = d * rstd * tile2cu::to_float(w[e]);
      out[e] = tile2cu::to_half(scaled + tile2cu::to_float(b[e]));
    }
    tile2cu::store_if<VEC>(col < cols, y + row_start + col, out);
  }
}

// y = gelu(x), tanh form, in half; offsets < n
template <int BLOCK, int VEC>
__global__ __launch_bounds__(256) void gelu(const __half* __restrict__ x, __half* __restrict__ y,
                                            int64_t n) {
  constexpr int THREADS = 256;
  constexpr int VECS = BLOCK / (THREADS * VEC);  // vectors per thread
  const int tid = threadIdx.x;
  const int64_t base = int64_t(blockIdx.x) * BLOCK;
  const int valid = int(min(n - base, int64_t(BLOCK)));

  // Tile x_half [BLOCK]: offset = (i * THREADS + tid) * VEC + e.
  tile2cu::vec<__half, VEC> x_half[VECS];
#pragma unroll
  for (int i = 0; i < VECS; ++i) {
    const int offset = (i * THREADS + tid) * VEC;
    x_half[i] = tile2cu::load_prefix<VEC>(valid - offset, x + base + offset, 0.0f);
  }

#pragma unroll
  for (int i = 0; i < VECS; ++i) {
    const int offset = (i * THREADS + tid) * VEC;
    tile2cu::vec<__half, VEC> out;
#pragma unroll
    for (int e = 0; e < VEC; ++e) {
      const float v = tile2cu::to_float(x_half[i][e]);
      const float u = 0.7978845608f * (v + 0.044715f * v * v * v);
      out[e] = tile2cu::to_half(0.5f * v * (1.0f + tile2cu::tanh(u)));
    }
    tile2cu::store_prefix<VEC>(valid - offset, y + base + offset, out);
  }
}

// y[row, :] = cumsum(x[row, :])    BLOCK columns at most, one block per row, one element a thread
template <int WARPS>
__global__ __launch_bounds__(WARPS * 32) void cumsum(const float* __restrict__ x,
                                                     float* __restrict__ y, int cols) {
  const int tid = threadIdx.x;
  const int warp = tid / 32;
  auto& smem = *reinterpret_cast<Smem<WARPS>*>(dynamic_smem);
  const int64_t row_start = int64_t(blockIdx.x) * cols;

  const float v = tile2cu::load_element_if(tid < cols, x + row_start + tid, 0.0f);
  float total = tile2cu::warp_scan(v, tile2cu::sum_op<float>());
  if (tid % 32 == 31) smem.sum_of_warp[warp] = total;
  __syncthreads();  // the sums of all warps are in smem.sum_of_warp
#pragma unroll
  for (int w = 0; w < WARPS - 1; ++w) total += w < warp ? smem.sum_of_warp[w] : 0.0f;
  tile2cu::store_element_if(tid < cols, y + row_start + tid, total);
}

}  // namespace row_kernels
