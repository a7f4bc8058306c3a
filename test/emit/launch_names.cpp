// The functions of a kernel's text make way for launchers of these names.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void fill(float* x) { x[grid(4)] = 1; }
inline constexpr auto launch_fill = instantiate(fill);
inline constexpr auto fill_2_kernel = instantiate(fill);
// CHECK: {{^}}fill_3_kernel(float* x)
// CHECK: static cudaError_t launch_fill_3(
// CHECK: cudaError_t launch_fill(float* x, cudaStream_t stream = nullptr) {
// CHECK-NEXT: return launch_fill_3(x, stream);
// CHECK: cudaError_t fill_2_kernel(
// CHECK-NEXT: return launch_fill_3(x, stream);
