// --math=precise: divisions are IEEE's, functions are libm's, and no product is fused with an addition.
// RUN: %tile2cu %s --math=precise --helpers=include -o - | FileCheck %s
// RUN: %tile2cu %s --math=precise -o - | FileCheck %s --check-prefix=PASTED
// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s --check-prefix=FAST
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void arithmetic(const float* __restrict__ a, float* __restrict__ out, int n, float s) {
  require(n / 2 * 2 <= 4096);
  auto i = grid(cdiv(n, 1024)) * 1024 + arange<1024>();
  auto m = i < n;
  auto x = load(a + i, m);
  auto sum = x * x + s;
  auto fused = fma(x, x, s);
  auto by_scalar = x / s;
  auto by_constant = x / 3.0f;
  auto by_tile = s / x;
  store(out + i, sum, m);
  store(out + n + i, fused, m);
  store(out + 2 * n + i, by_scalar, m);
  store(out + 3 * n + i, by_constant, m);
  store(out + 4 * n + i, by_tile, m);
}
inline constexpr auto arithmetic_1 = instantiate(arithmetic, {.num_warps = 4});

// CHECK: //   math    IEEE
// FAST: //   math    fast: approximate
// CHECK: sum[v] = __fmul_rn(x[i][v], x[i][v]) + s;
// CHECK: fused[v] = fmaf(x[i][v], x[i][v], s);
// FAST: sum[v] = x[i][v] * x[i][v] + s;
// FAST: fused[v] = fmaf(x[i][v], x[i][v], s);
// fma of the user is an fma. Divisions are neither products with a reciprocal nor div.full.
// CHECK: by_scalar[v] = __fdiv_rn(x[i][v], s);
// CHECK: by_constant[v] = __fdiv_rn(x[i][v], 3.0f);
// CHECK: by_tile[v] = __fdiv_rn(s, x[i][v]);
// FAST: by_scalar[v] = x[i][v] * {{.*}};
// FAST: by_constant[v] = x[i][v] * 0.33333334f;
// FAST: by_tile[v] = tile2cu::fdiv(s, x[i][v]);

__tile_global__ void types(const float16* __restrict__ h, const double* __restrict__ d,
                           float16* __restrict__ ho, double* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 512)) * 512 + arange<512>();
  auto m = i < n;
  auto x = load(h + i, m);
  auto y = load(d + i, m);
  auto half_sum = x * x + x;
  auto half_ratio = cast<float16>(1) / x;
  auto double_sum = y * y + y / 3.0;
  store(ho + i, half_sum, m);
  store(ho + n + i, half_ratio, m);
  store(out + i, double_sum, m);
}
inline constexpr auto types_1 = instantiate(types, {.num_warps = 4});

// CHECK: half_sum{{.*}} = tile2cu::multiply(x{{.*}}, x{{.*}}) + x
// CHECK: half_ratio{{.*}} = __half(__fdiv_rn(1.0f, float(x
// CHECK: double_sum{{.*}} = __dmul_rn(y{{.*}}, y{{.*}}) + y

__tile_global__ void functions(const float* __restrict__ a, float* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 1024)) * 1024 + arange<1024>();
  auto x = load(a + i, i < n);
  auto e = exp(x), e2 = exp2(x), l = log(x), l2 = log2(x), r = sqrt(x), rr = rsqrt(x), t = tanh(x);
  auto ft = fast_tanh(x);
  store(out + i, e, i < n);
  store(out + n + i, e2, i < n);
  store(out + 2 * n + i, l, i < n);
  store(out + 3 * n + i, l2, i < n);
  store(out + 4 * n + i, r, i < n);
  store(out + 5 * n + i, rr, i < n);
  store(out + 6 * n + i, t, i < n);
  store(out + 7 * n + i, sigmoid(x), i < n);
  store(out + 8 * n + i, ft, i < n);
}
inline constexpr auto functions_1 = instantiate(functions, {.num_warps = 4});

// Composites are computed from their parts.
// CHECK: e[v] = tile2cu::precise::exp(x
// CHECK: e2[v] = tile2cu::precise::exp2(x
// CHECK: l[v] = tile2cu::precise::log(x
// CHECK: l2[v] = tile2cu::precise::log2(x
// CHECK: r[v] = tile2cu::precise::sqrt(x
// CHECK: rr[v] = tile2cu::precise::rsqrt(x
// CHECK: t[v] = tile2cu::precise::tanh(x
// CHECK: ft[v] = tile2cu::precise::tanh(x
// CHECK: __fdiv_rn(1.0f, 1.0f + tile2cu::precise::exp(-x
// FAST: e[v] = tile2cu::exp(x
// FAST: ft[v] = tile2cu::fast_tanh(x

// The file has no helper for an approximation. Arithmetic on the host is unchanged.
// PASTED: namespace precise {
// PASTED-NOT: .approx
// PASTED-NOT: div.full
// PASTED: ==== end of device helpers
// PASTED: ---- launchers ----
// PASTED-NOT: __fmul_rn
