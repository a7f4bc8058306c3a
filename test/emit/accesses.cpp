// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// Adds one to every element.
__tile_global__ void prefix(const float* __restrict__ in, float* __restrict__ out, int n) {
  auto block = grid(cdiv(n, 1024));
  auto cols = block * 1024 + arange<1024>();
  auto mask = cols < n;
  // The input.
  auto x = load(in + cols, mask);
  store(out + cols, x + 1.0f, mask);
}
inline constexpr auto prefix_add = instantiate(prefix, {.num_warps = 4});

// The user's comments and names, the contract, and one vector per thread and iteration.
// CHECK: // Adds one to every element.
// CHECK: //   grid    cdiv(n, 1024) blocks, one for each program
// CHECK-NEXT: //   block   128 threads = 4 warps
// CHECK-NOT: //   tiles
// CHECK: prefix_kernel(const float* __restrict__ in, float* __restrict__ out, int n) {
// CHECK: // auto block = grid(cdiv(n, 1024))
// CHECK-NEXT: const int block = blockIdx.x;
// CHECK: // The input.
// CHECK-NEXT: // auto x = load(in + cols, mask)
// CHECK: tile2cu::vec<float, VEC> x[VECS];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int i = 0; i < VECS; ++i) {
// CHECK-NEXT: const int col = (i * NUM_THREADS + tid) * VEC;
// CHECK-NEXT: const int remaining = valid_cols - col;
// CHECK-NEXT: x[i] = tile2cu::load_prefix<VEC{{.*}}>(remaining, in_block + col, 0.0f);
// CHECK: // store(out + cols, x + 1.0f, mask)
// CHECK: result[v] = x[i][v] + 1.0f;
// CHECK: tile2cu::store_prefix<VEC>(remaining, out_block + col, result);

__tile_global__ void scattered(const float* __restrict__ in, float* __restrict__ out, int n) {
  grid(1);
  auto cols = arange<512>();
  auto odd = (cols ^ 5) < n;
  auto x = load(in + cols, odd, -1.0f);
  store(out + cols * 2, x, odd);
}
// CHECK-LABEL: scattered_kernel(const float*
// CHECK: float x[VECS];
// CHECK: const int col = i * NUM_THREADS + tid;
// CHECK-NEXT: const bool odd = (col ^ 5) < n;
// CHECK: load_element_if(odd, in + col, -1.0f);
// CHECK: store_element_if(odd, out + col * 2, x[i]

template <int BLOCK>
__tile_global__ void total(const float* __restrict__ in, float* __restrict__ out, int rows, int n) {
  auto row = grid(rows);
  auto cols = arange<BLOCK>();
  auto x = load(in + row * n + cols, cols < n);
  store(out + row, sum(x));
}
inline constexpr auto total_block = instantiate(total<2048>, {.num_warps = 4});
inline constexpr auto total_warp = instantiate(total<256>, {.num_warps = 1});

// Whole vectors: one mask for each. The sum is the same in all threads; one of them stores it.
// CHECK-LABEL: total_kernel(const float*
// CHECK: constexpr int BLOCK = 2048;
// CHECK: constexpr int VECS = BLOCK / (NUM_THREADS * VEC);
// CHECK: const float* const in_row = in + row * n;
// CHECK: x[i] = tile2cu::load_if<VEC{{.*}}>(col < n, in_row + col, 0.0f);
// CHECK: x_sum += x[i][v];
// CHECK: x_sum = tile2cu::block_reduce<NUM_WARPS>(x_sum, tile2cu::sum_op<float>{},
// CHECK: if (tid == 0) out[row] = x_sum;
// CHECK-NOT: __syncthreads

// A program is a warp of its block: it uses its lanes, no shared memory, and warps past the grid end early.
// CHECK-LABEL: total_warp_kernel(const float*
// CHECK: constexpr int PROGRAMS_PER_BLOCK = 4;
// CHECK: const int lane = threadIdx.x % 32;
// CHECK: const int64_t row = int64_t(blockIdx.x) * PROGRAMS_PER_BLOCK + warp;
// CHECK-NEXT: if (row >= rows) return;
// CHECK-NOT: smem
// CHECK: x_sum = tile2cu::warp_reduce(x_sum, tile2cu::sum_op<float>{});
// CHECK: if (lane == 0) out[row] = x_sum;

// The launchers check what wide accesses need, and nothing more.
// CHECK-LABEL: cudaError_t prefix_add(
// CHECK: const bool aligned = tile2cu::aligned<16>(in, out);
// CHECK-LABEL: cudaError_t total_block(
// CHECK: const bool aligned = tile2cu::aligned<16>(in) && n % 4 == 0;
