// Attention, forward, on Hopper: the kernel of examples/flash_attention, transpiled for sm_90a. One
// producer warp loads queries, keys and values by TMA, consumer warpgroups multiply (wgmma), and
// the softmax of one block of keys runs while the tensor cores work on its neighbours.
#include <tile2cu/tile.h>
using namespace tl;

// out = softmax(q k^T scale) v        for each head; scale > 0
// q, k, v, out: f16 [heads, length, head_dim], without gaps; `heads` counts those of all sequences
// causal: a query sees the keys up to its own, so that only the last blocks of keys need a mask
//
// Online softmax: the accumulator is rescaled when the maximum of its row moves. The maximum moves
// only when a score is more than 8 above it, in powers of two: weights are at most 256, exact enough
// in float16, and most blocks of keys rescale nothing.
template <int BLOCK_M, int BLOCK_N, int D, int GROUP, int TURNS>
__tile_global__ void hopper_attention(const float16* __restrict__ q, const float16* __restrict__ k,
                                      const float16* __restrict__ v, float16* __restrict__ out,
                                      int heads, int length, int head_dim, float scale,
                                      bool causal) {
  require(head_dim == D);
  int blocks = cdiv(length, BLOCK_M), parts = cdiv(blocks, TURNS);
  int pid = grid(parts * heads);
  // Programs of GROUP heads, whose keys and values the cache holds, take turns.
  auto [head, part] = swizzle2d(pid, heads, parts, GROUP);
  auto dims = arange<D>()[none, all];
  auto base = int64_t(head) * length * D;  // of this head's matrices
  auto scale_log2 = scale * 1.44269504f;

  // Later queries see more keys. The longest programs start first, so that none ends late; those of
  // two turns take an early block too, and all have the same work.
  int turns = TURNS == 2 && part < blocks - 1 - part ? 2 : 1;
  for (int turn = 0; turn < turns; ++turn) {
    int block = turn == 0 ? blocks - 1 - part : part;
    int first_row = maximum(block * BLOCK_M, 0);
    auto rows = (first_row + arange<BLOCK_M>())[all, none];
    auto queries = load(q + base + rows * int64_t(D) + dims, rows < length);
    auto row_max = full<float, BLOCK_M>(-inf);
    auto row_sums = zeros<float, BLOCK_M, 8>();  // of every eighth weight: added up after the loop
    auto acc = zeros<float, BLOCK_M, D>();

    auto visible = where(causal, rows + 1, length);
    int end = causal ? minimum(first_row + BLOCK_M, length) : length;
    for (int start = 0; start < end; start += BLOCK_N) {
      auto keys = start + arange<BLOCK_N>();
      auto inside = keys[all, none] < length;
      auto k_tile = load(k + base + keys[all, none] * int64_t(D) + dims, inside);
      auto v_tile = load(v + base + keys[all, none] * int64_t(D) + dims, inside);
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
    store(out + base + rows * int64_t(D) + dims, cast<float16>(acc / row_sum), rows < length);
  }
}

// Two warpgroups with 64 rows each, which overlap the wgmmas of an iteration with the softmax of
// the previous one; or four small blocks per multiprocessor, some of which work while others wait.
inline constexpr auto hopper_attention_f16 =
    select(candidate(hopper_attention<128, 128, 128, 1, 1>, {.num_warps = 8, .num_stages = 2}),
           candidate(hopper_attention<64, 64, 64, 16, 1>,
                     {.num_warps = 4, .num_stages = 2, .min_blocks = 4}));
