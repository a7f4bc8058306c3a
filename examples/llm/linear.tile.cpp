// Linear layers, forward and backward: matmuls with epilogues, and the gradient of the bias.
#include "real.h"

// The block of a matrix [rows, columns] at {first_row, first_column}; 0 past the edges.
// TRANSPOSED: memory holds the transpose, [columns, rows].
template <bool TRANSPOSED, int ROWS, int COLUMNS>
__tile__ auto block_of(const real* __restrict__ m, int rows, int columns, int64_t first_row,
                       int64_t first_column) {
  if constexpr (TRANSPOSED) {
    return trans(make_tensor_descriptor<COLUMNS, ROWS>(m, {columns, rows}, {rows, 1})
                     .load({first_column, first_row}));
  } else {
    return make_tensor_descriptor<ROWS, COLUMNS>(m, {rows, columns}, {columns, 1})
        .load({first_row, first_column});
  }
}

// The tile at {m, n} of a b, summed over k from `first` to `end`. a: [M, K]; b: [K, N]
template <bool A_TRANSPOSED, bool B_TRANSPOSED, int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile__ auto product(const real* __restrict__ a, const real* __restrict__ b, int M, int N, int K,
                      int64_t m, int64_t n, int first, int end) {
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = first; k < end; k += BLOCK_K) {
    auto a_block = block_of<A_TRANSPOSED, BLOCK_M, BLOCK_K>(a, M, K, m, k);
    auto b_block = block_of<B_TRANSPOSED, BLOCK_K, BLOCK_N>(b, K, N, k, n);
    acc = dot(a_block, b_block, acc, precision::ieee);
  }
  return acc;
}

// Programs walk the tiles of the result in groups of 8 tile rows, which share rows of a and columns
// of b in the L2 cache.
template <int BLOCK_M, int BLOCK_N>
__tile__ auto tile_of(int64_t pid, int M, int N) {
  auto [pid_m, pid_n] = swizzle2d(pid, cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), 8);
  return tuple(pid_m * BLOCK_M, pid_n * BLOCK_N);
}

// The kernels for tiny models take results of at most this many columns; others, any.
template <int SMALL>
__tile__ bool takes(int N) {
  return SMALL == 0 || N <= SMALL;
}

template <int BLOCK_M, int BLOCK_N>
__tile__ void store_tile(real* __restrict__ out, int M, int N, int64_t m, int64_t n,
                         tile<float, BLOCK_M, BLOCK_N> value) {
  make_tensor_descriptor<BLOCK_M, BLOCK_N>(out, {M, N}, {N, 1}).store({m, n}, cast<real>(value));
}

template <int BLOCK_N>
__tile__ auto row_of(const real* __restrict__ bias, int N, int64_t n) {
  auto channel = n + arange<BLOCK_N>();
  return cast<float>(load(bias + channel, channel < N))[none, all];
}

// out = x w^T        x: [M, K]; w: [N, K]; out: [M, N]
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int SMALL = 0>
__tile_global__ void linear_nobias(const real* __restrict__ x, const real* __restrict__ w,
                                   real* __restrict__ out, int M, int N, int K) {
  require(takes<SMALL>(N));
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [m, n] = tile_of<BLOCK_M, BLOCK_N>(pid, M, N);
  auto acc = product<false, true, BLOCK_M, BLOCK_N, BLOCK_K>(x, w, M, N, K, m, n, 0, K);
  store_tile<BLOCK_M, BLOCK_N>(out, M, N, m, n, acc);
}

// out = x w^T + bias        bias: [N]
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int SMALL = 0>
__tile_global__ void linear_bias(const real* __restrict__ x, const real* __restrict__ w,
                                 const real* __restrict__ bias, real* __restrict__ out, int M,
                                 int N, int K) {
  require(takes<SMALL>(N));
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [m, n] = tile_of<BLOCK_M, BLOCK_N>(pid, M, N);
  auto acc = product<false, true, BLOCK_M, BLOCK_N, BLOCK_K>(x, w, M, N, K, m, n, 0, K);
  store_tile<BLOCK_M, BLOCK_N>(out, M, N, m, n, acc + row_of<BLOCK_N>(bias, N, n));
}

// before_gelu = x w^T + bias, which the backward pass reads, and out = gelu(before_gelu)
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int SMALL = 0>
__tile_global__ void linear_bias_gelu(const real* __restrict__ x, const real* __restrict__ w,
                                      const real* __restrict__ bias, real* __restrict__ before_gelu,
                                      real* __restrict__ out, int M, int N, int K) {
  require(takes<SMALL>(N));
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [m, n] = tile_of<BLOCK_M, BLOCK_N>(pid, M, N);
  auto acc = product<false, true, BLOCK_M, BLOCK_N, BLOCK_K>(x, w, M, N, K, m, n, 0, K);
  auto y = acc + row_of<BLOCK_N>(bias, N, n);
  store_tile<BLOCK_M, BLOCK_N>(before_gelu, M, N, m, n, y);
  if constexpr (sizeof(real) == 2) {  // fast_tanh is exact enough for results of 16 bits
    store_tile<BLOCK_M, BLOCK_N>(out, M, N, m, n, gelu(y, fast_tanh_approx));
  } else {
    store_tile<BLOCK_M, BLOCK_N>(out, M, N, m, n, gelu(y, tanh_approx));
  }
}

// The derivative of gelu in its tanh form.
__tile__ auto gelu_derivative(auto x) {
  constexpr float kScale = 0.7978845608f, kCubic = 0.044715f;  // the first is sqrt(2 / pi)
  auto u = kScale * (x + kCubic * x * x * x);
  auto t = [&] {
    if constexpr (sizeof(real) == 2) {
      return fast_tanh(u);
    } else {
      return tanh(u);
    }
  }();
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * (kScale * (1 + 3 * kCubic * x * x));
}

// d_x = d_out w        d_out: [M, K]; w: [K, N]; d_x: [M, N]: M rows, K output and N input channels
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int SMALL = 0>
__tile_global__ void linear_backward(const real* __restrict__ d_out, const real* __restrict__ w,
                                     real* __restrict__ d_x, int M, int N, int K) {
  require(takes<SMALL>(N));
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [m, n] = tile_of<BLOCK_M, BLOCK_N>(pid, M, N);
  auto acc = product<false, false, BLOCK_M, BLOCK_N, BLOCK_K>(d_out, w, M, N, K, m, n, 0, K);
  store_tile<BLOCK_M, BLOCK_N>(d_x, M, N, m, n, acc);
}

// d_x = (d_out w) gelu'(before_gelu), the gradient of what gelu was applied to. before_gelu: [M, N]
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int SMALL = 0>
__tile_global__ void linear_backward_gelu(const real* __restrict__ d_out,
                                          const real* __restrict__ w,
                                          const real* __restrict__ before_gelu,
                                          real* __restrict__ d_x, int M, int N, int K) {
  require(takes<SMALL>(N));
  auto pid = grid(cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N));
  auto [m, n] = tile_of<BLOCK_M, BLOCK_N>(pid, M, N);
  auto acc = product<false, false, BLOCK_M, BLOCK_N, BLOCK_K>(d_out, w, M, N, K, m, n, 0, K);
  auto before = cast<float>(block_of<false, BLOCK_M, BLOCK_N>(before_gelu, M, N, m, n));
  store_tile<BLOCK_M, BLOCK_N>(d_x, M, N, m, n, acc * gelu_derivative(before));
}

// d_w += d_out^T x        d_out: [K, M]; x: [K, N]; d_w: f32 [M, N]: K rows, M output and N input channels
//
// K is long and the result small, so SPLITS programs share each tile, and add their parts.
template <int BLOCK_M, int BLOCK_N, int BLOCK_K, int SPLITS, int SMALL = 0>
__tile_global__ void weight_gradient(const real* __restrict__ d_out, const real* __restrict__ x,
                                     float* __restrict__ d_w, int M, int N, int K) {
  require(takes<SMALL>(N));
  auto [pid_m, pid_n, split] = grid(cdiv(M, BLOCK_M), cdiv(N, BLOCK_N), SPLITS);
  int depth = cdiv(cdiv(K, BLOCK_K), SPLITS) * BLOCK_K;
  int first = split * depth;
  auto acc = product<true, false, BLOCK_M, BLOCK_N, BLOCK_K>(
      d_out, x, M, N, K, pid_m * BLOCK_M, pid_n * BLOCK_N, first, minimum(first + depth, K));
  auto m = (pid_m * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto n = (pid_n * BLOCK_N + arange<BLOCK_N>())[none, all];
  atomic_add(d_w + m * N + n, acc, (m < M) & (n < N), memory_order::relaxed);
}

// d_bias[n] += sum over rows of d_out[:, n]        d_out: [rows, N]; d_bias: f32 [N]
template <int ROWS, int DEPTH, int WIDTH>
__tile_global__ void bias_gradient(const real* __restrict__ d_out, float* __restrict__ d_bias,
                                   int rows, int N) {
  auto [part, block] = grid(cdiv(N, WIDTH), cdiv(rows, ROWS));
  auto n = part * WIDTH + arange<WIDTH>();
  auto first = block * ROWS;
  auto end = minimum(first + ROWS, rows);
  auto total = zeros<float, WIDTH>();
  for (auto start = first; start < end; start += DEPTH) {
    auto row = start + arange<DEPTH>();
    total += sum<0>(cast<float>(load(d_out + row[all, none] * N + n[none, all],
                                     (row < end)[all, none] & (n < N)[none, all])));
  }
  atomic_add(d_bias + n, total, n < N, memory_order::relaxed);
}

// The first candidate of each is for tiny models. The weight gradients of large ones share a tile
// among 4 programs where M and N give too few.
inline constexpr auto logits_layer =
    tune(key{"M", "N", "K"}, candidate(linear_nobias<32, 32, 32, 256>, {.num_warps = 4}),
         candidate(linear_nobias<128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(linear_nobias<128, 128, 64>, {.num_warps = 8, .num_stages = 4}));
inline constexpr auto linear =
    tune(key{"M", "N", "K"}, candidate(linear_bias<32, 32, 32, 256>, {.num_warps = 4}),
         candidate(linear_bias<128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(linear_bias<128, 128, 64>, {.num_warps = 8, .num_stages = 4}));
inline constexpr auto linear_gelu =
    tune(key{"M", "N", "K"}, candidate(linear_bias_gelu<32, 32, 32, 256>, {.num_warps = 4}),
         candidate(linear_bias_gelu<128, 256, 32>, {.num_warps = 8, .num_stages = 3}),
         candidate(linear_bias_gelu<128, 128, 64>, {.num_warps = 8, .num_stages = 4}));
inline constexpr auto linear_gradient =
    tune(key{"M", "N", "K"}, candidate(linear_backward<32, 32, 32, 256>, {.num_warps = 4}),
         candidate(linear_backward<128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(linear_backward<128, 128, 64>, {.num_warps = 8, .num_stages = 4}));
inline constexpr auto linear_gelu_gradient =
    tune(key{"M", "N", "K"}, candidate(linear_backward_gelu<32, 32, 32, 256>, {.num_warps = 4}),
         candidate(linear_backward_gelu<128, 256, 64>, {.num_warps = 8, .num_stages = 3}),
         candidate(linear_backward_gelu<128, 128, 64>, {.num_warps = 8, .num_stages = 4}));
inline constexpr auto linear_weight_gradient =
    tune(key{"M", "N", "K"}, preserve("d_w", "M", "N"),
         candidate(weight_gradient<32, 32, 32, 1, 256>, {.num_warps = 4}),
         candidate(weight_gradient<128, 256, 64, 1>, {.num_warps = 8, .num_stages = 3}),
         candidate(weight_gradient<128, 256, 64, 4>, {.num_warps = 8, .num_stages = 3}),
         candidate(weight_gradient<128, 128, 64, 2>, {.num_warps = 8, .num_stages = 4}));
inline constexpr auto linear_bias_gradient =
    instantiate(bias_gradient<256, 64, 128>, {.num_warps = 8});
