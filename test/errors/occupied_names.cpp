// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// RUN: not %tile2cu --extern-c %s -o - 2>&1 | FileCheck %s --check-prefix=C
// Names of launchers that nvcc would refuse.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void fill(float* x) {
  grid(1);
  store(x + arange<16>(), 1.0f);
}
constexpr auto what = candidate(fill);
// CHECK: :[[@LINE+1]]:23: error: 'float4' is a name of CUDA, C or the emitted text, so nvcc would refuse this launcher; give the launcher and its namespaces other names
inline constexpr auto float4 = select(what);
// CHECK: :[[@LINE+1]]:23: error: 'warpSize' is a name of CUDA
inline constexpr auto warpSize = select(what);
// CHECK: :[[@LINE+1]]:23: error: 'cudaMalloc' is a name of CUDA
inline constexpr auto cudaMalloc = select(what);
// CHECK: :[[@LINE+1]]:23: error: 'tile2cu' is a name of CUDA, C or the emitted text
inline constexpr auto tile2cu = select(what);
// CHECK: :[[@LINE+1]]:23: error: 'typeof' is a name of CUDA, C or the emitted text
inline constexpr auto typeof = select(what);
// CHECK: :[[@LINE+1]]:23: error: 'M_PI' is a macro of CUDA's or C's headers, so
inline constexpr auto M_PI = select(what);
// A launcher may overload a function, but not one with its C name.
// CHECK-NOT: 'floor'
// C: :[[@LINE+1]]:23: error: 'floor' is a function of CUDA's or C's headers, so
inline constexpr auto floor = select(what);
namespace timezone {
// CHECK: :[[@LINE+1]]:23: error: 'timezone' is a name of CUDA
inline constexpr auto one = select(what);
}  // namespace timezone
namespace outer::PATH_MAX {
// CHECK: :[[@LINE+1]]:23: error: 'PATH_MAX' is a macro
inline constexpr auto two = select(what);
}  // namespace outer::PATH_MAX
namespace index {
// CHECK: :[[@LINE+1]]:23: error: 'index' is a function of CUDA's or C's headers
inline constexpr auto three = select(what);
}  // namespace index
