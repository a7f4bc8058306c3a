// RUN: %tile2cu %s -DNUM_COLS=8 -DVEC=4 -DVECS=2 -DNDEBUG -DUNUSED -o - | FileCheck %s
// RUN: %tile2cu %s -DVEC=4 -Dwarp_reduce=1 -DNDEBUG --helpers=include -o - | FileCheck %s --check-prefix=INCLUDE
// Names that CUDA's headers use are not given to variables of a kernel. Macros of the command line, with which nvcc may also
// be called, end where the text uses their names. test/nvcc compiles this file.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: // Names that tile2cu's command line defined as macros
// CHECK-NEXT: #undef VEC
// CHECK-NEXT: #undef VECS
// CHECK-NOT: #undef
// INCLUDE: #undef VEC
// INCLUDE-NEXT: #undef warp_reduce
// INCLUDE-NOT: #undef

// CHECK: cudaError_t scale_256(float* value_cudaStream_t, const float* value_M_PI, int {{SIGINT|SIGINT_2}}, int uint_2,
template <int BLOCK>
__tile_global__ void scale(float* __restrict__ cudaStream_t, const float* __restrict__ M_PI, int SIGINT, int uint) {
  auto PATH_MAX = grid(cdiv(SIGINT, BLOCK)) * BLOCK + arange<BLOCK>();
  auto LONG_MAX = load(M_PI + PATH_MAX, PATH_MAX < SIGINT) * uint;
  store(cudaStream_t + PATH_MAX, LONG_MAX, PATH_MAX < SIGINT);
}
inline constexpr auto scale_256 = instantiate(scale<256>);

// Functions that the text calls, and reductions and scans of tiles with such names.
template <int RAND_MAX>
__tile_global__ void functions(float* float4, const float* dim3, int size_t) {
  auto fminf = grid(size_t);
  auto fabsf = load(dim3 + fminf * RAND_MAX + arange<RAND_MAX>());
  auto fmaxf = max(fabsf);
  auto fmaf = maximum(abs(fabsf), 1.0f) - fmaxf;
  auto smem = cumsum(fmaf);
  auto warpSize = sum(smem);
  store(float4 + fminf * RAND_MAX + arange<RAND_MAX>(), fma(smem, warpSize, fmaf));
}
inline constexpr auto functions_1024 = instantiate(functions<1024>);

// Loops, carried tiles and products.
template <int BUFSIZ, int EOF>
__tile_global__ void products(const float16* uint4, const float16* half2, float* timespec, int linux, int unix) {
  auto int64_t = grid(1) + arange<BUFSIZ>();
  auto time_t = zeros<float, BUFSIZ, EOF>();
  for (int tm = 0; tm < unix; tm += BUFSIZ) {
    auto half = load(uint4 + expand_dims<1>(int64_t) * linux + (tm + arange<BUFSIZ>()));
    auto blockIdx = load(half2 + expand_dims<1>(tm + arange<BUFSIZ>()) * linux + arange<EOF>());
    time_t += dot(half, blockIdx);
  }
  store(timespec + expand_dims<1>(int64_t) * linux + arange<EOF>(), time_t);
}
inline constexpr auto products_64 = instantiate(products<64, 32>);

// Overloads of functions.
inline constexpr auto floor = instantiate(scale<512>);
inline constexpr auto atomicAdd = instantiate(scale<1024>);
namespace outer::index {
inline constexpr auto y1 = instantiate(scale<128>);
}
