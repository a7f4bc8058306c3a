// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %tile2cu %s --helpers=include -o x.cu --header --extern-c
// RUN: FileCheck %s --input-file x.cu && FileCheck %s --input-file x.h --check-prefix=HEADER
// RUN: %tile2cu %s --helpers=include -o - --extern-c --header=x.h | diff - x.cu
#include <tile2cu/tile.h>
using namespace tl;

namespace lib::kernels {
// Transposes a matrix.
__tile_global__ void transpose(const float* __restrict__ in, float* __restrict__ out, int rows,
                               int cols) {
  auto [block_row, block_col] = grid(cdiv(rows, 32), cdiv(cols, 64));
  auto r = block_row * 32 + arange<32>();
  auto c = block_col * 64 + arange<64>();
  auto mask = (r[all, none] < rows) & (c[none, all] < cols);
  auto x = load(in + r[all, none] * cols + c[none, all], mask);
  store(out + c[all, none] * rows + r[none, all], trans(x), trans(mask));
}
}  // namespace lib::kernels

// The rows and columns of each thread are described once, above the array. Loops that run once are not emitted.
// CHECK: namespace lib::kernels {
// CHECK: //   needs   in, out aligned to 16 bytes; rows % 4 == 0, cols % 4 == 0
// CHECK: // Shared memory of one block.
// CHECK-NEXT: struct TransposeSmem {
// CHECK-NEXT: float x[
// CHECK: transpose_kernel(const float*
// CHECK: x[i] ={{[[:space:]]+}}tile2cu::load_if<VEC{{.*}}>(mask, in_block_col +
// CHECK: const int row = (i * NUM_WARPS + warp) * 2 + lane / 16;
// CHECK: smem.x[row][lane % 16 * VEC
// CHECK: __syncthreads();  // smem.x has been written
// CHECK: tile2cu::store_if<{{VEC.*}}>(mask, out_block_row +

// CHECK: extern "C" cudaError_t transpose(const float* in, float* out, int rows, int cols,
// CHECK: const bool aligned = tile2cu::aligned<16>(in, out) && rows % 4 == 0 && cols % 4 == 0;
// CHECK: }  // namespace lib::kernels

// HEADER: #pragma once
// HEADER: namespace lib::kernels {
// HEADER: // Transposes a matrix.
// HEADER-NEXT: extern "C" cudaError_t transpose(const float* in, float* out, int rows, int cols,
// HEADER-NEXT: cudaStream_t stream = nullptr);
// HEADER: }  // namespace lib::kernels
// HEADER-NOT: kernel<<<

template <int BLOCK>
__tile_global__ void chosen(const float* __restrict__ in, float* __restrict__ out, int n) {
  require(n <= BLOCK);
  auto row = grid(n);
  auto cols = arange<BLOCK>();
  store(out + row * n + cols, exp(load(in + row * n + cols, cols < n)), cols < n);
}
// The first that is long enough.
inline constexpr auto chosen_any =
    select(candidate(chosen<256>, {.num_warps = 1}), candidate(chosen<1024>, {.num_warps = 4}));

// CHECK: // The first that is long enough.
// CHECK-NEXT: extern "C" cudaError_t chosen_any(const float* in, float* out, int n,
// CHECK: decltype(&launch_chosen_warp{{.*}}) launch = nullptr;
// CHECK-NEXT: if (n <= 256)
// CHECK-NEXT: launch = aligned ? launch_chosen_warp{{.*}} : launch_chosen_warp{{.*}};
// CHECK-NEXT: else if (n <= 1024)
// CHECK-NEXT: launch = aligned ? launch_chosen<4> : launch_chosen<1>;
// CHECK-NEXT: else
// CHECK-NEXT: return cudaErrorInvalidValue;
// CHECK-NEXT: return launch(in, out, n, stream);
// CHECK-NEXT: }
// HEADER: // The first that is long enough.
// HEADER-NEXT: extern "C" cudaError_t chosen_any(
