// A parameter's name stands for the parameter alone, also where the text has numbers and variables of that name.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// A number of the text.
__tile_global__ void rows(const float* __restrict__ in, float* __restrict__ out, int64_t ROW_STEPS) {
  grid(1);
  auto at = arange<32>()[all, none] * 64 + arange<64>()[none, all];
  store(out + at, load(in + at) * ROW_STEPS);
}
inline constexpr auto rows_2048 = instantiate(rows);
// CHECK-LABEL: {{^}}rows_kernel(
// CHECK-SAME: int64_t ROW_STEPS) {
// CHECK: constexpr int ROW_STEPS_2 = 4;
// CHECK: for (int i = 0; i < ROW_STEPS_2; ++i)

// Functions and structs that the text makes of the kernel's name.
__tile_global__ void fold(int* __restrict__ fold_kernel, const int* __restrict__ launch_fold, int FoldCombine) {
  grid(1);
  fold_kernel[0] = reduce<0>(load(launch_fold + arange<64>()), [=](int a, int b) { return a + b + FoldCombine; });
}
inline constexpr auto fold_64 = instantiate(fold);
// CHECK: struct FoldCombine {
// CHECK: {{^}}fold_kernel(int* __restrict__ fold_kernel_value, const int* __restrict__ value_launch_fold,
// CHECK-NEXT: int FoldCombine_2) {
// CHECK: FoldCombine{FoldCombine_2}

// A variable of the launcher.
__tile_global__ void blocks(int* __restrict__ programs_x, int n) {
  auto [i, j] = grid(n, 2);
  programs_x[i * 2 + j] = 1;
}
inline constexpr auto blocks_2 = instantiate(blocks);
// CHECK: static cudaError_t launch_blocks(
// CHECK-SAME: int* programs_x, int n,
// CHECK: const int64_t launch_programs_x = n;
