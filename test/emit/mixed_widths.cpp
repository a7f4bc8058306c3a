// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void step(float* __restrict__ p, const bfloat16* __restrict__ g, int n) {
  auto i = grid(cdiv(n, 1024)) * 1024 + arange<1024>();
  auto mask = i < n;
  store(p + i, load(p + i, mask) - cast<float>(load(g + i, mask)), mask);
}

// One 16-byte vector of f32, and half a vector of bf16, per iteration.
// CHECK-LABEL: step_kernel(float*
// CHECK: p_tile[i] = tile2cu::load_prefix<VEC,
// CHECK: g_tile[i] = tile2cu::load_prefix<VEC>

__tile_global__ void add_rows(const bfloat16* __restrict__ x, const int* __restrict__ rows,
                              float* __restrict__ sums, int n) {
  auto row = grid(n);
  auto i = arange<1024>();
  atomic_add(sums + int64_t(rows[row]) * 1024 + i, cast<float>(load(x + row * 1024 + i)));
}

// The lanes of a warp add to neighbouring elements.
// CHECK-LABEL: add_rows_kernel(const __nv_bfloat16*
// CHECK: // {{.*}}[i]: element i * NUM_THREADS + tid of the tile.
// CHECK: x_tile[i] = tile2cu::load_element_if(
// CHECK: const int index = i * NUM_THREADS + tid;
// CHECK-NEXT: tile2cu::atomic_add(sums_rows_value + index, float(x_tile[i]));
// CHECK: launch_step<4, 2>

inline constexpr auto step_f32 = instantiate(step, {.num_warps = 4});
inline constexpr auto add_rows_f32 = instantiate(add_rows, {.num_warps = 4});
