// Kernels of one tile function use the same assumptions where they can, so that one test in the
// launcher serves them all. Functions on the same line may differ, and the instances of a template
// may have different parameters.
// RUN: %tile2cu -I %root/runtime/include %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <class... More>
__tile_global__ void total(float* __restrict__ out, const float* __restrict__ x, const More*... more) {
  auto i = grid(64) * 1024 + arange<1024>();
  store(out + i, (load(x + i) + ... + load(more + i)));
}
inline constexpr auto of_three = instantiate(total<float, float>, {.num_warps = 4});
inline constexpr auto of_two = instantiate(total<float>, {.num_warps = 4});
inline constexpr auto of_one = instantiate(total<>, {.num_warps = 4});
// CHECK-LABEL: cudaError_t of_three(
// CHECK: aligned<16>(out, x, more, more_2);
// CHECK-LABEL: cudaError_t of_two(
// CHECK: aligned<16>(out, x, more);
// CHECK-LABEL: cudaError_t of_one(
// CHECK: aligned<16>(out, x);

#define BOTH(first, second)                                                                                \
  __tile_global__ void first(float* __restrict__ out, const float* __restrict__ x, const float* y) {      \
    auto i = grid(64) * 1024 + arange<1024>();                                                             \
    store(out + i, load(x + i) + load(y + i));                                                             \
  }                                                                                                        \
  __tile_global__ void second(float* __restrict__ out, const float* __restrict__ x) {                     \
    auto i = grid(64) * 1024 + arange<1024>();                                                             \
    store(out + i, load(x + i));                                                                           \
  }
BOTH(add_two, copy_one)
inline constexpr auto adds = instantiate(add_two, {.num_warps = 4});
inline constexpr auto copies = instantiate(copy_one, {.num_warps = 4});
// CHECK-LABEL: cudaError_t adds(
// CHECK: aligned<16>(out, x, y);
// CHECK-LABEL: cudaError_t copies(
// CHECK: aligned<16>(out, x);

// On its own, the smaller instance would need multiples of 4.
template <class T>
__tile_global__ void rows(const T* __restrict__ in, T* __restrict__ out, int stride) {
  auto i = grid(64) * stride + arange<1024>();
  store(out + i, load(in + i));
}
inline constexpr auto of_halves = instantiate(rows<float16>, {.num_warps = 4});
inline constexpr auto of_floats = instantiate(rows<float>, {.num_warps = 4});
// CHECK-LABEL: cudaError_t of_halves(
// CHECK: stride % 8 == 0;
// CHECK-LABEL: cudaError_t of_floats(
// CHECK: stride % 8 == 0;
