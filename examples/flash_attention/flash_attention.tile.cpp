// Flash attention, forward: softmax(q k^T) v for a block of queries, in one pass over the keys and
// values. The scores are never stored to memory.
#include <tile2cu/tile.h>
using namespace tl;

// out = softmax(q k^T scale) v        for each head; scale > 0
// q, k, v, out: f16 [heads, length, head_dim], without gaps; `heads` counts those of all sequences
// causal: a query sees the keys up to its own, so that only the last blocks of keys need a mask
//
// Online softmax with a lazy maximum: row_max moves, and the accumulator is rescaled, only where a
// score is more than 8 above it (in powers of two). Weights up to 256 are as exact in float16 as
// those up to 1. In nearly all blocks no row moves, and each warp skips the rescaling.
// exp(x) is exp2(x log2(e)), with log2(e) part of the scale.
template <int BLOCK_M, int BLOCK_N, int D>
__tile_global__ void flash_attention(const float16* __restrict__ q, const float16* __restrict__ k,
                                     const float16* __restrict__ v, float16* __restrict__ out,
                                     int heads, int length, int head_dim, float scale,
                                     bool causal) {
  require(head_dim == D);
  auto [program, head] = grid(cdiv(length, BLOCK_M), heads);
  // Later queries see more keys. The longest programs start first, so that none ends late.
  auto block = causal ? cdiv(length, BLOCK_M) - 1 - program : program;
  auto first_row = block * BLOCK_M;
  auto rows = (first_row + arange<BLOCK_M>())[all, none];
  auto dims = arange<D>()[none, all];
  auto base = head * length * D;  // of this head's matrices
  auto queries = load(q + base + rows * D + dims, rows < length);
  auto scale_log2 = scale * 1.44269504f;
  auto row_max = full<float, BLOCK_M>(-inf);
  auto row_sums = zeros<float, BLOCK_M, 8>();  // of every eighth weight: added up after the loop
  auto acc = zeros<float, BLOCK_M, D>();

  auto visible = where(causal, rows + 1, length);
  auto end = causal ? minimum(first_row + BLOCK_M, int64_t(length)) : length;
  for (int64_t start = 0; start < end; start += BLOCK_N) {
    auto keys = start + arange<BLOCK_N>();
    auto inside = keys[all, none] < length;
    auto k_tile = load(k + base + keys[all, none] * D + dims, inside);
    auto v_tile = load(v + base + keys[all, none] * D + dims, inside);
    auto scores = dot(queries, trans(k_tile));
    scores = where(keys[none, all] < visible, scores, -inf);
    auto block_max = max<1>(scores) * scale_log2;
    auto moves = block_max > row_max + 8;  // every row in the first block, which each one sees
    auto new_max = where(moves, block_max, row_max);
    auto rescale = exp2(row_max - new_max);
    row_sums = where(moves[all, none], row_sums * rescale[all, none], row_sums);
    auto weights = exp2(scores * scale_log2 - new_max[all, none]);
    row_sums += sum<1>(reshape<BLOCK_M, BLOCK_N / 8, 8>(weights));
    auto rescaled = where(moves[all, none], acc * rescale[all, none], acc);
    acc = dot(cast<float16>(weights), v_tile, rescaled);
    row_max = new_max;
  }
  auto row_sum = sum<1>(row_sums)[all, none];
  store(out + base + rows * D + dims, cast<float16>(acc / row_sum), rows < length);
}

inline constexpr auto flash_attention_f16 =
    select(candidate(flash_attention<128, 64, 64>, {.num_warps = 4, .num_stages = 3}),
           candidate(flash_attention<128, 32, 128>, {.num_warps = 4, .num_stages = 2}));
