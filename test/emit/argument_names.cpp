// Each template argument has a name of its own in the text, which stands for its number alone.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// Names of the text's own numbers.
template <int BLOCK, int VEC, int VECS>
__tile_global__ void vectors(int* __restrict__ out, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  store(out + i, cast<int>(i) * VEC + VECS, i < n);
}
inline constexpr auto vectors_2048 = instantiate(vectors<2048, 64, 65>);
// CHECK: template <int VEC>
// CHECK-NEXT: static __global__
// CHECK-NEXT: {{^}}vectors_kernel(
// CHECK-DAG: constexpr int VEC_2 = 64;
// CHECK-DAG: constexpr int VECS_2 = 65;
// CHECK: result[v] = {{.*}} * VEC_2 + VECS_2;

template <int BLOCK, int NUM_WARPS, int NUM_THREADS, int CLUSTER, int PROGRAMS_PER_BLOCK,
          int RESIDENT_THREADS>
__tile_global__ void launch(int* __restrict__ out, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  store(out + i, cast<int>(i) * NUM_WARPS, i < n);
  out[n] = n * NUM_THREADS;
  out[n + 1] = n * CLUSTER;
  out[n + 2] = n * PROGRAMS_PER_BLOCK;
  out[n + 3] = n * RESIDENT_THREADS;
}
inline constexpr auto launch_512 = instantiate(launch<512, 91, 92, 93, 94, 95>, {.num_warps = 2});
// CHECK: __launch_bounds__(64, tile2cu::resident_blocks(64,
// CHECK-NEXT: launch_kernel(
// CHECK-DAG: constexpr int NUM_WARPS_2 = 91;
// CHECK-DAG: constexpr int NUM_THREADS_2 = 92;
// CHECK-DAG: constexpr int CLUSTER_2 = 93;
// CHECK-DAG: constexpr int PROGRAMS_PER_BLOCK_2 = 94;
// CHECK-DAG: constexpr int RESIDENT_THREADS_2 = 95;
// CHECK-DAG: constexpr int NUM_WARPS = 2;
// CHECK: * NUM_WARPS_2;
// CHECK: = n * NUM_THREADS_2;
// CHECK: = n * CLUSTER_2;
// CHECK: = n * PROGRAMS_PER_BLOCK_2;
// CHECK: = n * RESIDENT_THREADS_2;

// A name that another argument would get.
template <int half, int half_2>
__tile_global__ void numbered(int* __restrict__ out, int n) {
  auto i = grid(cdiv(n, half)) * half + arange<half>();
  store(out + i, cast<int>(i) * half_2, i < n);
}
inline constexpr auto numbered_128 = instantiate(numbered<128, 512>);
// CHECK-LABEL: {{^}}numbered_kernel(
// CHECK-DAG: constexpr int half_value = 128;
// CHECK-DAG: constexpr int half_2 = 512;
// CHECK: * half_value
// CHECK: int(i) * half_2

template <int D_1, int... D>
__tile_global__ void packs(int* __restrict__ out, int k) {
  grid(1);
  out[0] = D_1 * k;
  out[1] = (D + ... + k);
}
inline constexpr auto packs_3 = instantiate(packs<100, 20, 30>);
// CHECK-LABEL: {{^}}packs_kernel(
// CHECK-DAG: constexpr int D_1 = 100;
// CHECK-DAG: constexpr int D_0 = 20;
// CHECK: = D_1 * k;
// The second of the pack would be D_1, too: it is a number.
// CHECK: = D_0 + (30 + k);

// A constant of the text is an int: a larger number has no name.
template <uint64_t P, int64_t N, unsigned M>
__tile_global__ void beyond(uint64_t* __restrict__ out, uint64_t k, unsigned m) {
  grid(1);
  out[0] = P + k;
  out[1] = N + k;
  out[2] = M / m;
}
inline constexpr auto beyond_max =
    instantiate(beyond<18446744073709551000u, 5000000000, 4000000000>);
// CHECK-LABEL: {{^}}beyond_kernel(
// CHECK-NOT: constexpr int {{[PNM]}}
// CHECK: = 18446744073709551000u + k;
// CHECK: = 5000000000u + k;
// CHECK: = uint64_t(4000000000u / m);

// Nor does a product of two that is larger.
template <int64_t A, int64_t B>
__tile_global__ void product(int64_t* __restrict__ out, int k) {
  grid(1);
  out[0] = A * B + k;
}
inline constexpr auto product_wide = instantiate(product<65536, 65537>);
// CHECK-LABEL: {{^}}product_kernel(
// CHECK: = 4295032832 + int64_t(k);
