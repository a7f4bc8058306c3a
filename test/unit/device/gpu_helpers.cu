// The device helpers on a GPU: the errors that their comments promise, over all floats, and their
// results. nvcc -std=c++17 -O3 -Iruntime/include -arch=native test/unit/device/gpu_helpers.cu &&
// ./a.out
#include <cstdio>
#include <vector>

#include "tile2cu/device.cuh"

namespace {

namespace t = tile2cu;
using t::cache;

int failures = 0;

void expect(bool ok, const char* what) {
  if (!ok) printf("FAILED %s\n", what);
  failures += !ok;
}

// Managed memory of n elements.
template <class T>
T* memory(size_t n) {
  T* p = nullptr;
  if (cudaMallocManaged(&p, n * sizeof(T)) != cudaSuccess) abort();
  return p;
}
void finish(const char* what) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
  failures += error != cudaSuccess;
}

// ---- mathematics: the largest error in ulps over every float

__device__ double flush(double x) { return fabs(x) < 0x1p-126 ? copysign(0.0, x) : x; }

#define FUNCTION(STRUCT, GOT, WANT)                          \
  struct STRUCT {                                            \
    __device__ static float got(float x) { return GOT; }     \
    __device__ static double want(double x) { return WANT; } \
  }
FUNCTION(Exp2, t::exp2(x), ::exp2(x));
FUNCTION(Exp, t::exp(x), ::exp(x));
FUNCTION(Log2, t::log2(x), ::log2(flush(x)));
FUNCTION(Log, t::log(x), ::log(flush(x)));
FUNCTION(Rsqrt, t::rsqrt(x), ::rsqrt(flush(x)));
FUNCTION(Sqrt, t::sqrt(x), ::sqrt(flush(x)));
FUNCTION(Reciprocal, t::reciprocal(x), 1.0 / flush(x));
FUNCTION(Third, t::fdiv(x, 3.0f), x / 3.0);
FUNCTION(Into, t::fdiv(1.0f, x), 1.0 / x);
FUNCTION(Tanh, t::tanh(x), ::tanh(x));
FUNCTION(FastTanh, t::fast_tanh(x), ::tanh(x));
FUNCTION(Sin, t::sin(x), ::sin(x));
FUNCTION(Cos, t::cos(x), ::cos(x));
FUNCTION(Tan, t::tan(x), ::tan(x));
FUNCTION(Erf, t::erf(x), ::erf(x));
FUNCTION(PreciseExp2, t::precise::exp2(x), ::exp2(x));
FUNCTION(PreciseExp, t::precise::exp(x), ::exp(x));
FUNCTION(PreciseLog2, t::precise::log2(x), ::log2(x));
FUNCTION(PreciseLog, t::precise::log(x), ::log(x));
FUNCTION(PreciseSqrt, t::precise::sqrt(x), ::sqrt(x));
FUNCTION(PreciseRsqrt, t::precise::rsqrt(x), ::rsqrt(x));
FUNCTION(PreciseTanh, t::precise::tanh(x), ::tanh(x));

struct Worst {
  double ulps, relative, absolute, scaled;  // scaled: relative error over 2^-22 + |x| 2^-23
  float ulps_at, wrong_at;
  unsigned wrong;  // special values that differ
};

template <class F>
__global__ void errors(Worst* of_thread, bool flushes, float low, float high) {
  Worst worst = {};
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (uint64_t bits = thread; bits < uint64_t{1} << 32; bits += threads) {
    const float x = t::bit_cast<float>(uint32_t(bits));
    if (fabsf(x) < low || fabsf(x) > high) continue;
    const float y = F::got(x);
    const double exact = F::want(double(x));
    const float rounded = float(exact);
    if (isnan(exact) || isinf(rounded) || isinf(y)) {
      // Within rounding of the largest float either may be infinite.
      const bool close = fabs(exact) > 3.4028230e38 && (isinf(y) || fabsf(y) > 3.402822e38f) &&
                         signbit(y) == signbit(exact);
      if (!(isnan(exact) ? isnan(y) : close || y == rounded)) ++worst.wrong, worst.wrong_at = x;
      continue;
    }
    if (flushes && fabs(exact) < 0x1.00001p-126) continue;
    const float magnitude = fabsf(rounded);
    const double ulp = double(t::bit_cast<float>(t::bit_cast<uint32_t>(magnitude) + 1)) - magnitude;
    const double error = fabs(double(y) - exact);
    if (!(error / ulp <= worst.ulps)) worst.ulps = error / ulp, worst.ulps_at = x;
    worst.absolute = fmax(worst.absolute, error);
    if (exact != 0) {
      const double relative = error / fabs(exact);
      worst.relative = fmax(worst.relative, relative);
      worst.scaled = fmax(worst.scaled, relative / (0x1p-22 + fabs(double(x)) * 0x1p-23));
    }
  }
  of_thread[thread] = worst;
}

template <class F>
Worst worstOf(const char* name, bool flushes, float low = 0.0f, float high = INFINITY) {
  constexpr int BLOCKS = 1024, THREADS = 256;
  static Worst* of_thread = memory<Worst>(BLOCKS * THREADS);
  errors<F><<<BLOCKS, THREADS>>>(of_thread, flushes, low, high);
  finish(name);
  Worst worst = {};
  for (int i = 0; i < BLOCKS * THREADS; ++i) {
    const Worst& w = of_thread[i];
    if (!(w.ulps <= worst.ulps)) worst.ulps = w.ulps, worst.ulps_at = w.ulps_at;
    worst.relative = fmax(worst.relative, w.relative);
    worst.absolute = fmax(worst.absolute, w.absolute);
    worst.scaled = fmax(worst.scaled, w.scaled);
    if (w.wrong > 0) worst.wrong += w.wrong, worst.wrong_at = w.wrong_at;
  }
  printf("%-13s %9.3f ulp at %-14.8g relative %.3g absolute %.3g scaled %.3f", name, worst.ulps,
         worst.ulps_at, worst.relative, worst.absolute, worst.scaled);
  if (worst.wrong > 0) printf("  %u special values, such as f(%g)", worst.wrong, worst.wrong_at);
  printf("\n");
  expect(worst.wrong == 0, name);
  return worst;
}

void mathematics() {
  const auto ulps = [](const char* name, const Worst& worst, double bound) {
    expect(worst.ulps <= bound, name);
  };
  const auto relative = [](const char* name, const Worst& worst, double bound) {
    expect(worst.relative <= bound, name);
  };
  relative("exp2", worstOf<Exp2>("exp2", true), 0x1.6ap-23);
  expect(worstOf<Exp>("exp", true).scaled <= 1, "exp");
  expect(worstOf<Log2>("log2 near 1", true, 0.5f, 2.0f).absolute <= 0x1p-22, "log2 near 1");
  relative("log2 below", worstOf<Log2>("log2 below", true, 0.0f, 0.5f), 0x1p-22);
  relative("log2 above", worstOf<Log2>("log2 above", true, 2.0f), 0x1p-22);
  expect(worstOf<Log>("log near 1", true, 0.5f, 2.0f).absolute <= 0x1p-22, "log near 1");
  relative("log below", worstOf<Log>("log below", true, 0.0f, 0.5f), 0x1.6ap-22);
  relative("log above", worstOf<Log>("log above", true, 2.0f), 0x1.6ap-22);
  ulps("rsqrt", worstOf<Rsqrt>("rsqrt", true), 2);
  ulps("sqrt", worstOf<Sqrt>("sqrt", true), 2);
  ulps("reciprocal", worstOf<Reciprocal>("reciprocal", true), 1);
  ulps("fdiv(x, 3)", worstOf<Third>("fdiv(x, 3)", false, 0x1p-125f), 2);
  ulps("fdiv(1, x)", worstOf<Into>("fdiv(1, x)", true, 0x1p-126f), 2);
  ulps("tanh", worstOf<Tanh>("tanh", false), 3);
  relative("fast_tanh", worstOf<FastTanh>("fast_tanh", false), 0x1p-11);
  ulps("sin", worstOf<Sin>("sin", false), 2);
  ulps("cos", worstOf<Cos>("cos", false), 2);
  ulps("tan", worstOf<Tan>("tan", false), 4);
  ulps("erf", worstOf<Erf>("erf", false), 2);
  ulps("precise exp2", worstOf<PreciseExp2>("precise exp2", false), 3);
  ulps("precise exp", worstOf<PreciseExp>("precise exp", false), 2);
  ulps("precise log2", worstOf<PreciseLog2>("precise log2", false), 1);
  ulps("precise log", worstOf<PreciseLog>("precise log", false), 1);
  ulps("precise sqrt", worstOf<PreciseSqrt>("precise sqrt", false), 0.5);
  ulps("precise rsqrt", worstOf<PreciseRsqrt>("precise rsqrt", false), 1.5);
  ulps("precise tanh", worstOf<PreciseTanh>("precise tanh", false), 2);
}

// ---- memory

template <class T, int N, cache LOAD>
__global__ void prefixes(const T* in, T* out, T* whole) {
  for (int valid = -1; valid <= N + 1; ++valid) {
    auto v = t::load_prefix<N, LOAD>(valid, in, T(7.0f));
    t::store_if<N>(true, whole + (valid + 1) * N, v);
    t::store_prefix<N>(valid, out + (valid + 1) * N, v);
    v = t::load_if<N, LOAD>(valid > 0, in + N, T(7.0f));
    t::store_if<N>(valid > 0, whole + (valid + N + 4) * N, v);
  }
}
template <class T, int N, cache LOAD = cache::read_only>
void checkPrefixes() {
  constexpr int ROWS = N + 3;
  T *in = memory<T>(2 * N), *out = memory<T>(ROWS * N), *whole = memory<T>(2 * ROWS * N);
  for (int i = 0; i < 2 * N; ++i) in[i] = T(float(i + 1));
  for (int i = 0; i < ROWS * N; ++i) out[i] = T(5.0f);
  for (int i = 0; i < 2 * ROWS * N; ++i) whole[i] = T(5.0f);
  prefixes<T, N, LOAD><<<1, 1>>>(in, out, whole);
  finish("prefixes");
  bool ok = true;
  for (int valid = -1; valid <= N + 1; ++valid) {
    for (int e = 0; e < N; ++e) {
      const int at = (valid + 1) * N + e;
      ok &= whole[at] == (e < valid ? in[e] : T(7.0f));
      ok &= out[at] == (e < valid ? in[e] : T(5.0f));
      ok &= whole[ROWS * N + at] == (valid > 0 ? in[N + e] : T(5.0f));
    }
  }
  expect(ok, "prefixes");
}
template <class T>
void checkTypes() {
  checkPrefixes<T, 1>();
  checkPrefixes<T, 2, cache::coherent>();
  checkPrefixes<T, 4, cache::cv>();
  checkPrefixes<T, 8, cache::read_only_evict_first>();
  checkPrefixes<T, 16>();
}

// ---- reductions, scans

template <int WARPS>
__global__ void blocks(const float* in, float* sum, t::indexed<float>* best, float* scan) {
  __shared__ float partial[WARPS];
  __shared__ t::indexed<float> partial_best[WARPS];
  const int tid = threadIdx.x;
  sum[tid] = t::block_reduce(in[tid], t::sum_op<float>(), partial);
  const t::indexed<float> mine = {floorf(in[tid]), tid};
  best[tid] = t::block_reduce(mine, t::argmax_op<float>(), partial_best);
  scan[tid] = t::warp_scan<8, 4>(in[tid], t::sum_op<float>()) +
              t::warp_scan_reverse<16>(in[tid], t::sum_op<float>()) +
              t::warp_reduce<4, 8>(in[tid], t::max_op<float>()) +
              t::warp_shift_up<16, 2>(in[tid], -1.0f) + t::warp_shift_down<2, 16>(in[tid], -2.0f);
  const t::vec<float, 1> low = {in[tid]}, high = {in[tid] + 1};
  const t::vec<float, 2> both = t::exchange_lanes<4>(low, high);
  scan[tid] += 8 * both[0] + 16 * both[1];
}
template <int WARPS>
void checkBlocks() {
  constexpr int THREADS = WARPS * 32;
  float *in = memory<float>(THREADS), *sum = memory<float>(THREADS), *scan = memory<float>(THREADS);
  auto* best = memory<t::indexed<float>>(THREADS);
  float total = 0;
  int first = 0;
  for (int i = 0; i < THREADS; ++i) {
    in[i] = float(i * 7919 % 4001) / 16;
    total += in[i];
    if (floorf(in[i]) > floorf(in[first])) first = i;
  }
  blocks<WARPS><<<1, THREADS>>>(in, sum, best, scan);
  finish("blocks");
  bool ok = true;
  for (int i = 0; i < THREADS; ++i) {
    const int lane = i % 32, warp = i - lane;
    ok &= sum[i] == total && best[i].index == first && best[i].value == floorf(in[first]);
    float want = 0;
    for (int l = lane % 4; l <= lane; l += 4) want += in[warp + l];
    for (int l = lane; l < lane / 16 * 16 + 16; ++l) want += in[warp + l];
    float largest = -INFINITY;
    for (int l = lane % 8; l < 32; l += 8) largest = fmaxf(largest, in[warp + l]);
    want += largest + (lane >= 2 ? in[i - 2] : -1.0f) + (lane < 16 ? in[i + 16] : -2.0f);
    const float upper = lane & 4 ? 1.0f : 0.0f;  // of those with the bit, the second ones of both
    want += 8 * (in[i & ~4] + upper) + 16 * (in[i | 4] + upper);
    ok &= fabsf(scan[i] - want) < 0.01f;
  }
  expect(ok, "blocks");
}

// ---- random numbers, atomics

__global__ void random(uint32_t* out, const float* limits, int count, unsigned* wrong) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    for (int i = 0; i < 4; ++i) out[i] = t::philox4x32(0, 0)[i];
  }
  for (int i = 0; i < count; ++i) {
    const auto threshold = t::uniform_threshold(limits[i]);
    for (uint32_t top = blockIdx.x * blockDim.x + threadIdx.x; top < 1u << 24;
         top += gridDim.x * blockDim.x) {
      const uint32_t bits = top << 8 | (top & 0xff);
      if ((bits > threshold) != (t::to_uniform(bits) > limits[i])) atomicAdd(wrong, 1u);
    }
  }
}

template <class T>
__global__ void atomics(T* total, T* old) {
  if (threadIdx.x < 100) old[threadIdx.x] = t::atomic_add(total, 1.0f);
  if (threadIdx.x >= 100) t::atomic_add(total, 0.5f + 0.5f);
}
template <class T>
void checkAtomics(const char* name) {
  T *total = memory<T>(2), *old = memory<T>(128);
  total[0] = total[1] = T(0.0f);
  atomics<<<1, 128>>>(total, old);
  finish(name);
  expect(float(total[0]) == 128.0f && float(total[1]) == 0.0f, name);
}

// Minimum and maximum of each pair of numbers: what memory has afterwards, and the old values.
template <class T>
__global__ void extremes(T* results, const T* numbers, int count) {
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b, results += 4) {
      results[0] = results[1] = numbers[a];
      results[2] = t::atomic_min(results, numbers[b]);
      results[3] = t::atomic_max(results + 1, numbers[b]);
    }
}
template <class T>
void checkExtremes(const char* name) {
  const float values[] = {-INFINITY, -2, -0.0f, 0.0f, 3, INFINITY, NAN, -NAN};
  T *numbers = memory<T>(8), *results = memory<T>(4 * 64);
  for (int i = 0; i < 8; ++i) numbers[i] = T(values[i]);
  extremes<<<1, 1>>>(results, numbers, 8);
  finish(name);
  const auto same = [](float x, float y) {
    return x == y ? std::signbit(x) == std::signbit(y) : x != x && y != y;
  };
  for (int i = 0; i < 64; ++i) {
    const float a = values[i / 8], b = values[i % 8];
    const bool sign = std::signbit(a) < std::signbit(b);
    const float low = a == 0 && b == 0 ? (sign ? b : a) : std::fmin(a, b);
    const float high = a == 0 && b == 0 ? (sign ? a : b) : std::fmax(a, b);
    const T* of = results + 4 * i;
    expect(same(float(of[0]), low) && same(float(of[1]), high) && same(float(of[2]), a) &&
               same(float(of[3]), a),
           name);
  }
}

// 16-bit arithmetic of all pairs of `count` numbers, with c = 3: each operation rounds once.
template <class T>
__global__ void arithmetic(const T* numbers, int count, unsigned* wrong) {
  const T a = numbers[blockIdx.x], c = T(3.0f);
  const auto rounded = [](float x) { return T(x); };
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const T b = numbers[i];
    const float x = t::to_float(a), y = t::to_float(b);
    const T got[] = {a + b, a - b, a * b, a / b, t::multiply(a, b) + c};
    const T want[] = {rounded(x + y), rounded(x - y), rounded(__fmul_rn(x, y)),
                      rounded(__fdiv_rn(x, y)),
                      rounded(t::to_float(rounded(__fmul_rn(x, y))) + 3.0f)};
    for (int k = 0; k < 5; ++k) {
      const float g = t::to_float(got[k]), w = t::to_float(want[k]);
      if (!(g == w || (g != g && w != w))) atomicAdd(wrong, 1u);
    }
  }
}
template <class T>
void checkArithmetic(const char* name) {
  constexpr int COUNT = 4096;
  T* numbers = memory<T>(COUNT);
  auto* wrong = memory<unsigned>(1);
  *wrong = 0;
  for (int i = 0; i < COUNT; ++i) {
    const unsigned short bits = (unsigned short)(i * 2654435761u >> 16);
    memcpy(static_cast<void*>(&numbers[i]), &bits, 2);
  }
  arithmetic<<<COUNT, 256>>>(numbers, COUNT, wrong);
  finish(name);
  if (*wrong != 0) printf("%s: %u wrong\n", name, *wrong);
  expect(*wrong == 0, name);
}

// Every byte, in vectors of N: what is converted together is what each is by itself.
template <class T, int N>
__global__ void bytes(unsigned* wrong) {
  t::vec<T, N> x;
  for (int v = 0; v < N; ++v) x[v] = T(int(threadIdx.x) + 37 * v);
  const t::vec<__half, N> half = t::bytes_to_half(x);
  const t::vec<__nv_bfloat16, N> bfloat16 = t::bytes_to_bfloat16(x);
  for (int v = 0; v < N; ++v) {
    if (t::to_float(half[v]) != float(x[v])) atomicAdd(wrong, 1u);
    if (t::to_float(bfloat16[v]) != float(x[v])) atomicAdd(wrong, 1u);
  }
}

// Every small integer, from LOW on.
template <int LOW>
__global__ void smallIntegers(unsigned* wrong) {
  const int x = LOW + int(threadIdx.x);
  if (t::to_float(t::small_to_half<LOW>(x)) != float(x)) atomicAdd(wrong, 1u);
  constexpr int NEAR = LOW / 8;
  const int y = NEAR + int(threadIdx.x);
  if (y < NEAR + 128 && t::to_float(t::small_to_bfloat16<NEAR>(y)) != float(y))
    atomicAdd(wrong, 1u);
}

void checkBytes() {
  auto* wrong = memory<unsigned>(1);
  *wrong = 0;
  smallIntegers<-1024><<<1, 1024>>>(wrong);
  smallIntegers<-8><<<1, 1024>>>(wrong);
  smallIntegers<0><<<1, 1024>>>(wrong);
  smallIntegers<1024><<<1, 1024>>>(wrong);
  bytes<int8_t, 1><<<1, 256>>>(wrong);
  bytes<int8_t, 2><<<1, 256>>>(wrong);
  bytes<int8_t, 4><<<1, 256>>>(wrong);
  bytes<int8_t, 16><<<1, 256>>>(wrong);
  bytes<uint8_t, 1><<<1, 256>>>(wrong);
  bytes<uint8_t, 4><<<1, 256>>>(wrong);
  bytes<uint8_t, 16><<<1, 256>>>(wrong);
  finish("bytes");
  expect(*wrong == 0, "small integers as 16-bit floats");
}

void others() {
  checkBytes();
  checkArithmetic<__half>("arithmetic of half");
  checkArithmetic<__nv_bfloat16>("arithmetic of bfloat16");
  auto* bits = memory<uint32_t>(4);
  auto* wrong = memory<unsigned>(1);
  const std::vector<float> limits = {
      0.0f,     -0.0f,    1.0f, NAN,  INFINITY, -INFINITY,       -0x1p-149f, 0x1p-149f,
      0x1p-24f, 0x1p-25f, 0.1f, 0.5f, 0.9f,     1.0f - 0x1p-24f, 1.5f,       -3.0f};
  float* on_device = memory<float>(limits.size());
  for (size_t i = 0; i < limits.size(); ++i) on_device[i] = limits[i];
  *wrong = 0;
  random<<<256, 256>>>(bits, on_device, int(limits.size()), wrong);
  finish("random");
  expect(bits[0] == 0x6627e8d5u && bits[1] == 0xe169c58du && bits[2] == 0xbc57ac4cu &&
             bits[3] == 0x9b00dbd8u,
         "philox");
  expect(*wrong == 0, "uniform_threshold");
  checkExtremes<float>("extremes of float");
  checkExtremes<double>("extremes of double");
  checkExtremes<__half>("extremes of half");
  checkExtremes<__nv_bfloat16>("extremes of bfloat16");
  checkAtomics<int>("atomics of int");
  checkAtomics<int16_t>("atomics of int16_t");
  checkAtomics<int64_t>("atomics of int64_t");
  checkAtomics<float>("atomics of float");
  checkAtomics<double>("atomics of double");
  checkAtomics<__half>("atomics of half");
  checkAtomics<__nv_bfloat16>("atomics of bfloat16");
}

}  // namespace

// Any argument: without the mathematics, for compute-sanitizer.
int main(int argc, char**) {
  checkTypes<bool>();
  checkTypes<int8_t>();
  checkTypes<__half>();
  checkTypes<__nv_bfloat16>();
  checkTypes<float>();
  checkTypes<double>();
  checkBlocks<1>();
  checkBlocks<2>();
  checkBlocks<3>();
  checkBlocks<5>();
  checkBlocks<7>();
  checkBlocks<8>();
  checkBlocks<12>();
  checkBlocks<16>();
  checkBlocks<31>();
  checkBlocks<32>();
  others();
  if (argc == 1) mathematics();
  printf("%s\n", failures == 0 ? "passed" : "FAILED");
  return failures != 0;
}
