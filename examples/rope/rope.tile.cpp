// Rotary position embedding ("rotate half"): 2-D tiles and broadcasting.
#include <tile2cu/tile.h>
using namespace tl;

// For each token t, head h and i < head_dim / 2, with (c, s) = (cosines[t, i], sines[t, i]):
//   out[t, h, i]                = x[t, h, i] * c - x[t, h, i + head_dim / 2] * s
//   out[t, h, i + head_dim / 2] = x[t, h, i + head_dim / 2] * c + x[t, h, i] * s
// x, out: f16 [n_tokens, n_heads, head_dim]; cosines, sines: f32 [n_tokens, head_dim / 2]
//
// One program takes HEADS heads of one token. The angles are one row for all of them: [none, all]
// makes it a tile of shape [1, HALF], which broadcasts.
template <int HEADS, int HALF>
__tile_global__ void rope(const float16* __restrict__ x, const float* __restrict__ cosines,
                          const float* __restrict__ sines, float16* __restrict__ out, int n_tokens,
                          int n_heads, int head_dim) {
  require(head_dim <= 2 * HALF && head_dim % 2 == 0);
  auto [token, head_block] = grid(n_tokens, cdiv(n_heads, HEADS));
  auto heads = head_block * HEADS + arange<HEADS>();
  auto i = arange<HALF>();
  auto half = head_dim / 2;
  auto c = load(cosines + token * half + i, i < half);
  auto s = load(sines + token * half + i, i < half);

  auto first = (token * n_heads + heads[all, none]) * head_dim + i[none, all];
  auto mask = (heads[all, none] < n_heads) & (i[none, all] < half);
  auto x1 = cast<float>(load(x + first, mask));
  auto x2 = cast<float>(load(x + first + half, mask));
  store(out + first, cast<float16>(x1 * c[none, all] - x2 * s[none, all]), mask);
  store(out + first + half, cast<float16>(x2 * c[none, all] + x1 * s[none, all]), mask);
}

inline constexpr auto rope_f16 =
    select(candidate(rope<32, 32>, {.num_warps = 4}), candidate(rope<32, 64>, {.num_warps = 4}),
           candidate(rope<16, 128>, {.num_warps = 4}));
