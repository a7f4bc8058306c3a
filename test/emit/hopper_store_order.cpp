// RUN: %tile2cu --arch=sm_90a %s -o - | FileCheck %s
// CHECK-LABEL: void consumer(
// CHECK: if (lane == 0) tile2cu::tma_store_wait<0>();  // earlier TMA stores have been written
// CHECK-NEXT: tile2cu::named_barrier_sync<NUM_THREADS>(
// CHECK: if (tid == 0) {
// CHECK: tile2cu::tma_store(
// CHECK-LABEL: void consumer(
// CHECK: if (lane == 0) tile2cu::tma_store_wait_read<0>();
// CHECK-NEXT: __syncwarp();
// CHECK: if (lane == 0) {
// CHECK-NEXT: const int row = warp * 16;
// CHECK: tile2cu::tma_store(
// The third form waits as the first does, but each warp for itself.
// CHECK-LABEL: void consumer(
// CHECK: if (lane == 0) tile2cu::tma_store_wait<0>();  // earlier TMA stores have been written
// CHECK-NEXT: __syncwarp();
// CHECK: if (lane == 0) {
// CHECK-NEXT: const int row = warp * 16;
// CHECK: tile2cu::tma_store(
#include <tile2cu/tile.h>
using namespace tl;

// TMA stores have no order among themselves. If an iteration may store where an earlier one did, one thread starts all of them, each
// when the one before it has been written. Iterations that store to rows of their own do not wait for that, nor do warps for each other.
// With TURNS 2 each place is stored to twice, from a multiple of the tile's rows: the same warp stores a row again.
template <int ROWS, int TURNS>
__tile_global__ void sums(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int K) {
  grid(1);
  auto A = make_tensor_descriptor<64, 64>(a, {64, K}, {K, 1});
  auto B = make_tensor_descriptor<64, 64>(b, {K, 64}, {64, 1});
  auto C = make_tensor_descriptor<64, 64>(c, {K, 64}, {64, 1});
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K / 64; ++k) {
    acc = dot(A.load({0, k * 64}), B.load({k * 64, 0}), acc);
    C.store({k / TURNS * ROWS, 0}, acc);
  }
}

inline constexpr auto again = instantiate(sums<8, 1>, {.num_warps = 4});
inline constexpr auto apart = instantiate(sums<64, 1>, {.num_warps = 4});
inline constexpr auto twice = instantiate(sums<64, 2>, {.num_warps = 4});
