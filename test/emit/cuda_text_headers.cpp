// The file includes the headers of a text's words and of the types of its function.
// RUN: %tile2cu %s -DTEXT='"return __float2half_rn(x);"' -o - | FileCheck %s --check-prefix=HALF
// RUN: %tile2cu %s -DTEXT='"__nv_bfloat162 two; two.x = x; return two.x;"' -o - | FileCheck %s --check-prefix=BOTH
// HALF: #include <cuda_fp16.h>
// HALF: static __device__ __forceinline__ __half {{.*}}_cuda(float x) {
// BOTH: #include <cuda_bf16.h>
// BOTH: #include <cuda_fp16.h>
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void headers(const float* in, float* out) {
  auto i = grid(4) * 128 + arange<128>();
  auto x = load(in + i);
  store(out + i, cast<float>(cuda(TEXT, [](float x) { return float16(x); }, x)) + 1);
}
inline constexpr auto headers_f32 = instantiate(headers, {.num_warps = 4});
