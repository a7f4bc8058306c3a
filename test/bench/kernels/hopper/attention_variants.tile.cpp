// Variants of attention that models use, each a kernel: examples/hopper_attention with a sliding
// window, with ALiBi, with a soft cap, and with grouped query heads. All are causal.
#include <tile2cu/tile.h>
using namespace tl;

constexpr float kLog2E = 1.44269504f;
// The maximum of no scores: less than any score, and finite, so that -inf minus it is not NaN.
constexpr float kNone = -1e30f;

// out = softmax(q k^T scale) v        a query sees its own key and those before it, `window` in all
// q, k, v, out: f16 [heads, length, D], without gaps
template <int BLOCK_M, int BLOCK_N, int D, int GROUP>
__tile_global__ void attention_window(const float16* __restrict__ q, const float16* __restrict__ k,
                                      const float16* __restrict__ v, float16* __restrict__ out,
                                      int heads, int length, int head_dim, float scale,
                                      int window) {
  require(head_dim == D && window > 0);
  int blocks = cdiv(length, BLOCK_M);
  int pid = grid(blocks * heads);
  auto [head, program] = swizzle2d(pid, heads, blocks, GROUP);
  int first_row = program * BLOCK_M;
  auto rows = (first_row + arange<BLOCK_M>())[all, none];
  auto dims = arange<D>()[none, all];
  auto base = int64_t(head) * length * D;
  auto queries = load(q + base + rows * int64_t(D) + dims, rows < length);
  auto scale_log2 = scale * kLog2E;
  auto row_max = full<float, BLOCK_M>(kNone);
  auto row_sums = zeros<float, BLOCK_M, 8>();
  auto acc = zeros<float, BLOCK_M, D>();

  // From the first block with a key that the first query sees to that of the last query: one at least.
  int first_block = maximum(first_row - window + 1, 0) / BLOCK_N;
  int end = minimum(first_row + BLOCK_M, length);
  int key_blocks = maximum(cdiv(end, BLOCK_N) - first_block, 1);
  for (int block = 0; block < key_blocks; ++block) {
    int start = (first_block + block) * BLOCK_N;
    auto keys = start + arange<BLOCK_N>();
    auto inside = keys[all, none] < length;
    auto k_tile = load(k + base + keys[all, none] * int64_t(D) + dims, inside);
    auto v_tile = load(v + base + keys[all, none] * int64_t(D) + dims, inside);
    auto scores = dot(queries, trans(k_tile));
    auto visible = keys[none, all] <= rows & keys[none, all] > rows - window;
    scores = where(visible, scores, -inf);
    auto block_max = max<1>(scores) * scale_log2;
    auto moves = block_max > row_max + 8;
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
  store(out + base + rows * int64_t(D) + dims, cast<float16>(acc / row_sum), rows < length);
}

// out = softmax(q k^T scale - slope distance) v        a slope for each head
template <int BLOCK_M, int BLOCK_N, int D, int GROUP>
__tile_global__ void attention_alibi(const float16* __restrict__ q, const float16* __restrict__ k,
                                     const float16* __restrict__ v,
                                     const float* __restrict__ slopes, float16* __restrict__ out,
                                     int heads, int length, int head_dim, float scale) {
  require(head_dim == D);
  int blocks = cdiv(length, BLOCK_M);
  int pid = grid(blocks * heads);
  auto [head, program] = swizzle2d(pid, heads, blocks, GROUP);
  int first_row = (blocks - 1 - program) * BLOCK_M;
  auto rows = (first_row + arange<BLOCK_M>())[all, none];
  auto dims = arange<D>()[none, all];
  auto base = int64_t(head) * length * D;
  auto queries = load(q + base + rows * int64_t(D) + dims, rows < length);
  auto scale_log2 = scale * kLog2E;
  auto slope_log2 = load(slopes + head) * kLog2E;
  auto tilt = slope_log2 * cast<float>(arange<BLOCK_N>());
  auto row_max = full<float, BLOCK_M>(kNone);
  auto row_sums = zeros<float, BLOCK_M, 8>();
  auto acc = zeros<float, BLOCK_M, D>();

  int end = minimum(first_row + BLOCK_M, length);
  for (int start = 0; start < end; start += BLOCK_N) {
    auto keys = start + arange<BLOCK_N>();
    auto inside = keys[all, none] < length;
    auto k_tile = load(k + base + keys[all, none] * int64_t(D) + dims, inside);
    auto v_tile = load(v + base + keys[all, none] * int64_t(D) + dims, inside);
    auto scores = dot(queries, trans(k_tile)) * scale_log2 + tilt[none, all];
    scores = where(keys[none, all] <= rows, scores, -inf);
    // Of the distance to the block's first query: what the others add to it is the same in all of
    // a row, and softmax does not see it.
    auto bias = slope_log2 * cast<float>(start - first_row);
    auto block_max = max<1>(scores) + bias;
    auto moves = block_max > row_max + 8;
    auto new_max = where(moves, block_max, row_max);
    auto rescale = exp2(row_max - new_max);
    row_sums = where(moves[all, none], row_sums * rescale[all, none], row_sums);
    auto weights = exp2(scores - (new_max - bias)[all, none]);
    row_sums += sum<1>(reshape<BLOCK_M, BLOCK_N / 8, 8>(weights));
    auto rescaled = where(moves[all, none], acc * rescale[all, none], acc);
    acc = dot(cast<float16>(weights), v_tile, rescaled);
    row_max = new_max;
  }
  auto row_sum = sum<1>(row_sums)[all, none];
  store(out + base + rows * int64_t(D) + dims, cast<float16>(acc / row_sum), rows < length);
}

// tanh(x) is x (kLinear + kCubic x^2), off by less than 2^-11 of it, where |x| <= kSmall: fitted to
// that, relatively, by least squares with weights that even out the error.
constexpr float kSmall = 0.4f, kLinear = 0.99960171f, kCubic = -0.31317268f;
// A score whose weight is 0, and whose square is finite.
constexpr float kHidden = -1e9f;

// out = softmax(cap tanh(q k^T scale / cap)) v        scores are off by up to cap 2^-11
//
// Few rows of a block have a score near the cap, or far above the row's maximum. The others compute tanh as a
// cubic, without a special function, and leave the maximum as it is. This suits scores mostly below 0.4 cap.
// The queries are scaled once, before the dots, and rounded to f16 again: an error below that of tanh.
template <int BLOCK_M, int BLOCK_N, int D, int GROUP>
__tile_global__ void attention_softcap(const float16* __restrict__ q, const float16* __restrict__ k,
                                       const float16* __restrict__ v, float16* __restrict__ out,
                                       int heads, int length, int head_dim, float scale,
                                       float cap) {
  require(head_dim == D && cap > 0);
  int blocks = cdiv(length, BLOCK_M);
  int pid = grid(blocks * heads);
  auto [head, program] = swizzle2d(pid, heads, blocks, GROUP);
  int first_row = (blocks - 1 - program) * BLOCK_M;
  auto rows = (first_row + arange<BLOCK_M>())[all, none];
  auto dims = arange<D>()[none, all];
  auto base = int64_t(head) * length * D;
  auto queries =
      cast<float16>(load(q + base + rows * int64_t(D) + dims, rows < length) * (scale / cap));
  auto cap_log2 = cap * kLog2E;
  auto row_max = full<float, BLOCK_M>(kNone);
  auto row_sums = zeros<float, BLOCK_M, 8>();
  auto acc = zeros<float, BLOCK_M, D>();

  int end = minimum(first_row + BLOCK_M, length);
  for (int start = 0; start < end; start += BLOCK_N) {
    auto keys = start + arange<BLOCK_N>();
    auto inside = keys[all, none] < length;
    auto k_tile = load(k + base + keys[all, none] * int64_t(D) + dims, inside);
    auto v_tile = load(v + base + keys[all, none] * int64_t(D) + dims, inside);
    auto sums = dot(queries, trans(k_tile));
    sums = where(keys[none, all] <= rows, sums, -inf);
    auto largest = max<1>(abs(sums));
    auto bends = largest > minimum((row_max + 8) * (1 / cap_log2), kSmall);
    auto capped = where(sums > -inf, fast_tanh(sums) * cap_log2, kHidden);
    auto new_max = where(bends, maximum(row_max, max<1>(capped)), row_max);
    auto rescale = exp2(row_max - new_max);
    row_sums = where(bends[all, none], row_sums * rescale[all, none], row_sums);
    auto scores = where(bends[all, none], capped, sums);
    auto linear = where(bends, 1.0f, kLinear * cap_log2)[all, none];
    auto cubic = where(bends, 0.0f, kCubic * cap_log2)[all, none];
    auto weights = exp2(scores * (linear + cubic * (scores * scores)) - new_max[all, none]);
    row_sums += sum<1>(reshape<BLOCK_M, BLOCK_N / 8, 8>(weights));
    auto rescaled = where(bends[all, none], acc * rescale[all, none], acc);
    acc = dot(cast<float16>(weights), v_tile, rescaled);
    row_max = new_max;
  }
  auto row_sum = sum<1>(row_sums)[all, none];
  store(out + base + rows * int64_t(D) + dims, cast<float16>(acc / row_sum), rows < length);
}

// out = softmax(q k^T scale) v        `group` heads of queries share keys and values
// q, out: f16 [heads, length, D]; k, v: f16 [heads / group, length, D]
template <int BLOCK_M, int BLOCK_N, int D, int GROUP>
__tile_global__ void attention_grouped(const float16* __restrict__ q, const float16* __restrict__ k,
                                       const float16* __restrict__ v, float16* __restrict__ out,
                                       int heads, int group, int length, int head_dim,
                                       float scale) {
  require(head_dim == D && group > 0);
  int blocks = cdiv(length, BLOCK_M);
  int pid = grid(blocks * heads);
  auto [head, program] = swizzle2d(pid, heads, blocks, GROUP);
  int first_row = (blocks - 1 - program) * BLOCK_M;
  auto rows = (first_row + arange<BLOCK_M>())[all, none];
  auto dims = arange<D>()[none, all];
  auto base = int64_t(head) * length * D;
  auto shared = int64_t(head) / group * length * D;
  auto queries = load(q + base + rows * int64_t(D) + dims, rows < length);
  auto scale_log2 = scale * kLog2E;
  auto row_max = full<float, BLOCK_M>(kNone);
  auto row_sums = zeros<float, BLOCK_M, 8>();
  auto acc = zeros<float, BLOCK_M, D>();

  int end = minimum(first_row + BLOCK_M, length);
  for (int start = 0; start < end; start += BLOCK_N) {
    auto keys = start + arange<BLOCK_N>();
    auto inside = keys[all, none] < length;
    auto k_tile = load(k + shared + keys[all, none] * int64_t(D) + dims, inside);
    auto v_tile = load(v + shared + keys[all, none] * int64_t(D) + dims, inside);
    auto scores = dot(queries, trans(k_tile));
    scores = where(keys[none, all] <= rows, scores, -inf);
    auto block_max = max<1>(scores) * scale_log2;
    auto moves = block_max > row_max + 8;
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
  store(out + base + rows * int64_t(D) + dims, cast<float16>(acc / row_sum), rows < length);
}

inline constexpr auto hopper_attention_window_f16 =
    select(candidate(attention_window<128, 128, 128, 1>, {.num_warps = 8, .num_stages = 2}),
           candidate(attention_window<64, 64, 64, 16>,
                     {.num_warps = 4, .num_stages = 2, .min_blocks = 4}));
inline constexpr auto hopper_attention_alibi_f16 = select(
    candidate(attention_alibi<128, 96, 128, 1>, {.num_warps = 8, .num_stages = 2}),
    candidate(attention_alibi<64, 64, 64, 16>, {.num_warps = 4, .num_stages = 2, .min_blocks = 4}));
inline constexpr auto hopper_attention_softcap_f16 =
    select(candidate(attention_softcap<128, 128, 128, 1>, {.num_warps = 8, .num_stages = 2}),
           candidate(attention_softcap<64, 64, 64, 16>,
                     {.num_warps = 4, .num_stages = 2, .min_blocks = 4}));
inline constexpr auto hopper_attention_grouped_f16 =
    select(candidate(attention_grouped<128, 128, 128, 1>, {.num_warps = 8, .num_stages = 2}),
           candidate(attention_grouped<64, 64, 64, 16>,
                     {.num_warps = 4, .num_stages = 2, .min_blocks = 4}));
