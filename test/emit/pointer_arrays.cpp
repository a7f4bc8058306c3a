// Pointers that are loaded: their type in the text, and their alignment, which nobody knows.
// RUN: tile2cu %s --helpers=include -o - | FileCheck %s
// RUN: tile2cu %s --arch=sm_90a --helpers=include -o - | FileCheck %s --check-prefix=HOPPER
// HOPPER-NOT: make_tensor_map
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: copies_kernel(const float* const* __restrict__ in, float* const* __restrict__ out, int n) {
// CHECK: const float* const p = in[k];
// CHECK: float* const q = out[k];
// CHECK-NOT: vec<float, 4>

__tile_global__ void copies(const float* const* __restrict__ in, float* const* __restrict__ out,
                            int n) {
  auto [b, k] = grid(cdiv(n, 1024), 2);
  auto i = b * 1024 + arange<1024>();
  const float* p = in[k];
  float* q = out[k];
  store(q + i, load(p + i, i < n), i < n);
}
inline constexpr auto copies_f32 = instantiate(copies);

// CHECK: wide_kernel(
// CHECK: vec<float, VEC>

__tile_global__ void wide(const float* const* __restrict__ in, float** out, int n) {
  auto i = grid(cdiv(n, 1024)) * 1024 + arange<1024>();
  const float* p = assume_aligned<16>(in[0]);
  float* q = assume_aligned<16>(out[1]);
  store(q + i, load(p + i, i < n), i < n);
}
inline constexpr auto wide_f32 = instantiate(wide);

// A store through one pointer may change what another one points to.
// CHECK: after_kernel(
// CHECK: __syncthreads();  // the stores above are visible to the loads below
// CHECK: const float* const p = *in;

__tile_global__ void after(const float* const* in, float* const* out, int n) {
  auto i = grid(1) + arange<256>();
  store(out[0] + i, 1.0f, i < n);
  const float* p = in[0];
  store(out[1] + i, load(p + i, i < n), i < n);
}
inline constexpr auto after_f32 = instantiate(after);

// CHECK: cudaError_t copies_f32(const float* const* in, float* const* out, int n,
// CHECK-NEXT: cudaStream_t stream = nullptr) {
// CHECK-NEXT: return launch_copies(in, out, n, stream);
