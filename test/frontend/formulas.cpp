// Sizes and constants have the formulas of the source.
// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <int N>
__tile__ auto given() {
  return arange<2 * N>();
}
template <class T, int R, int C>
__tile__ auto deduced(const tile<T, R, C>& x) {
  return x + full<T, R, C>(T(C));
}
struct Traits {
  static constexpr int kSize = 32;
};

// CHECK: kernel @formulas<M = 32, N = 64>
template <int M, int N>
__tile_global__ void formulas(float* out, int n) {
  // CHECK: %rows = arange {end = 32, start = 0} : tile<32:M x i32>
  auto rows = arange<M>();
  // CHECK: %half = arange {end = 32, start = 0} : tile<32:N/2 x i32>
  constexpr int kHalf = N / 2;
  auto half = arange<kHalf>();
  // CHECK: %literal = arange {end = 64, start = 0} : tile<64xi32>
  auto literal = arange<64>();
  // CHECK: %traits = arange {end = 32, start = 0} : tile<32xi32>
  auto traits = arange<Traits::kSize>();
  // CHECK: %twice = arange {end = 128, start = 0} : tile<128:2*N x i32>
  auto twice = given<N>();
  // CHECK: %fixed = arange {end = 32, start = 0} : tile<32xi32>
  auto fixed = given<16>();
  // CHECK: %product = {{.*}} : tile<2048:M*N x i32>
  auto product = reshape<M * N>(rows[all, none] + arange<N>()[none, all]);
  // CHECK: constant 64.0 : f32
  // CHECK: %both = add {{.*}} : tile<32:M x 64:N x f32>
  auto both = deduced(zeros<float, M, N>());
  // CHECK: %turned = permute %both {{.*}} : tile<64:N x 32:M x f32>
  auto turned = trans(both);
  // CHECK: %sums = reduce %turned {axis = 0, kind = sum} : tile<32:M x f32>
  auto sums = sum<0>(turned);
  // CHECK: %head = slice %turned {{.*}} : tile<32:N/2 x 32:M x f32>
  auto head = turned[slice<0, N / 2>, all];
  // CHECK: constant 65 {formula = "N+1"} : i32
  // CHECK: constant 64 : i32
  store(out + rows * (N + 1) + (64 + n), sums);
  store(out + half, sum<1>(head));
  store(out + literal, cast<float>(literal));
  store(out + traits, cast<float>(traits));
  store(out + twice, cast<float>(twice));
  store(out + fixed, cast<float>(fixed));
  store(out + product, cast<float>(product));
  // In a lambda, a parameter is the kernel's.
  // CHECK: constant 32 {formula = M} : i32
  auto times = [&](auto x) { return x * M; };
  store(out + rows, cast<float>(times(rows)));
}
inline constexpr auto formulas_f32 = instantiate(formulas<32, 64>);
