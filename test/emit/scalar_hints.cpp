// Hints of accesses by a scalar pointer; a loop that polls reads memory every time.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: hints_kernel(
__tile_global__ void hints(int* flag, const float* __restrict__ x, float* out, int n) {
  grid(1);
  // CHECK: for (;;)
  // One thread loads memory that other programs may write meanwhile; the others get its value.
  // CHECK: __syncwarp();  // all threads have read smem.loaded
  // CHECK: {{^}}    if (lane == 0) smem.loaded[0] = tile2cu::load_element_if<tile2cu::cache::cv>(true, flag, 0);
  // CHECK-NEXT: __syncwarp();  // all threads see the value that was loaded
  // CHECK: const int flag_value = smem.loaded[0];
  while (load(flag, cache::cv) == 0) {
  }
  // CHECK: tile2cu::load_element_if<tile2cu::cache::read_only_cg>(n > 3, x + 3, 2.0f)
  // CHECK: tile2cu::store_element_if<tile2cu::cache::wt>(lane == 0, out + 1, {{.*}});
  store(out + 1, load(x + 3, n > 3, 2, cache::cg), cache::wt);
  // CHECK: out[2] = x[1];
  out[2] = x[1];
}
inline constexpr auto hints_1 = instantiate(hints, {.num_warps = 1});

// CHECK-LABEL: polled_kernel(
__tile_global__ void polled(int* flags, const int* __restrict__ fixed, int* out) {
  grid(1);
  // CHECK: {{^}}  if (tid == 0) smem.first[0] = tile2cu::load_element_if<tile2cu::cache::cv>(true, flags, 0);
  // CHECK-NEXT: __syncthreads();
  int first = load(flags, cache::cv);
  // Each of 16 elements is loaded by one of 128 threads.
  // CHECK: {{^}}  if (lane < 16 && warp == 0) smem.flags_tile[lane % 16] = flags_tile;
  // CHECK-NEXT: __syncthreads();
  int all = sum(load(flags + arange<16>(), cache::cv));
  // The memory read through const T* __restrict__ is not written.
  // CHECK: fixed_value = tile2cu::load_element_if<tile2cu::cache::cv>(true, fixed, 0);
  store(out, first + all + load(fixed, cache::cv));
}
inline constexpr auto polled_4 = instantiate(polled, {.num_warps = 4});
