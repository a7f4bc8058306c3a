// A file that is written for newer GPUs only says so once, with an #error; its helpers have no guards. A file for older GPUs as well keeps
// the guards, and one that needs nothing has no #error.
// RUN: %tile2cu --arch=sm_80 %s -o - | FileCheck %s --check-prefix=SM80
// RUN: %tile2cu --arch=sm_90a %s -o - | FileCheck %s --check-prefix=HOPPER
// RUN: %tile2cu --arch=sm_80,sm_90a %s -o - | FileCheck %s --check-prefix=BOTH
// RUN: %tile2cu --arch=sm_80 --helpers=include %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %tile2cu --arch=sm_80 -DCOPY %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %tile2cu --arch=sm_80 --helpers=header %s -o %t.cu && FileCheck %s --input-file=%t.device.cuh --check-prefix=SM80
#include <tile2cu/tile.h>
using namespace tl;

#ifndef COPY
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int depth) {
  require(depth % 64 == 0);
  grid(1);
  auto i = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k0 = 0; k0 < depth; k0 += 64) {
    auto x = load(a + i[all, none] * depth + k0 + i[none, all]);
    auto y = load(b + (k0 + i[all, none]) * 64 + i[none, all]);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * 64 + i[none, all], acc);
}
inline constexpr auto product_f16 = instantiate(product, {.num_warps = 4});
#else
__tile_global__ void copy(const float* a, float* c) {
  grid(1);
  store(c + arange<64>(), load(a + arange<64>()));
}
inline constexpr auto copy_f32 = instantiate(copy, {.num_warps = 2});
#endif

// SM80: #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
// SM80-NEXT: #error "this file is for sm_80 and later; for older GPUs, run tile2cu with another --arch"
// SM80-NEXT: #endif
// SM80-NOT: __trap

// HOPPER: #if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
// HOPPER-NEXT: #error "tile2cu wrote this file for sm_90a: compile it with -gencode=arch=compute_90a,code=sm_90a"
// HOPPER-NEXT: #endif
// HOPPER-NOT: __trap

// Helpers of wgmma keep their guards: the general kernel of the file runs without them.
// BOTH: __CUDA_ARCH__ < 800
// BOTH: #ifdef __CUDA_ARCH_FEAT_SM90_ALL
// BOTH: __trap

// NONE-NOT: #error
