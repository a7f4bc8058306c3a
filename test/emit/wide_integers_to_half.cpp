// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// Integers that a 16-bit float can hold take a short conversion. A range from -8 to the largest int64_t is not one of them: its
// length does not fit an int64_t.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: convert_kernel(
// CHECK-NOT: small_to_half<-8>(int(
// CHECK: tile2cu::to_half(tile2cu::maximum<int64_t>(
// CHECK-NOT: small_to_half<-8>(int(
// CHECK: tile2cu::small_to_half<-8>(

__tile_global__ void convert(const int64_t* __restrict__ in, float16* __restrict__ out) {
  auto i = cast<int64_t>(arange<256>());
  store(out + i, cast<float16>(maximum(load(in + i), i - 8)));
  store(out + 256 + i, cast<float16>(arange<256>() - 8));
}
inline constexpr auto convert_f16 = instantiate(convert, {.num_warps = 4});
