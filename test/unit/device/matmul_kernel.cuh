// A matmul as the tensor-core helpers are meant to be used: cp.async into a ring of stages,
// ldmatrix, mma, one barrier a step. For the emulator and for nvcc.
#pragma once
#include "tile2cu/device.cuh"

#ifndef TILE2CU_EMULATE
extern __shared__ __align__(128) unsigned char dynamic_smem[];
#endif

namespace matmul_kernels {

// The part that a faulty pipeline leaves out.
enum class fault { none, no_wait, wait_for_one_fewer, no_barrier, no_zeros };

// Where chunk `chunk` of 8 halves of a row is, in rows of COLUMNS halves.
template <int COLUMNS>
__device__ inline int swizzle(int row, int chunk) {
  constexpr int CHUNKS = COLUMNS / 8, ROWS = CHUNKS < 8 ? 8 / CHUNKS : 1;
  return row * COLUMNS + (chunk ^ row / ROWS % (CHUNKS < 8 ? CHUNKS : 8)) * 8;
}

// c[M, N] = a[M, K] * b[K, N], rows `lda`, `ldb` (multiples of 8) and `ldc` apart. 4 warps; each
// computes 32 x 32 of a 64 x 64 block.
template <int STAGES, fault FAULT = fault::none>
__global__ void __launch_bounds__(128) matmul(const __half* a, const __half* b, float* c, int M,
                                              int N, int K, int lda, int ldb, int ldc) {
  constexpr int BM = 64, BN = 64, BK = 32, THREADS = 128;
  struct Smem {
    alignas(128) __half a[STAGES][BM * BK];
    __half b[STAGES][BK * BN];
  };
  Smem& smem = *reinterpret_cast<Smem*>(dynamic_smem);
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const int warp_m = warp / 2 * 32, warp_n = warp % 2 * 32;
  const int first_m = blockIdx.y * BM, first_n = blockIdx.x * BN;
  const int steps = (K + BK - 1) / BK;

  const auto copy_tiles = [&](int step) {
    const int stage = step % STAGES, k0 = step * BK;
    for (int i = tid; i < BM * BK / 8; i += THREADS) {
      const int row = i / (BK / 8), chunk = i % (BK / 8), m = first_m + row, k = k0 + chunk * 8;
      const int valid = m < M ? K - k : 0;
      if (FAULT == fault::no_zeros && valid <= 0) continue;
      tile2cu::cp_async_prefix<16>(valid, smem.a[stage] + swizzle<BK>(row, chunk),
                                   valid > 0 ? a + m * lda + k : a);
    }
    for (int i = tid; i < BK * BN / 8; i += THREADS) {
      const int row = i / (BN / 8), chunk = i % (BN / 8), k = k0 + row, n = first_n + chunk * 8;
      const int valid = k < K ? N - n : 0;
      tile2cu::cp_async_prefix<16>(valid, smem.b[stage] + swizzle<BN>(row, chunk),
                                   valid > 0 ? b + k * ldb + n : b);
    }
  };

  float acc[2][4][4] = {};
  for (int step = 0; step < STAGES - 1; ++step) {
    if (step < steps) copy_tiles(step);
    tile2cu::cp_async_commit();
  }
  for (int step = 0; step < steps; ++step) {
    constexpr int LEFT = FAULT == fault::wait_for_one_fewer ? STAGES - 1 : STAGES - 2;
    if (FAULT != fault::no_wait) tile2cu::cp_async_wait<LEFT>();  // this step's tiles are here,
    if (FAULT != fault::no_barrier) __syncthreads();  // for all; the stage before it is free
    if (step + STAGES - 1 < steps) copy_tiles(step + STAGES - 1);
    tile2cu::cp_async_commit();
    const __half *const a_tile = smem.a[step % STAGES], *const b_tile = smem.b[step % STAGES];
    for (int kk = 0; kk < BK / 16; ++kk) {
      uint32_t a_frag[2][4], b_frag[4][2];
      for (int i = 0; i < 2; ++i) {
        const int row = warp_m + i * 16 + lane % 16;
        tile2cu::ldmatrix_x4(a_frag[i], a_tile + swizzle<BK>(row, kk * 2 + lane / 16));
      }
      for (int j = 0; j < 4; j += 2) {
        const int row = kk * 16 + lane % 16, chunk = warp_n / 8 + j + lane / 16;
        tile2cu::ldmatrix_x4_trans(b_frag[j], b_frag[j + 1], b_tile + swizzle<BN>(row, chunk));
      }
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 4; ++j) tile2cu::mma_m16n8k16_f16(acc[i][j], a_frag[i], b_frag[j]);
      }
    }
  }

  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int e = 0; e < 4; ++e) {
        const int m = first_m + warp_m + i * 16 + e / 2 * 8 + lane / 4;
        const int n = first_n + warp_n + j * 8 + lane % 4 * 2 + e % 2;
        if (m < M && n < N) c[m * ldc + n] = acc[i][j][e];
      }
    }
  }
}

}  // namespace matmul_kernels
