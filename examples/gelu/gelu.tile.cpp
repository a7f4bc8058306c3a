// GELU in its tanh form: 16-bit data, float arithmetic.
#include <tile2cu/tile.h>
using namespace tl;

// out[i] = x / 2 * (1 + tanh(u)),  u = sqrt(2 / pi) * (x + 0.044715 x^3),  x = in[i]
// in, out: f16 [n]
//
// (1 + tanh(u)) / 2 is sigmoid(2 u): one exponential and one division, also where tanh is near -1.
template <int BLOCK>
__tile_global__ void gelu(const float16* __restrict__ in, float16* __restrict__ out, int64_t n) {
  auto block = grid(cdiv(n, BLOCK));
  auto offsets = block * BLOCK + arange<BLOCK>();
  auto mask = offsets < n;
  auto x = cast<float>(load(in + offsets, mask));
  auto u = 0.7978845608f * (x + 0.044715f * x * x * x);
  store(out + offsets, cast<float16>(x * sigmoid(2.0f * u)), mask);
}

inline constexpr auto gelu_f16 = instantiate(gelu<4096>, {.num_warps = 8});
