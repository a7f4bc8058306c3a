// RUN: %tile2cu %in_parts %s --helpers=include -o - | FileCheck %s
// An outlined part of a kernel gives its variables plain names, whatever other parts and members of shared memory have.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: float partial_2[2 * 96];
// CHECK: float partial[NUM_WARPS * 16];
// CHECK: void compute_partial_2(
// CHECK: float (&partial)[M_TILES][2]
// CHECK: smem.partial_2[{{.*}}] =
// CHECK-NEXT: partial[i][h];

__tile_global__ void extremes(const float16* __restrict__ in, float* __restrict__ rows, float* __restrict__ columns,
                              float* __restrict__ line) {
  grid(1);
  auto a = load(in + arange<80>()[all, none] * 16 + arange<16>());
  auto c = dot(a, trans(a[slice<0, 16>, all]));
  auto larger = [](auto x, auto y) { return x > y ? x : y; };
  store(rows + arange<16>(), reduce<0>(c, larger));
  store(columns + arange<80>(), reduce<1>(c, larger));
  store(line, reduce<0>(ravel(reshape<2, 40, 16>(c)), larger));
}
inline constexpr auto extremes_4 = instantiate(extremes, {.num_warps = 4});

// Tiles may have the names of a number and of a variable of CUDA, and a parameter that of a part.
// CHECK: int CLUSTER_tile[80][8];
// CHECK: const __half* compute_a;
// CHECK: {{^}}  __device__ __forceinline__ void compute_a_part(
// CHECK: {{^}}  __device__ __forceinline__ void compute_threadIdx_value_scanned(
// CHECK-NEXT: (&CLUSTER)[VECS]
// CHECK: compute_a_part(a);
// CHECK: compute_threadIdx_value_scanned(CLUSTER, threadIdx_value, scanned);

template <int N>
__tile_global__ void pieces(const float16* __restrict__ compute_a,
                            const int* __restrict__ words, float* __restrict__ sums,
                            int* __restrict__ out) {
  grid(1);
  auto a = load(compute_a + arange<80>()[all, none] * 16 + arange<16>());
  auto c = dot(a, trans(a[slice<0, 16>, all]));
  store(sums + arange<80>()[all, none] * 16 + arange<16>(), c);
  auto whole = reshape<N, 2>(cast<int>(c) + load(words + arange<80>()[all, none] * 16 + arange<16>()));
  auto [CLUSTER, threadIdx] = split(whole);
  store(out + arange<N>(), where(cumsum(CLUSTER) > 3, CLUSTER, threadIdx));
}
inline constexpr auto pieces_640 = instantiate(pieces<640>, {.num_warps = 4});
