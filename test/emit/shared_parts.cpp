// Functions and structs that two kernels of a file have in common are emitted once, including the roles of warps.
// RUN: %tile2cu --arch=sm_90a %s -o %t.cu && FileCheck %s < %t.cu
// RUN: grep -c "void product_producer(" %t.cu | FileCheck %s --check-prefix=ONCE
// RUN: grep -c "^struct ProductSmem {" %t.cu | FileCheck %s --check-prefix=ONCE
// RUN: not grep "product_128_64_32_producer" %t.cu
// ONCE: {{^1$}}
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b,
                             float* __restrict__ c, int M, int N, int K) {
  auto [i, j] = grid(cdiv(M, BLOCK_M), cdiv(N, BLOCK_N));
  auto A = make_tensor_descriptor<BLOCK_M, BLOCK_K>(a, {M, K}, {K, 1});
  auto B = make_tensor_descriptor<BLOCK_K, BLOCK_N>(b, {K, N}, {N, 1});
  auto rows = (i * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = (j * BLOCK_N + arange<BLOCK_N>())[none, all];
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K)
    acc += dot(A.load({i * BLOCK_M, k}), B.load({k, j * BLOCK_N}));
  store(c + rows * N + cols, acc, (rows < M) & (cols < N));
}

// CHECK: struct ProductSmem {
// CHECK: void product_producer(
// CHECK: void product_consumer(
// CHECK: product_kernel(
// CHECK: product_producer<CLUSTER>(smem,
// CHECK: product_128_64_32_kernel(
// CHECK: product_producer<CLUSTER>(smem,

inline constexpr auto two_warpgroups = instantiate(product<128, 64, 32>, {.num_warps = 8});
inline constexpr auto one_warpgroup = instantiate(product<128, 64, 32>, {.num_warps = 4});
