// Lesson 3: multiply a vector of 16-bit floats by a number.
#include <tile2cu/tile.h>
using namespace tl;

// out[i] = in[i] * factor        in, out: f16 [n]
template <int BLOCK>
__tile_global__ void scale(const float16* __restrict__ in, float16* __restrict__ out, int n,
                           float factor) {
  auto pid = grid(cdiv(n, BLOCK));
  auto i = pid * BLOCK + arange<BLOCK>();
  auto x = cast<float>(load(in + i, i < n));
  store(out + i, cast<float16>(x * factor), i < n);
}

// TODO: 256 threads share 256 elements, so each thread loads one element of 2 bytes. Choose BLOCK so
// that each thread loads 16 bytes at a time.
inline constexpr auto scale_f16 = instantiate(scale<256>, {.num_warps = 8});
