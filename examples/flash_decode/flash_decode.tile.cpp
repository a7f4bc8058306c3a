// Attention of one query per head against a long cache of keys and values, as a language model
// needs it for each new token. Reading the cache takes the time, so several programs share it.
#include <tile2cu/tile.h>
using namespace tl;

// The contribution of one split of the keys to softmax(q k^T scale) v, for each query:
// sums = the sum of exp2(score - maxima) over these keys, parts = that of exp2(score - maxima) v
// q: f16 [heads, group, head_dim]: `group` queries share the keys and values of a head
// k, v: f16 [heads, length, head_dim]; parts: f32 [heads, group, splits, head_dim];
// maxima, sums: f32 [heads, group, splits]; all without gaps
//
// The loop is that of examples/flash_attention. One warp a program: a tile of 16 queries, of which
// `group` exist, fits one MMA instruction, and threads exchange values by shuffles only.
template <int ROWS, int BLOCK, int D>
__tile_global__ void flash_decode(const float16* __restrict__ q, const float16* __restrict__ k,
                                  const float16* __restrict__ v, float* __restrict__ parts,
                                  float* __restrict__ maxima, float* __restrict__ sums, int heads,
                                  int group, int length, int head_dim, int splits, float scale) {
  require(head_dim == D);
  require(group <= ROWS);
  require(splits > 0);
  auto [split, head] = grid(splits, heads);
  auto rows = arange<ROWS>();
  auto dims = arange<D>()[none, all];
  auto present = rows < group;
  auto q_rows = (head * group + rows)[all, none];
  auto queries = load(q + q_rows * D + dims, present[all, none]);
  auto scale_log2 = scale * 1.44269504f;
  auto row_max = full<float, ROWS>(-1e30f);  // finite: a split may have no key
  auto row_sum = zeros<float, ROWS>();
  auto acc = zeros<float, ROWS, D>();
  auto keys_per_split = cdiv(length, splits);
  auto end = minimum((split + 1) * keys_per_split, int64_t(length));
  for (auto start = split * keys_per_split; start < end; start += BLOCK) {
    auto keys = start + arange<BLOCK>();
    auto inside = keys < end;
    auto offsets = (head * length + keys)[all, none] * D + dims;
    auto k_tile = load(k + offsets, inside[all, none]);
    auto v_tile = load(v + offsets, inside[all, none]);
    auto scores = where(inside[none, all], dot(queries, trans(k_tile)) * scale_log2, -inf);
    auto new_max = maximum(row_max, max<1>(scores));
    auto weights = exp2(scores - new_max[all, none]);
    auto rescale = exp2(row_max - new_max);
    row_sum = row_sum * rescale + sum<1>(weights);
    acc = dot(cast<float16>(weights), v_tile, acc * rescale[all, none]);
    row_max = new_max;
  }
  auto at = (head * group + rows) * splits + split;
  store(parts + at[all, none] * D + dims, acc, present[all, none]);
  store(maxima + at, row_max, present);
  store(sums + at, row_sum, present);
}

// out = the average of the values, from the parts of all splits
// parts: f32 [queries, splits, head_dim]; maxima, sums: f32 [queries, splits];
// out: f16 [queries, head_dim]
template <int SPLITS, int D>
__tile_global__ void flash_decode_combine(const float* __restrict__ parts,
                                          const float* __restrict__ maxima,
                                          const float* __restrict__ sums, float16* __restrict__ out,
                                          int queries, int head_dim, int splits) {
  require(head_dim == D);
  require(splits <= SPLITS);
  auto query = grid(queries);
  auto dims = arange<D>();
  auto at = arange<SPLITS>();
  auto mask = at < splits;
  auto split_max = load(maxima + query * splits + at, mask, -inf);
  auto rescale = exp2(split_max - max(split_max));
  auto total = sum(load(sums + query * splits + at, mask) * rescale);
  auto part = load(parts + (query * splits + at)[all, none] * D + dims[none, all], mask[all, none]);
  store(out + query * D + dims, cast<float16>(sum<0>(part * rescale[all, none]) / total));
}

// Enough splits for some warps on each multiprocessor, of some hundred keys each, read the cache
// well.
inline constexpr auto flash_decode_f16 =
    select(candidate(flash_decode<16, 64, 64>, {.num_warps = 1, .num_stages = 3}),
           candidate(flash_decode<16, 32, 128>, {.num_warps = 1, .num_stages = 3}));
inline constexpr auto flash_decode_combine_f16 =
    select(candidate(flash_decode_combine<32, 64>, {.num_warps = 4}),
           candidate(flash_decode_combine<32, 128>, {.num_warps = 4}));
