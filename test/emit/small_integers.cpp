// Integers that are known to be small become 16-bit floats by bit manipulation, without a conversion instruction.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: weights_kernel(
// CHECK: tile2cu::small_to_half<-8>(({{.*}} & 15) - 8)
// CHECK: tile2cu::small_to_bfloat16<-15>(
// CHECK: tile2cu::small_to_half<0>(int({{.*}}))
// Integers that may be larger are converted.
// CHECK: tile2cu::to_half({{.*}} & 2047)
// CHECK: tile2cu::to_bfloat16({{.*}} & 255)
// CHECK: tile2cu::to_half(n)

__tile_global__ void weights(const int* __restrict__ words, const int* __restrict__ zeros,
                             const int64_t* __restrict__ long_words, float16* __restrict__ out,
                             bfloat16* __restrict__ out_b, int n) {
  auto i = grid(cdiv(n, 256)) * 256 + arange<256>();
  auto inside = i < n;
  auto w = load(words + i, inside);
  store(out + i, cast<float16>((w & 15) - 8), inside);
  store(out_b + i, cast<bfloat16>(((w >> 4) & 15) - (load(zeros + i, inside) & 15)), inside);
  store(out + n + i, cast<float16>(load(long_words + i, inside) & 1023), inside);
  store(out + 2 * n + i, cast<float16>(w & 2047), inside);
  store(out_b + n + i, cast<bfloat16>(w & 255), inside);
  store(out + 3 * n + i, cast<float16>(n), inside);
}
inline constexpr auto weights_i32 = instantiate(weights);
