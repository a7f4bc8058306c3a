// A file for sm_80 and sm_90a: both forms of dots, and launchers that choose by the device. For single targets nothing changes.
// RUN: %tile2cu --arch=sm_80,sm_90a -I %root/runtime/include %s -o - | FileCheck %s
// RUN: %tile2cu --arch=sm_80 %s -o %t.80.cu && %tile2cu --arch=sm_90a %s -o %t.90a.cu
// RUN: not grep -E "_hopper|on_hopper" %t.80.cu %t.90a.cu
// RUN: %tile2cu --arch=sm_80,sm_90a -DWITHOUT_HOPPER %s -o %t.both.cu && %tile2cu --arch=sm_80 -DWITHOUT_HOPPER %s -o %t.one.cu
// RUN: cmp %t.both.cu %t.one.cu
#include <tile2cu/tile.h>
using namespace tl;

template <int M, int K>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int rows, int N, int depth) {
  require(M > 16 || rows <= 16);
  auto [pm, pn] = grid(cdiv(rows, M), cdiv(N, 64));
  auto i = pm * M + arange<M>();
  auto j = pn * 64 + arange<64>();
  auto acc = zeros<float, M, 64>();
  for (int k0 = 0; k0 < depth; k0 += K) {
    auto k = k0 + arange<K>();
    auto x = load(a + i[all, none] * depth + k[none, all], (i[all, none] < rows) & (k[none, all] < depth), 0);
    auto y = load(b + k[all, none] * N + j[none, all], (k[all, none] < depth) & (j[none, all] < N), 0);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < rows) & (j[none, all] < N));
}
#ifndef WITHOUT_HOPPER
inline constexpr auto one = instantiate(matmul<64, 32>, {.num_warps = 4});
inline constexpr auto some = select(candidate(matmul<16, 32>, {.num_warps = 4}), candidate(matmul<64, 32>, {.num_warps = 4}));
inline constexpr auto tuned = tune(key{"rows"}, candidate(matmul<64, 32>, {.num_warps = 4}), candidate(matmul<16, 32>, {.num_warps = 4}),
                                   candidate(matmul<128, 32>, {.num_warps = 8}));

// No argument that a launcher could check.
__tile_global__ void whole(const float16* a, const float16* b, float* c) {
  grid(1);
  auto i = arange<64>()[all, none] * 65;
  auto j = arange<64>()[none, all];
  store(c + i + j, dot(load(a + i + j), load(b + i + j)));
}
inline constexpr auto whole_tile = instantiate(whole, {.num_warps = 4});
#else
inline constexpr auto few_rows = instantiate(matmul<16, 32>, {.num_warps = 4});
inline constexpr auto two_warps = instantiate(matmul<64, 32>, {.num_warps = 2});
#endif

// The general form comes first, under its usual name.
// CHECK: matmul_kernel ---
// CHECK-NOT: //   device
// CHECK: tile2cu::mma_m16n8k16_f16(

// The other one says where it runs.
// CHECK: // ---- matmul_hopper_kernel ---
// CHECK: //   device  Hopper, if the file is compiled for sm_90a (-gencode arch=compute_90a,code=sm_90a)
// CHECK: //   dot     wgmma_m64n64k16_f16; x, y loaded by TMA, by a producer warp
// CHECK: struct MatmulHopper {
// CHECK: void producer(
// CHECK: void consumer(

// CHECK-LABEL: cudaError_t one(
// CHECK: const bool aligned = tile2cu::aligned<16>(a, b, c) && N % {{[48]}} == 0 && depth % 8 == 0;
// CHECK-NEXT: // wgmma on Hopper, where addresses and sizes allow it.
// CHECK-NEXT: const bool hopper = tile2cu::on_hopper() && aligned && {{.*}}rows > 0
// CHECK-NEXT: return hopper ? launch_matmul_hopper{{[^ ]*}}(a, b, c, rows, N, depth, stream)
// CHECK-NEXT: : aligned ? launch_matmul{{[^ ]*}}(a, b, c, rows, N, depth, stream)
// CHECK-NEXT: : launch_matmul_unaligned{{[^ ]*}}(a, b, c, rows, N, depth, stream);

// CHECK-LABEL: cudaError_t some(
// CHECK: const bool hopper = tile2cu::on_hopper() && aligned &&
// CHECK: launch = aligned ? launch_matmul_16_32
// CHECK: else
// CHECK-NEXT: launch = hopper ? launch_matmul_hopper

// Candidates without a Hopper variant are the same as elsewhere.
// CHECK-LABEL: cudaError_t tuned(
// CHECK: candidates[] = {
// CHECK-NEXT: hopper ? launch_matmul_hopper
// CHECK-NEXT: : aligned ? launch_matmul
// CHECK-NEXT: : launch_matmul_unaligned
// CHECK-NEXT: aligned ? launch_matmul
// CHECK-NEXT: hopper ? launch_matmul_hopper

// CHECK-LABEL: cudaError_t whole_tile(
// CHECK: // wgmma on Hopper.
// CHECK-NEXT: const bool hopper = tile2cu::on_hopper();
// CHECK-NEXT: return hopper ? launch_whole_hopper(a, b, c, stream) : launch_whole(a, b, c, stream);
