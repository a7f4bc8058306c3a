// RUN: not %tile2cu %s -o - -- -ferror-limit=0 2>&1 | FileCheck %s
// The launcher is host C++: device functions and conversions are not available. One row for each.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void root(float* out, float x) {
  // CHECK: :[[@LINE+1]]:14: error: 'sqrt' in the grid is computed by the launcher; use only kernel parameters, constants and num_sms() here
  auto row = grid(cast<int>(sqrt(x)));
  out[row] = 1;
}
__tile_global__ void toward_zero(float* out, int n) {
  // CHECK: :[[@LINE+1]]:3: error: 'cast' in a requirement is computed by the launcher
  require(cast<float>(n, rounding::rz) < 3.0f);
  grid(n);
  out[0] = 1;
}

#define REFUSED(name, extent)                                                   \
  __tile_global__ void name(float* out, float x, double d, unsigned u, int n) { \
    out[grid(extent)] = 1;                                                      \
  }
// CHECK: :[[@LINE+1]]:1: error: 'exp' in the grid is computed by the launcher
REFUSED(exp_of, cast<int>(exp(x)))
// CHECK: :[[@LINE+1]]:1: error: 'exp2' in the grid is computed by the launcher
REFUSED(exp2_of, cast<int>(exp2(x)))
// CHECK: :[[@LINE+1]]:1: error: 'log' in the grid is computed by the launcher
REFUSED(log_of, cast<int>(log(x)))
// CHECK: :[[@LINE+1]]:1: error: 'log2' in the grid is computed by the launcher
REFUSED(log2_of, cast<int>(log2(x)))
// CHECK: :[[@LINE+1]]:1: error: 'sqrt' in the grid is computed by the launcher
REFUSED(sqrt_of, cast<int>(sqrt(x)))
// CHECK: :[[@LINE+1]]:1: error: 'sqrt_rn' in the grid is computed by the launcher
REFUSED(sqrt_rn_of, cast<int>(sqrt_rn(x)))
// CHECK: :[[@LINE+1]]:1: error: 'rsqrt' in the grid is computed by the launcher
REFUSED(rsqrt_of, cast<int>(rsqrt(x)))
// CHECK: :[[@LINE+1]]:1: error: 'sin' in the grid is computed by the launcher
REFUSED(sin_of, cast<int>(sin(x)))
// CHECK: :[[@LINE+1]]:1: error: 'cos' in the grid is computed by the launcher
REFUSED(cos_of, cast<int>(cos(x)))
// CHECK: :[[@LINE+1]]:1: error: 'tan' in the grid is computed by the launcher
REFUSED(tan_of, cast<int>(tan(x)))
// CHECK: :[[@LINE+1]]:1: error: 'tanh' in the grid is computed by the launcher
REFUSED(tanh_of, cast<int>(tanh(x)))
// CHECK: :[[@LINE+1]]:1: error: 'fast_tanh' in the grid is computed by the launcher
REFUSED(fast_tanh_of, cast<int>(fast_tanh(x)))
// CHECK: :[[@LINE+1]]:1: error: 'erf' in the grid is computed by the launcher
REFUSED(erf_of, cast<int>(erf(x)))
// CHECK: :[[@LINE+1]]:1: error: 'floor' in the grid is computed by the launcher
REFUSED(floor_of, cast<int>(floor(x)))
// CHECK: :[[@LINE+1]]:1: error: 'ceil' in the grid is computed by the launcher
REFUSED(ceil_of, cast<int>(ceil(x)))
// CHECK: :[[@LINE+1]]:1: error: 'rint' in the grid is computed by the launcher
REFUSED(rint_of, cast<int>(rint(x)))
// CHECK: :[[@LINE+1]]:1: error: 'sqrt' in the grid is computed by the launcher
REFUSED(sqrt_of_double, cast<int>(sqrt(d)))
// CHECK: :[[@LINE+1]]:1: error: 'exp' in the grid is computed by the launcher
REFUSED(sigmoid_of, cast<int>(sigmoid(x)))
// CHECK: :[[@LINE+1]]:1: error: 'pow' in the grid is computed by the launcher
REFUSED(pow_of, cast<int>(pow(x, 2.0f)))
// CHECK: :[[@LINE+1]]:1: error: 'div_rn' in the grid is computed by the launcher
REFUSED(div_rn_of, cast<int>(div_rn(x, 2.0f)))
// CHECK: :[[@LINE+1]]:1: error: 'umulhi' in the grid is computed by the launcher
REFUSED(umulhi_of, umulhi(u, u))
// CHECK: :[[@LINE+1]]:1: error: 'mulhi' in the grid is computed by the launcher
REFUSED(mulhi_of, mulhi(n, n))
// CHECK: :[[@LINE+1]]:1: error: 'cuda' in the grid is computed by the launcher
REFUSED(cuda_of, cuda("return x;", [](int x) { return x; }, n))
// CHECK: :[[@LINE+1]]:1: error: 'add_rz' in the grid is computed by the launcher
REFUSED(add_rz_of, cast<int>(add_rz(x, x)))
// CHECK: :[[@LINE+1]]:1: error: 'mul_ru' in the grid is computed by the launcher
REFUSED(mul_ru_of, cast<int>(mul_ru(x, x)))
// CHECK: :[[@LINE+1]]:1: error: 'fma_rn' in the grid is computed by the launcher
REFUSED(fma_rn_of, cast<int>(fma_rn(x, x, x)))
// CHECK: :[[@LINE+1]]:1: error: 'random_bits' in the grid is computed by the launcher
REFUSED(randint_of, randint(7, n))
// CHECK: :[[@LINE+1]]:1: error: 'cast' in the grid is computed by the launcher
REFUSED(half_of_double, cast<int>(cast<float16>(d)))
// CHECK: :[[@LINE+1]]:1: error: 'cast' in the grid is computed by the launcher
REFUSED(half_of_int, cast<int>(cast<float16>(n)))
// CHECK: :[[@LINE+1]]:1: error: 'cast' in the grid is computed by the launcher
REFUSED(bfloat16_of_int, cast<int>(cast<bfloat16>(n)))
// CHECK: :[[@LINE+1]]:1: error: 'cast' in the grid is computed by the launcher
REFUSED(bfloat16_of_double, cast<int>(cast<bfloat16>(d)))
// CHECK: :[[@LINE+1]]:1: error: 'cast' in the grid is computed by the launcher
REFUSED(float8_of, cast<int>(cast<float>(cast<float8_e4m3>(x))))
// CHECK: :[[@LINE+1]]:1: error: 'cast' in the grid is computed by the launcher
REFUSED(float_toward_zero, cast<int>(cast<float>(n, rounding::rz)))
// CHECK: :[[@LINE+1]]:1: error: 'cast' in the grid is computed by the launcher
REFUSED(half_toward_zero, cast<int>(cast<float16>(x, rounding::rz)))
// CHECK: :[[@LINE+1]]:1: error: 'abs' in the grid is computed by the launcher
REFUSED(abs_of_half, cast<int>(abs(cast<float16>(x))))
// CHECK: :[[@LINE+1]]:1: error: 'clamp' in the grid is computed by the launcher
REFUSED(clamp_of_half, cast<int>(clamp(cast<float16>(x), float16(0.0f), float16(9.0f))))
// CHECK: :[[@LINE+1]]:1: error: 'minimum' in the grid is computed by the launcher
REFUSED(minimum_of_halves, cast<int>(minimum(cast<float16>(x), float16(9.0f))))
// CHECK: :[[@LINE+1]]:1: error: 'maximum' in the grid is computed by the launcher
REFUSED(maximum_of_halves, cast<int>(maximum(cast<float16>(x), float16(9.0f))))
// CHECK: :[[@LINE+1]]:1: error: 'maximum' in the grid is computed by the launcher
REFUSED(maximum_of_nans, cast<int>(maximum(x, 9.0f, propagate_nan)))
