// Programs that share a long k: of the bound of each part only that of the array is needed, because whole iterations keep to the
// other one. The accumulators are added in whole lines through shared memory, four floats at a time; if the stages leave no room
// for them, lanes exchange elements until each has as many.
// RUN: %tile2cu %in_parts --arch=sm_90a -DFOUR_STAGES -Rtile %s -o %t.cu 2>%t.txt
// RUN: FileCheck %s --input-file=%t.cu
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.txt
// RUN: %tile2cu %in_parts --arch=sm_80,sm_90a %s -o %t.both.cu
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t.both.cu
#include <tile2cu/tile.h>
using namespace tl;

// SAYS: parts<64>: TMA loads 'x'
// SAYS: parts<48>: TMA does not load 'x': a bound of its mask is not known to the launcher
// SAYS: parts<64>: TMA loads 'y'
// SAYS: this atomic_add moves 4 elements (16 bytes) at a time
// SAYS: clamped<64, 0>: TMA loads 'x'
// SAYS: clamped<48, 0>, <64, 1>: TMA does not load 'x': a bound of its mask is not known to the launcher
// SAYS: clamped<64, 0>: TMA loads 'y'

// CHECK-LABEL: void producer(
// CHECK: tile2cu::tma_load{{.*}}(&smem.y[stage]
// CHECK-LABEL: void consumer(
// CHECK: tile2cu::as_vec<2>(&smem.acc[
// CHECK: tile2cu::named_barrier_sync<NUM_THREADS>(1);  // smem.acc has been written
// CHECK: tile2cu::reduce_add_vector_if<VEC>(row < valid_rows && column < valid_cols,
// CHECK-NEXT: c_j + int64_t(row) * N + column, acc_2);
// CHECK-LABEL: void producer(
// CHECK: tile2cu::coordinate(first + k)
// CHECK-LABEL: void consumer(
// CHECK: // Pairs of lanes exchange halves: each lane then has 4 elements side by side.
// CHECK: tile2cu::vec<float, VEC> acc_exchanged[VECS][2];
// CHECK: acc_exchanged[l][h] = tile2cu::exchange_lanes<1>(
// CHECK-NEXT: tile2cu::vec<float, 2>{acc[l * 2][h * 2], acc[l * 2][h * 2 + 1]},
// CHECK-NEXT: tile2cu::vec<float, 2>{acc[l * 2 + 1][h * 2], acc[l * 2 + 1][h * 2 + 1]});
// CHECK: const int column = ((l * 2 + lane % 2) * 2 + lane / 2 % 2) * VEC;
// CHECK: tile2cu::reduce_add_vector_if<VEC>(row < valid_rows && column < valid_cols,
// CHECK-NEXT: c_j + int64_t(row) * N + column, acc_exchanged[l][h]);
// CHECK-LABEL: struct Crowded{{.+}} {
// CHECK: void epilogue(
// CHECK: tile2cu::exchange_lanes<1>(acc_f16[
// CHECK: // Pairs of lanes exchange halves: each lane then has 8 elements side by side.
// CHECK: tile2cu::exchange_lanes<2>(exchanged[
// CHECK-LABEL: static cudaError_t launch_parts(
// CHECK: tile2cu::make_tensor_map(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, a, {K, M}
// CHECK-LABEL: static cudaError_t launch_clamped(
// CHECK: tile2cu::make_tensor_map(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, a, {K, M}
// CHECK-LABEL: cudaError_t whole(
// CHECK: tile2cu::aligned<16>(a, b, c)

// BOTH-LABEL: void epilogue(
// BOTH: tile2cu::reduce_add_if(
// BOTH-LABEL: void consumer(
// BOTH: tile2cu::reduce_add_vector_if<VEC>(

template <int BLOCK>
__tile_global__ void parts(const float16* __restrict__ a, const float16* __restrict__ b,
                           float* __restrict__ c, int M, int N, int K, int splits) {
  require(splits > 0);
  auto [i, j, split] = grid(cdiv(M, 64), cdiv(N, 64), splits);
  auto rows = (i * 64 + arange<64>())[all, none];
  auto cols = (j * 64 + arange<64>())[none, all];
  auto ks = arange<64>();
  auto depth = cdiv(cdiv(K, BLOCK), splits) * BLOCK;
  auto first = split * depth;
  auto end = minimum(first + depth, int64_t(K));
  auto acc = zeros<float, 64, 64>();
  for (auto k = first; k < end; k += 64) {
    auto x = load(a + rows * K + (k + ks)[none, all], (rows < M) & (k + ks < end)[none, all]);
    auto y = load(b + (k + ks)[all, none] * N + cols, (k + ks < end)[all, none] & (cols < N));
    acc = dot(x, y, acc);
  }
  atomic_add(c + rows * N + cols, acc, (rows < M) & (cols < N), memory_order::relaxed);
}
inline constexpr auto whole = instantiate(parts<64>, {.num_warps = 4});
inline constexpr auto cut = instantiate(parts<48>, {.num_warps = 4});

// The length of a part: 0 for a part past the end of the array.
template <int BLOCK, int LEAST>
__tile_global__ void clamped(const float16* __restrict__ a, const float16* __restrict__ b,
                             float* __restrict__ c, int M, int N, int K, int splits) {
  require(splits > 0);
  auto [i, j, split] = grid(cdiv(M, 64), cdiv(N, 64), splits);
  auto rows = (i * 64 + arange<64>())[all, none];
  auto cols = (j * 64 + arange<64>())[none, all];
  auto ks = arange<64>();
  auto depth = cdiv(cdiv(K, BLOCK), splits) * BLOCK;
  auto first = split * depth;
  int part = clamp(K - first, LEAST, depth);
  auto a_ptrs = a + rows * K + (first + ks[none, all]);
  auto b_ptrs = b + first * N + ks[all, none] * N + cols;
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < part; k += 64) {
    auto x = load(a_ptrs, (rows < M) & (ks < part - k)[none, all]);
    auto y = load(b_ptrs, (ks < part - k)[all, none] & (cols < N));
    acc = dot(x, y, acc);
    a_ptrs += 64;
    b_ptrs += 64 * N;
  }
  atomic_add(c + rows * N + cols, acc, (rows < M) & (cols < N), memory_order::relaxed);
}
inline constexpr auto clamped_whole = instantiate(clamped<64, 0>, {.num_warps = 4});
inline constexpr auto clamped_cut = instantiate(clamped<48, 0>, {.num_warps = 4});
inline constexpr auto clamped_beyond = instantiate(clamped<64, 1>, {.num_warps = 4});

// Stages that leave no room for the accumulators.
template <class T>
__tile_global__ void crowded(const float16* __restrict__ a, const float16* __restrict__ b,
                             T* __restrict__ c, int M, int N, int K) {
  auto [i, j] = grid(cdiv(M, 128), cdiv(N, 256));
  auto rows = (i * 128 + arange<128>())[all, none];
  auto cols = (j * 256 + arange<256>())[none, all];
  auto acc = zeros<float, 128, 256>();
  for (int k = 0; k < K; k += 64) {
    auto ks = k + arange<64>();
    auto x = load(a + rows * K + ks[none, all], (rows < M) & (ks < K)[none, all]);
    auto y = load(b + ks[all, none] * N + cols, (ks < K)[all, none] & (cols < N));
    acc = dot(x, y, acc);
  }
  atomic_add(c + rows * N + cols, cast<T>(acc), (rows < M) & (cols < N), memory_order::relaxed);
}
inline constexpr auto crowded_f32 = instantiate(crowded<float>, {.num_warps = 8, .num_stages = 3});
#ifdef FOUR_STAGES  // more than sm_80 has room for
inline constexpr auto crowded_f16 =
    instantiate(crowded<float16>, {.num_warps = 8, .num_stages = 4});
#endif
