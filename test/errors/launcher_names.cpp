// Launchers that the generated header cannot declare.
// RUN: not %tile2cu --extern-c %s -o - 2>&1 | FileCheck %s
// RUN: %tile2cu %s -o %t.cu --header && FileCheck %s --check-prefix=SPACE < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void fill(float* x) {
  grid(1);
  store(x + arange<16>(), 1.0f);
}
inline constexpr auto one = instantiate(fill);

namespace other {
// CHECK: :[[@LINE+1]]:23: error: two launchers are called 'one', and --extern-c drops the namespaces that tell them apart; rename one
inline constexpr auto one = instantiate(fill, {.num_warps = 2});
}  // namespace other

// An inline namespace is invisible to those who call its members.
// SPACE: namespace library {
// SPACE-NOT: namespace
// SPACE: cudaError_t two(
namespace library {
inline namespace version {
inline constexpr auto two = instantiate(fill, {.num_warps = 1});
}
}  // namespace library
