// SwiGLU, the gate of most language models' feed-forward layers.
#include <tile2cu/tile.h>
using namespace tl;

// out[i] = silu(gate[i]) * up[i],  silu(x) = x * sigmoid(x)        gate, up, out: f16 [n]
template <int BLOCK>
__tile_global__ void swiglu(const float16* __restrict__ gate, const float16* __restrict__ up,
                            float16* __restrict__ out, int64_t n) {
  auto block = grid(cdiv(n, BLOCK));
  auto offsets = block * BLOCK + arange<BLOCK>();
  auto mask = offsets < n;
  auto g = cast<float>(load(gate + offsets, mask));
  auto u = cast<float>(load(up + offsets, mask));
  store(out + offsets, cast<float16>(silu(g) * u), mask);
}

inline constexpr auto swiglu_f16 = instantiate(swiglu<4096>, {.num_warps = 8});
