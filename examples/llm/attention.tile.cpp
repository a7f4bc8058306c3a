// Causal attention: forward in one pass over keys and values, and its gradients. Scores are never
// stored to memory.
#include "real.h"

// q, k, v: [batch, length, heads, D], where tokens are 3 * heads * D elements apart: the three lie
//   one after the other for each token; dq, dk, dv: likewise
// out, d_out: [batch, length, heads, D] without gaps
// lse, delta: f32 [batch, heads, length]; lse is the logarithm to base 2 of each row's
//   sum(exp(q k^T scale)), with scale = 1 / sqrt(D)
constexpr float kLog2E = 1.44269504f;

// out = softmax(q k^T scale) v, where a query sees the keys up to its own.
//
// Online softmax with a lazy maximum, as in examples/flash_attention: the accumulator is rescaled
// only where a score is more than 8 above the row's reference, in powers of two.
template <int BLOCK_M, int BLOCK_N, int D>
__tile_global__ void attend(const real* __restrict__ q, const real* __restrict__ k,
                            const real* __restrict__ v, real* __restrict__ out,
                            float* __restrict__ lse, int batch, int heads, int length, int head_dim,
                            float scale) {
  require(head_dim == D);
  int blocks = cdiv(length, BLOCK_M);
  auto [program, head, sequence] = grid(blocks, heads, batch);
  // Later queries see more keys. The longest programs start first, so that none ends late.
  int block = blocks - 1 - program;
  int first_row = maximum(block * BLOCK_M, 0);
  auto query = first_row + arange<BLOCK_M>();
  auto in_rows = (query < length)[all, none];
  auto dims = arange<D>()[none, all];
  auto stride = heads * D;
  auto base = sequence * length * stride + head * D;
  auto qkv_base = sequence * length * (3 * stride) + head * D;
  auto queries = load(q + qkv_base + query[all, none] * (3 * stride) + dims, in_rows);
  auto scale_log2 = scale * kLog2E;
  auto row_max = full<float, BLOCK_M>(-inf);
  auto row_sums = zeros<float, BLOCK_M, 8>();  // of every eighth weight: added up after the loop
  auto acc = zeros<float, BLOCK_M, D>();
  int end = minimum(first_row + BLOCK_M, length);
  for (int start = 0; start < end; start += BLOCK_N) {
    auto keys = start + arange<BLOCK_N>();
    auto inside = (keys < length)[all, none];
    auto k_tile = load(k + qkv_base + keys[all, none] * (3 * stride) + dims, inside);
    auto v_tile = load(v + qkv_base + keys[all, none] * (3 * stride) + dims, inside);
    auto scores = dot(queries, trans(k_tile), precision::ieee);
    scores = where(keys[none, all] <= query[all, none], scores, -inf);
    auto block_max = max<1>(scores) * scale_log2;
    auto moves = block_max > row_max + 8;  // every row in the first block, which each one sees
    auto new_max = where(moves, block_max, row_max);
    auto rescale = exp2(row_max - new_max);
    row_sums = where(moves[all, none], row_sums * rescale[all, none], row_sums);
    auto weights = exp2(scores * scale_log2 - new_max[all, none]);
    row_sums += sum<1>(reshape<BLOCK_M, BLOCK_N / 8, 8>(weights));
    auto rescaled = where(moves[all, none], acc * rescale[all, none], acc);
    acc = dot(cast<real>(weights), v_tile, rescaled, precision::ieee);
    row_max = new_max;
  }
  auto row_sum = sum<1>(row_sums);
  store(out + base + query[all, none] * stride + dims, cast<real>(acc / row_sum[all, none]),
        in_rows);
  store(lse + (sequence * heads + head) * length + query, row_max + log2(row_sum), query < length);
}

// delta = sum(out d_out) of each row and head
template <int BLOCK_M, int D>
__tile_global__ void output_products(const real* __restrict__ out, const real* __restrict__ d_out,
                                     float* __restrict__ delta, int batch, int heads, int length,
                                     int head_dim) {
  require(head_dim == D);
  auto [block, head, sequence] = grid(cdiv(length, BLOCK_M), heads, batch);
  auto query = block * BLOCK_M + arange<BLOCK_M>();
  auto in_rows = (query < length)[all, none];
  auto at =
      (sequence * length + query)[all, none] * (heads * D) + head * D + arange<D>()[none, all];
  auto products = cast<float>(load(out + at, in_rows)) * cast<float>(load(d_out + at, in_rows));
  store(delta + (sequence * heads + head) * length + query, sum<1>(products), query < length);
}

// With p = softmax(q k^T scale): dp = d_out v^T, ds = p (dp - delta), dq = ds k scale
template <int BLOCK_M, int BLOCK_N, int D>
__tile_global__ void query_gradients(const real* __restrict__ q, const real* __restrict__ k,
                                     const real* __restrict__ v, const real* __restrict__ d_out,
                                     const float* __restrict__ lse, const float* __restrict__ delta,
                                     real* __restrict__ dq, int batch, int heads, int length,
                                     int head_dim, float scale) {
  require(head_dim == D);
  int blocks = cdiv(length, BLOCK_M);
  auto [program, head, sequence] = grid(blocks, heads, batch);
  int block = blocks - 1 - program;  // the longest first
  int first_row = maximum(block * BLOCK_M, 0);
  auto query = first_row + arange<BLOCK_M>();
  auto in_rows = (query < length)[all, none];
  auto dims = arange<D>()[none, all];
  auto stride = heads * D;
  auto base = sequence * length * stride + head * D;
  auto qkv_base = sequence * length * (3 * stride) + head * D;
  auto queries = load(q + qkv_base + query[all, none] * (3 * stride) + dims, in_rows);
  auto gradients = load(d_out + base + query[all, none] * stride + dims, in_rows);
  auto of_head = (sequence * heads + head) * length;
  auto row_lse = load(lse + of_head + query, query < length)[all, none];
  auto row_delta = load(delta + of_head + query, query < length)[all, none];
  auto scale_log2 = scale * kLog2E;
  auto acc = zeros<float, BLOCK_M, D>();
  int end = minimum(first_row + BLOCK_M, length);
  for (int start = 0; start < end; start += BLOCK_N) {
    auto keys = start + arange<BLOCK_N>();
    auto inside = (keys < length)[all, none];
    auto k_tile = load(k + qkv_base + keys[all, none] * (3 * stride) + dims, inside);
    auto v_tile = load(v + qkv_base + keys[all, none] * (3 * stride) + dims, inside);
    auto scores = dot(queries, trans(k_tile), precision::ieee);
    auto p = exp2(scores * scale_log2 - row_lse);
    if (start + BLOCK_N > first_row) p = where(keys[none, all] <= query[all, none], p, 0.0f);
    auto ds = p * (dot(gradients, trans(v_tile), precision::ieee) - row_delta);
    acc = dot(cast<real>(ds), k_tile, acc, precision::ieee);
  }
  store(dq + qkv_base + query[all, none] * (3 * stride) + dims, cast<real>(acc * scale), in_rows);
}

// dv = p^T d_out, dk = ds^T q scale
template <int BLOCK_M, int BLOCK_N, int D>
__tile_global__ void key_gradients(const real* __restrict__ q, const real* __restrict__ k,
                                   const real* __restrict__ v, const real* __restrict__ d_out,
                                   const float* __restrict__ lse, const float* __restrict__ delta,
                                   real* __restrict__ dk, real* __restrict__ dv, int batch,
                                   int heads, int length, int head_dim, float scale) {
  require(head_dim == D);
  auto [program, head, sequence] = grid(cdiv(length, BLOCK_N), heads, batch);
  int first_key = program * BLOCK_N;
  auto keys = first_key + arange<BLOCK_N>();
  auto inside = (keys < length)[all, none];
  auto dims = arange<D>()[none, all];
  auto stride = heads * D;
  auto base = sequence * length * stride + head * D;
  auto qkv_base = sequence * length * (3 * stride) + head * D;
  auto k_tile = load(k + qkv_base + keys[all, none] * (3 * stride) + dims, inside);
  auto v_tile = load(v + qkv_base + keys[all, none] * (3 * stride) + dims, inside);
  auto of_head = (sequence * heads + head) * length;
  auto scale_log2 = scale * kLog2E;
  auto dk_acc = zeros<float, BLOCK_N, D>();
  auto dv_acc = zeros<float, BLOCK_N, D>();
  for (int start = first_key / BLOCK_M * BLOCK_M; start < length; start += BLOCK_M) {
    auto query = start + arange<BLOCK_M>();
    auto in_rows = (query < length)[all, none];
    // Rows past the last are zeros, with a delta of zero: they add nothing.
    auto queries = load(q + qkv_base + query[all, none] * (3 * stride) + dims, in_rows);
    auto gradients = load(d_out + base + query[all, none] * stride + dims, in_rows);
    auto row_lse = load(lse + of_head + query, query < length)[none, all];
    auto row_delta = load(delta + of_head + query, query < length)[none, all];
    auto scores = dot(k_tile, trans(queries), precision::ieee);  // keys x queries
    auto p = exp2(scores * scale_log2 - row_lse);
    if (start < first_key + BLOCK_N) p = where(keys[all, none] <= query[none, all], p, 0.0f);
    dv_acc = dot(cast<real>(p), gradients, dv_acc, precision::ieee);
    auto ds = p * (dot(v_tile, trans(gradients), precision::ieee) - row_delta);
    dk_acc = dot(cast<real>(ds), queries, dk_acc, precision::ieee);
  }
  store(dv + qkv_base + keys[all, none] * (3 * stride) + dims, cast<real>(dv_acc), inside);
  store(dk + qkv_base + keys[all, none] * (3 * stride) + dims, cast<real>(dk_acc * scale), inside);
}

// Heads of 16 channels are for tiny models, those of 64 for GPT-2's.
inline constexpr auto attention =
    select(candidate(attend<32, 32, 16>, {.num_warps = 2, .num_stages = 2}),
           candidate(attend<64, 64, 64>, {.num_warps = 4, .num_stages = 2, .min_blocks = 3}));
inline constexpr auto attention_delta =
    select(candidate(output_products<32, 16>, {.num_warps = 1}),
           candidate(output_products<32, 64>, {.num_warps = 4}));
inline constexpr auto attention_query_gradients = select(
    candidate(query_gradients<32, 32, 16>, {.num_warps = 2, .num_stages = 2}),
    candidate(query_gradients<64, 96, 64>, {.num_warps = 4, .num_stages = 2, .min_blocks = 2}));
inline constexpr auto attention_key_gradients =
    select(candidate(key_gradients<32, 32, 16>, {.num_warps = 2, .num_stages = 2}),
           candidate(key_gradients<64, 128, 64>, {.num_warps = 8, .num_stages = 2}));
