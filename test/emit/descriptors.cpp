// RUN: %tile2cu %in_parts %s --helpers=include -o - | FileCheck %s
// A matmul through descriptors moves the same data as one through pointers: 16 bytes at a time, with two
// comparisons per vector.
#include <tile2cu/tile.h>
using namespace tl;

template <int M, int N, int K>
__tile_global__ void pointers(const float16* __restrict__ a, const float16* __restrict__ b,
                              float* __restrict__ c, int m, int n, int k, int lda, int ldb, int ldc) {
  auto [pid_m, pid_n] = grid(cdiv(m, M), cdiv(n, N));
  auto i = (pid_m * M + arange<M>())[all, none];
  auto j = (pid_n * N + arange<N>())[none, all];
  auto acc = zeros<float, M, N>();
  for (int64_t at = 0; at < k; at += K) {
    auto r = at + arange<K>();
    auto x = load(a + i * lda + r[none, all], (i < m) & (r[none, all] < k));
    auto y = load(b + r[all, none] * ldb + j, (r[all, none] < k) & (j < n));
    acc = dot(x, y, acc);
  }
  store(c + i * ldc + j, acc, (i < m) & (j < n));
}
inline constexpr auto by_pointers = instantiate(pointers<64, 64, 32>, {.num_warps = 4});

// CHECK: // From {{.*}} `pointers`
// CHECK: // dot mma_m16n8k16_f16; x, y prefetched STAGES - 1 iterations ahead
// CHECK-NEXT: // needs a, b, c aligned to 16 bytes; n % 8 == 0, k % 8 == 0, lda % 8 == 0, ldb % 8 == 0,
// CHECK-NEXT: // ldc % 2 == 0
// CHECK: void copy_x_y(
// CHECK: const int row = i * ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_ROW);
// CHECK-NEXT: const int column = int(threadIdx.x % THREADS_PER_ROW) * VEC;
// CHECK-NEXT: tile2cu::copy_to_shared_if<VEC>(row < valid_rows && column < valid,
// CHECK-NEXT: &tile2cu::swizzled(smem.x[stage], row, column),
// CHECK-NEXT: a_tile_pointer + int64_t(row) * lda + column);
// CHECK: const int row = i * N_ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_N);
// CHECK-NEXT: const int column = int(threadIdx.x % THREADS_PER_N) * VEC;
// CHECK-NEXT: tile2cu::copy_to_shared_if<VEC>(row < valid && column < valid_columns,
// CHECK-NEXT: &tile2cu::swizzled(smem.y[stage], row, column),
// CHECK-NEXT: b_tile + int64_t(row) * ldb + column);
// CHECK: // store(c + i * ldc + j, acc, (i < m) & (j < n))
// CHECK-NEXT: float* const c_tile = c + int64_t(pid_m_start) * ldc + pid_n_start;
// CHECK: tile2cu::store_if<2>(row < valid_rows && column < valid_columns,
// CHECK-NEXT: c_tile + int64_t(row) * ldc + column,
// CHECK-NEXT: {acc[i][j][h * 2], acc[i][j][h * 2 + 1]});
// CHECK: // acc = dot(x, y, acc)
// CHECK: tile2cu::mma_m16n8k16_f16(acc[i][j], a_frag[kk % 2][i], b_frag[kk % 2][j]);

template <int M, int N, int K>
__tile_global__ void described(const float16* __restrict__ a, const float16* __restrict__ b,
                               float* __restrict__ c, int m, int n, int k, int lda, int ldb, int ldc) {
  auto [pid_m, pid_n] = grid(cdiv(m, M), cdiv(n, N));
  auto A = make_tensor_descriptor<M, K>(a, {m, k}, {lda, 1});
  auto B = make_tensor_descriptor<K, N>(b, {k, n}, {ldb, 1});
  auto C = make_tensor_descriptor<M, N>(c, {m, n}, {ldc, 1});
  auto acc = zeros<float, M, N>();
  for (int at = 0; at < k; at += K)
    acc = dot(A.load({pid_m * M, at}), B.load({at, pid_n * N}), acc);
  C.store({pid_m * M, pid_n * N}, acc);
}
inline constexpr auto by_descriptors = instantiate(described<64, 64, 32>, {.num_warps = 4});

// CHECK: // From {{.*}} `described`
// CHECK: // dot mma_m16n8k16_f16; A_block, B_block prefetched STAGES - 1 iterations ahead
// CHECK-NEXT: // needs a, b, c aligned to 16 bytes; n % 8 == 0, k % 8 == 0, lda % 8 == 0, ldb % 8 == 0,
// CHECK-NEXT: // ldc % 2 == 0
// CHECK: void copy_A_block_B_block(
// CHECK: const int row = i * ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_ROW);
// CHECK-NEXT: const int column = int(threadIdx.x % THREADS_PER_ROW) * VEC;
// CHECK-NEXT: tile2cu::copy_to_shared_if<VEC>(row < valid_rows && column < valid,
// CHECK-NEXT: &tile2cu::swizzled(smem.A_block[stage], row, column),
// CHECK-NEXT: a_tile_pointer + int64_t(row) * lda + column);
// CHECK: const int row = i * N_ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_N);
// CHECK-NEXT: const int column = int(threadIdx.x % THREADS_PER_N) * VEC;
// CHECK-NEXT: tile2cu::copy_to_shared_if<VEC>(row < valid && column < valid_columns,
// CHECK-NEXT: &tile2cu::swizzled(smem.B_block[stage], row, column),
// CHECK-NEXT: b_tile + int64_t(row) * ldb + column);
// CHECK: // C.store({pid_m * M, pid_n * N}, acc)
// CHECK-NEXT: float* const c_tile = c + int64_t(pid_m_start) * ldc + pid_n_start;
// CHECK: tile2cu::store_if<2>(row < valid_rows && column < valid_columns,
// CHECK-NEXT: c_tile + int64_t(row) * ldc + column,
// CHECK-NEXT: {acc[i][j][h * 2], acc[i][j][h * 2 + 1]});
// CHECK: // acc = dot(A.load({pid_m * M, at}), B.load({at, pid_n * N}), acc)
// CHECK-NEXT: const int pid_m_start = pid_m * M;
// CHECK: tile2cu::mma_m16n8k16_f16(acc[i][j], a_frag[kk % 2][i], b_frag[kk % 2][j]);
