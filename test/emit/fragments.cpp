// Fragments of accumulators, with the map of their elements: four of 32 bits, in one loop where nothing takes pairs, and two pairs of
// 16 bits, as mma has them. Matrices of doubles have 8 rows, so a fragment is one pair.
// RUN: tile2cu --arch=sm_80 %s --helpers=include -o - | FileCheck %s
// RUN: tile2cu --arch=sm_80 %s --emit=emulator -o - | %compile_emulated
#include <tile2cu/tile.h>
using namespace tl;

template <class T, class Sum, int M, int N, int K>
__tile_global__ void added(const T* __restrict__ a, const T* __restrict__ b, const Sum* __restrict__ bias,
                           Sum* __restrict__ c) {
  auto program = grid(1);
  auto i = arange<M>()[all, none];
  auto j = arange<N>()[none, all];
  auto k = arange<K>();
  auto e = program * 2;
  auto h = program * 3;
  auto acc = load(bias + e * h + i * N + j);
  acc = dot(load(a + i * K + k[none, all]), load(b + k[all, none] * N + j), acc);
  store(c + e + h + i * N + j, maximum(acc, Sum(0)));
}

inline constexpr auto floats = instantiate(added<float16, float, 64, 64, 16>, {.num_warps = 4});
inline constexpr auto halves = instantiate(added<float16, float16, 64, 64, 16>, {.num_warps = 4});
inline constexpr auto doubles = instantiate(added<double, double, 64, 64, 16>, {.num_warps = 4});

// CHECK-LABEL: added_kernel(
// CHECK: float acc[M_TILES][N_TILES][4];
// CHECK: for (int row_half = 0; row_half < 2; ++row_half) {
// CHECK-NEXT: const tile2cu::vec<float, 2> loaded = tile2cu::load_if<2>(
// CHECK: acc[i][j][row_half * 2] = loaded[0];
// CHECK-NEXT: acc[i][j][row_half * 2 + 1] = loaded[1];
// CHECK: tile2cu::mma_m16n8k16_f16(acc[i][j], a_frag[i], b_frag[j]);
// CHECK: for (int row_half = 0; row_half < 2; ++row_half)
// CHECK: for (int v = 0; v < 2; ++v)
// CHECK: * 16 + row_half * 8 + lane / 4) * N +
// CHECK-NEXT: * 8 + lane % 4 * 2) + v,
// CHECK-NEXT: fmaxf(acc[i][j][row_half * 2 + v], 0.0f));

// CHECK-LABEL: {{^}}added_float16_float16_64_64_16_kernel(
// CHECK: tile2cu::vec<__half, 2> acc[M_TILES][N_TILES][2];
// CHECK: acc[i][j][row_half] = tile2cu::load_if<2>(
// CHECK: tile2cu::mma_m16n8k16_f16_acc_f16(tile2cu::packed_fragment(acc[i][j]), a_frag[i],
// CHECK: float(acc[i][j][row_half][v])

// CHECK-LABEL: {{^}}added_double_double_64_64_16_kernel(
// CHECK: // acc[i][j][v]: row {{.*}} * 8 + lane / 4,
// CHECK-NEXT: // column {{.*}} * 8 + lane % 4 * 2 + v of the tile.
// CHECK-NEXT: tile2cu::vec<double, 2> acc[{{[A-Z_]+}}][N_TILES];
// CHECK: tile2cu::mma_m8n8k4_f64(acc[i][j].elem, a_frag[i], b_frag[j]);
