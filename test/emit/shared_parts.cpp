// Two kernels of one function have one struct of shared memory if it is the same. A kernel of several functions is
// complete in its struct: it uses no function of another kernel.
// RUN: %tile2cu --arch=sm_90a %s -o %t.cu && FileCheck %s < %t.cu
// RUN: grep -c "^struct ProductUnalignedSmem {" %t.cu | FileCheck %s --check-prefix=ONCE
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

// CHECK: struct Product {
// CHECK: struct Smem {
// CHECK: void producer() {
// CHECK: void consumer() {
// CHECK: {{^}}product_kernel(
// CHECK: Product<CLUSTER>{smem, M, K, a_map, b_map, c_map}.run();
// CHECK: {{^}}product_unaligned_kernel(
// CHECK: reinterpret_cast<ProductUnalignedSmem*>(
// CHECK: struct Product128_64_32 {
// CHECK: struct Smem {
// CHECK: void producer() {
// CHECK: void consumer() {
// CHECK: {{^}}product_128_64_32_kernel(
// CHECK: Product128_64_32<CLUSTER>{smem, M, K, a_map, b_map, c_map}.run();
// CHECK: {{^}}product_unaligned_128_64_32_kernel(
// CHECK: reinterpret_cast<ProductUnalignedSmem*>(
// The size is the same for each size of a cluster.
// CHECK: sizeof(Product<1>::Smem)

inline constexpr auto two_warpgroups = instantiate(product<128, 64, 32>, {.num_warps = 8});
inline constexpr auto one_warpgroup = instantiate(product<128, 64, 32>, {.num_warps = 4});
