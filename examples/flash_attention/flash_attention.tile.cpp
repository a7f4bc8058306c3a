// Attention, forward: scores of a block of queries against all keys, their softmax, and the average
// of the values that it weighs, in one pass over keys and values. The scores are never stored.
#include <tile2cu/tile.h>
using namespace tl;

// out = softmax(q k^T scale) v        for each head; scale > 0
// q, k, v, out: f16 [heads, length, head_dim], without gaps; `heads` counts those of all sequences
//
// Online softmax: row_max is the largest score so far; what was summed up under an older one is
// rescaled when a larger one comes. exp(x) is exp2(x log2(e)), with log2(e) part of the scale.
// CAUSAL: a query sees the keys up to its own. Only the last blocks of keys need a mask.
template <int BLOCK_M, int BLOCK_N, int D, bool CAUSAL>
__tile_global__ void flash_attention(const float16* __restrict__ q, const float16* __restrict__ k,
                                     const float16* __restrict__ v, float16* __restrict__ out,
                                     int heads, int length, int head_dim, float scale) {
  require(head_dim == D);
  auto [program, head] = grid(cdiv(length, BLOCK_M), heads);
  // Later queries see more keys. The longest programs start first, so that none ends late.
  auto block = CAUSAL ? cdiv(length, BLOCK_M) - 1 - program : program;
  auto first_row = block * BLOCK_M;
  auto rows = (first_row + arange<BLOCK_M>())[all, none];
  auto dims = arange<D>()[none, all];
  auto base = head * length * D;  // of this head's matrices
  auto queries = load(q + base + rows * D + dims, rows < length);
  auto scale_log2 = scale * 1.44269504f;
  auto row_max = full<float, BLOCK_M>(-inf);
  auto row_sums = zeros<float, BLOCK_M, 8>();  // of every eighth weight: added up after the loop
  auto acc = zeros<float, BLOCK_M, D>();

  auto end = CAUSAL ? minimum(first_row + BLOCK_M, int64_t(length)) : int64_t(length);
  auto all_visible = CAUSAL ? first_row : int64_t(length);  // keys that every row sees
  for (int64_t start = 0; start < end; start += BLOCK_N) {
    auto keys = start + arange<BLOCK_N>();
    auto inside = keys[all, none] < length;
    auto k_tile = load(k + base + keys[all, none] * D + dims, inside);
    auto v_tile = load(v + base + keys[all, none] * D + dims, inside);
    auto scores = dot(queries, trans(k_tile));
    if (start + BLOCK_N > all_visible) {
      if constexpr (CAUSAL)
        scores = where(keys[none, all] <= rows, scores, -inf);
      else
        scores = where(keys[none, all] < length, scores, -inf);
    }
    auto new_max = maximum(row_max, max<1>(scores) * scale_log2);
    auto weights = exp2(scores * scale_log2 - new_max[all, none]);
    auto rescale = exp2(row_max - new_max)[all, none];
    row_sums = row_sums * rescale + sum<1>(reshape<BLOCK_M, BLOCK_N / 8, 8>(weights));
    acc = dot(cast<float16>(weights), v_tile, acc * rescale);
    row_max = new_max;
  }
  store(out + base + rows * D + dims, cast<float16>(acc / sum<1>(row_sums)[all, none]),
        rows < length);
}

inline constexpr auto flash_attention_f16 =
    select(candidate(flash_attention<128, 64, 64, false>, {.num_warps = 4, .num_stages = 3}),
           candidate(flash_attention<128, 32, 128, false>, {.num_warps = 4, .num_stages = 2}));

inline constexpr auto flash_attention_causal_f16 =
    select(candidate(flash_attention<128, 64, 64, true>, {.num_warps = 4, .num_stages = 3}),
           candidate(flash_attention<128, 64, 128, true>, {.num_warps = 4, .num_stages = 2}));
