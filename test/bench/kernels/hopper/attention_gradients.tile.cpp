// The gradients of attention (examples/hopper_attention): of queries in a loop over keys, of keys and values in a
// loop over queries. An iteration has several dots; those for the scores and for the gradients of the weights start together.
#include <tile2cu/tile.h>
using namespace tl;

constexpr float kLog2E = 1.44269504f;

// With p = softmax(q k^T scale), out = p v, and the gradient d_out of out:
//   dv = p^T d_out, dp = d_out v^T, ds = p (dp - delta) with delta = sum(out d_out) of each row,
//   dq = ds k scale, dk = ds^T q scale
// q, k, v, d_out, dq, dk, dv: f16 [heads, length, D]; delta, and lse, the logarithm to base 2 of each row's
// sum(exp(q k^T scale)): f32 [heads, length]; all without gaps
// causal: a query sees the keys up to its own
template <int BLOCK_M, int BLOCK_N, int D>
__tile_global__ void gradient_of_queries(
    const float16* __restrict__ q, const float16* __restrict__ k, const float16* __restrict__ v,
    const float16* __restrict__ d_out, const float* __restrict__ lse,
    const float* __restrict__ delta, float16* __restrict__ dq, int heads, int length, int head_dim,
    float scale, bool causal) {
  require(head_dim == D);
  int blocks = cdiv(length, BLOCK_M);
  auto [program, head] = grid(blocks, heads);
  int block = causal ? blocks - 1 - program : program;  // the longest first
  int first_row = maximum(block * BLOCK_M, 0);
  auto row = first_row + arange<BLOCK_M>();
  auto rows = row[all, none];
  auto dims = arange<D>()[none, all];
  auto base = head * length * D;
  auto queries = load(q + base + rows * int64_t(D) + dims, rows < length);
  auto gradients = load(d_out + base + rows * int64_t(D) + dims, rows < length);
  auto row_lse = load(lse + head * length + row, row < length)[all, none];
  auto row_delta = load(delta + head * length + row, row < length)[all, none];
  auto scale_log2 = scale * kLog2E;
  auto acc = zeros<float, BLOCK_M, D>();
  int end = causal ? minimum(first_row + BLOCK_M, length) : length;
  int all_visible = causal ? first_row : length;  // every row sees the keys before
  for (int start = 0; start < end; start += BLOCK_N) {
    auto keys = start + arange<BLOCK_N>();
    auto inside = keys[all, none] < length;
    auto k_tile = load(k + base + keys[all, none] * int64_t(D) + dims, inside);
    auto v_tile = load(v + base + keys[all, none] * int64_t(D) + dims, inside);
    auto p = exp2(dot(queries, trans(k_tile)) * scale_log2 - row_lse);
    if (start + BLOCK_N > all_visible)
      p = where(keys[none, all] < where(causal, rows + 1, length), p, 0.0f);
    auto ds = p * (dot(gradients, trans(v_tile)) - row_delta);
    acc = dot(cast<float16>(ds), k_tile, acc);
  }
  store(dq + base + rows * int64_t(D) + dims, cast<float16>(acc * scale), rows < length);
}

template <int BLOCK_M, int BLOCK_N, int D>
__tile_global__ void gradients_of_keys(const float16* __restrict__ q, const float16* __restrict__ k,
                                       const float16* __restrict__ v,
                                       const float16* __restrict__ d_out,
                                       const float* __restrict__ lse,
                                       const float* __restrict__ delta, float16* __restrict__ dk,
                                       float16* __restrict__ dv, int heads, int length,
                                       int head_dim, float scale, bool causal) {
  require(head_dim == D);
  auto [program, head] = grid(cdiv(length, BLOCK_N), heads);
  int first_key = program * BLOCK_N;
  auto keys = (first_key + arange<BLOCK_N>())[all, none];
  auto dims = arange<D>()[none, all];
  auto base = head * length * D;
  auto k_tile = load(k + base + keys * int64_t(D) + dims, keys < length);
  auto v_tile = load(v + base + keys * int64_t(D) + dims, keys < length);
  auto scale_log2 = scale * kLog2E;
  auto dk_acc = zeros<float, BLOCK_N, D>();
  auto dv_acc = zeros<float, BLOCK_N, D>();
  int begin = causal ? first_key / BLOCK_M * BLOCK_M : 0;
  for (int start = begin; start < length; start += BLOCK_M) {
    auto row = start + arange<BLOCK_M>();
    auto rows = row[all, none];
    // Rows behind the last are zeros, with a delta of zero: they add nothing.
    auto queries = load(q + base + rows * int64_t(D) + dims, rows < length);
    auto gradients = load(d_out + base + rows * int64_t(D) + dims, rows < length);
    auto row_lse = load(lse + head * length + row, row < length)[none, all];
    auto row_delta = load(delta + head * length + row, row < length)[none, all];
    auto p = exp2(dot(k_tile, trans(queries)) * scale_log2 - row_lse);  // keys x queries
    if (causal && start < first_key + BLOCK_N) p = where(keys <= row[none, all], p, 0.0f);
    dv_acc = dot(cast<float16>(p), gradients, dv_acc);
    auto ds = p * (dot(v_tile, trans(gradients)) - row_delta);
    dk_acc = dot(cast<float16>(ds), queries, dk_acc);
  }
  store(dv + base + keys * int64_t(D) + dims, cast<float16>(dv_acc), keys < length);
  store(dk + base + keys * int64_t(D) + dims, cast<float16>(dk_acc * scale), keys < length);
}

inline constexpr auto hopper_gradient_of_queries = tune(
    key{"length", "head_dim", "causal"},
    candidate(gradient_of_queries<64, 128, 64>, {.num_warps = 4, .num_stages = 2, .min_blocks = 2}),
    candidate(gradient_of_queries<64, 96, 64>, {.num_warps = 4, .num_stages = 2, .min_blocks = 2}),
    candidate(gradient_of_queries<128, 64, 128>, {.num_warps = 8, .num_stages = 2}));
inline constexpr auto hopper_gradients_of_keys = tune(
    key{"length", "head_dim", "causal"},
    candidate(gradients_of_keys<64, 128, 64>, {.num_warps = 8, .num_stages = 2}),
    candidate(gradients_of_keys<128, 64, 64>, {.num_warps = 4, .num_stages = 2, .min_blocks = 2}),
    candidate(gradients_of_keys<64, 128, 128>, {.num_warps = 8, .num_stages = 2}));
