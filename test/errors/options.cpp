// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Options out of range, of kernels and of loops.
#include <tile2cu/tile.h>
using namespace tl;

template <int N>
__tile_global__ void filled(float* out) {
  auto row = grid(N);
  float sum = 0;
  if constexpr (N == 3) {
    // CHECK-DAG: :[[@LINE+1]]:49: error: num_stages is -1; use 1 to 64, or 0 to let the compiler choose
    for (auto i : range(0, N, 1, {.num_stages = -1})) sum += i;
    // CHECK-DAG: :[[@LINE+1]]:45: error: unroll is 2000; use 1 to 1024, or 0 to let the compiler choose
    for (auto i : range(0, N, 1, {.unroll = 2000})) sum += i;
    for (auto i : range(0, N, 1, {.num_stages = 0, .unroll = 0})) sum += i;
  }
  store(out + row * 64 + arange<64>(), full<float, 64>(sum));
}

// CHECK-DAG: :[[@LINE+1]]:68: error: num_warps is 17; use 1 to 16{{$}}
inline constexpr auto warps = instantiate(filled<1>, {.num_warps = 17});
// CHECK-DAG: :[[@LINE+1]]:86: error: num_stages is 0; use 1 to 64{{$}}
inline constexpr auto stages = instantiate(filled<1>, {.num_warps = 4, .num_stages = 0});
inline constexpr auto loops = instantiate(filled<3>);
inline constexpr auto two = select(
    // CHECK-DAG: :[[@LINE+1]]:49: error: programs_per_block is 33; use 1 to 32, or 0
    candidate(filled<1>, {.programs_per_block = 33}),
    // CHECK-DAG: :[[@LINE+2]]:47: error: resident_threads is -5; use 1 to 2048, or 0
    // CHECK-DAG: :[[@LINE+1]]:65: error: min_blocks is -1; use 1 to 32, or 0
    candidate(filled<1>, {.resident_threads = -5, .min_blocks = -1}));
// CHECK-DAG: :[[@LINE+1]]:53: error: programs_per_block is 3 with 2 warps, but only programs of one warp share a block; use num_warps = 1, or 0 to let the compiler choose
inline constexpr auto wide = instantiate(filled<1>, {.num_warps = 2, .programs_per_block = 3});
inline constexpr auto alone = instantiate(filled<1>, {.num_warps = 2, .programs_per_block = 1});
constexpr options many{.min_blocks = 100};
// CHECK-DAG: :[[@LINE+1]]:54: error: min_blocks is 100
inline constexpr auto named = instantiate(filled<1>, many);
// CHECK-DAG: 9 errors generated.
