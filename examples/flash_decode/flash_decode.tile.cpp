// Attention of one query a head, against a long cache of keys and values: what a language model does
// for each new token. Reading the cache takes the time, so its parts go to several programs.
#include <tile2cu/tile.h>
using namespace tl;

// The part of softmax(q k^T scale) v that comes from the keys of one split, for each head:
// sums = sum of exp2(score - maxima) over the split's keys, parts = sum of exp2(score - maxima) v
// q: f16 [heads, head_dim]; k, v: f16 [heads, length, head_dim];
// parts: f32 [heads, splits, head_dim]; maxima, sums: f32 [heads, splits]; all without gaps
//
// Every row of the tiles is an online softmax of its own, over every BLOCK-th key (see
// examples/flash_attention). Threads meet for the rows after the loop, not in it.
template <int BLOCK, int D>
__tile_global__ void flash_decode(const float16* __restrict__ q, const float16* __restrict__ k,
                                  const float16* __restrict__ v, float* __restrict__ parts,
                                  float* __restrict__ maxima, float* __restrict__ sums, int heads,
                                  int length, int head_dim, int splits, float scale) {
  require(head_dim == D);
  require(splits > 0);
  auto [split, head] = grid(splits, heads);
  auto dims = arange<D>();
  auto query = cast<float>(load(q + head * D + dims)) * (scale * 1.44269504f);  // of exp2
  auto row_max = full<float, BLOCK>(-1e30f);  // finite: rows without a key stay without a weight
  auto row_sum = zeros<float, BLOCK>();
  auto acc = zeros<float, BLOCK, D>();
  auto keys_per_split = cdiv(length, splits);
  auto end = minimum((split + 1) * keys_per_split, int64_t(length));
  for (auto start = split * keys_per_split; start < end; start += BLOCK) {
    auto keys = start + arange<BLOCK>();
    auto inside = keys < end;
    auto offsets = (head * length + keys)[all, none] * D + dims[none, all];
    auto k_tile = cast<float>(load(k + offsets, inside[all, none]));
    auto v_tile = cast<float>(load(v + offsets, inside[all, none]));
    auto scores = where(inside, sum<1>(k_tile * query[none, all]), -inf);
    auto new_max = maximum(row_max, scores);
    auto weights = exp2(scores - new_max);
    auto rescale = exp2(row_max - new_max);
    row_sum = row_sum * rescale + weights;
    acc = acc * rescale[all, none] + v_tile * weights[all, none];
    row_max = new_max;
  }
  auto split_max = max(row_max);
  auto rescale = exp2(row_max - split_max);
  auto at = head * splits + split;
  store(parts + at * D + dims, sum<0>(acc * rescale[all, none]));
  store(maxima + at, split_max);
  store(sums + at, sum(row_sum * rescale));
}

// out = the average of the values, from the parts of all splits        out: f16 [heads, head_dim]
template <int SPLITS, int D>
__tile_global__ void flash_decode_combine(const float* __restrict__ parts,
                                          const float* __restrict__ maxima,
                                          const float* __restrict__ sums, float16* __restrict__ out,
                                          int heads, int head_dim, int splits) {
  require(head_dim == D);
  require(splits <= SPLITS);
  auto head = grid(heads);
  auto dims = arange<D>();
  auto at = arange<SPLITS>();
  auto mask = at < splits;
  auto split_max = load(maxima + head * splits + at, mask, -inf);
  auto rescale = exp2(split_max - max(split_max));
  auto total = sum(load(sums + head * splits + at, mask) * rescale);
  auto part = load(parts + (head * splits + at)[all, none] * D + dims[none, all], mask[all, none]);
  store(out + head * D + dims, cast<float16>(sum<0>(part * rescale[all, none]) / total));
}

inline constexpr auto flash_decode_f16 = select(candidate(flash_decode<64, 64>, {.num_warps = 4}),
                                                candidate(flash_decode<32, 128>, {.num_warps = 4}));
inline constexpr auto flash_decode_combine_f16 =
    select(candidate(flash_decode_combine<32, 64>, {.num_warps = 4}),
           candidate(flash_decode_combine<32, 128>, {.num_warps = 4}));
