// The PTX of products and sums: under --math=precise no fma, and no product that ptxas could fuse into one.
// REQUIRES: nvcc
// RUN: %tile2cu %s --math=precise -o %t.cu && nvcc -std=c++17 -arch=sm_80 -ptx -o %t.ptx %t.cu
// RUN: FileCheck %s --implicit-check-not=fma --implicit-check-not="mul.f{{(16|32|64)}}" < %t.ptx
// RUN: %tile2cu %s -o %t.cu && nvcc -std=c++17 -arch=sm_80 -ptx -o %t.ptx %t.cu
// RUN: FileCheck %s --check-prefix=FAST < %t.ptx
#include <tile2cu/tile.h>
using namespace tl;

template <class T>
__tile_global__ void products(const T* __restrict__ a, T* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 512)) * 512 + arange<512>();
  auto x = load(a + i, i < n);
  store(out + i, x * x + x, i < n);
  store(out + n + i, cast<T>(3 - x * 2), i < n);
  store(out + 2 * n + i, cast<T>(cumprod(x) + 1), i < n);
}
inline constexpr auto products_f32 = instantiate(products<float>, {.num_warps = 2});
inline constexpr auto products_f64 = instantiate(products<double>, {.num_warps = 2});
inline constexpr auto products_f16 = instantiate(products<float16>, {.num_warps = 2});

// CHECK-DAG: mul.rn.f32
// CHECK-DAG: mul.rn.f64
// CHECK-DAG: mul.rn.f16
// FAST-DAG: fma.rn.f32
// FAST-DAG: fma.rn.f64
