// CUDA's device functions: barriers, warp collectives, integer and floating-point intrinsics.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <math.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cuda.h"

namespace emulate {

enum class collective {
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  vote,
  reduce,
  sync,
  instruction,  // of a whole warp: see tensor_core.h
};

// Waits for all threads of the block; orders all memory.
void block_barrier();
void thread_fence();  // of device scope or wider
// Waits for the lanes of `mask`; orders their memory.
void warp_barrier(unsigned mask);
// Waits for the lanes of `mask` in the same collective; returns the value of each lane, by lane
// index. Orders no memory.
const std::uint64_t* exchange(collective kind, unsigned mask, std::uint64_t mine);
unsigned lane();
[[noreturn]] void trap();
// An assumption made for nvcc does not hold.
[[noreturn]] void wrong_assumption(const char* condition);

template <class T>
std::uint64_t to_word(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
T from_word(std::uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof(T));
  return value;
}

// The value of lane `source` if it is within this lane's segment, else this lane's own value.
template <class T>
__forceinline__ T shuffle(collective kind, unsigned mask, T value, int source, int begin, int end) {
  const std::uint64_t* all = exchange(kind, mask, to_word(value));
  return source >= begin && source < end ? from_word<T>(all[source]) : value;
}

// Votes and reductions over the lanes of a mask, with `combine`.
template <class T, class Combine>
__forceinline__ T fold(collective kind, unsigned mask, T value, Combine combine) {
  const std::uint64_t* all = exchange(kind, mask, to_word(value));
  T result = value;
  for (int l = 0; l < 32; ++l) {
    if (mask >> l & 1 && l != int(lane())) result = combine(result, from_word<T>(all[l]));
  }
  return result;
}

// An integer as a float or double, rounded toward zero: the bits that do not fit are cleared.
template <class F, class I>
inline F integer_rz(I x) {
  constexpr int digits = std::numeric_limits<F>::digits;
  const bool negative = x < 0;
  std::uint64_t magnitude = negative ? 0 - std::uint64_t(x) : std::uint64_t(x);
  const int drop = int(std::bit_width(magnitude)) - digits;
  if (drop > 0) magnitude = magnitude >> drop << drop;
  return negative ? -F(magnitude) : F(magnitude);
}

}  // namespace emulate

// ---- barriers
__forceinline__ void __syncthreads() { emulate::block_barrier(); }
__forceinline__ void __syncwarp(unsigned mask = 0xffffffffu) { emulate::warp_barrier(mask); }
// A double as a float, rounded toward zero.
inline float __double2float_rz(double x) {
  const float nearest = static_cast<float>(x);
  const bool away = std::fabs(static_cast<double>(nearest)) > std::fabs(x);
  return away ? std::nextafterf(nearest, 0.0f) : nearest;
}
inline float __int2float_rz(int x) { return emulate::integer_rz<float>(x); }
inline float __uint2float_rz(unsigned x) { return emulate::integer_rz<float>(x); }
inline float __ll2float_rz(long long x) { return emulate::integer_rz<float>(x); }
inline float __ull2float_rz(unsigned long long x) { return emulate::integer_rz<float>(x); }
inline double __ll2double_rz(long long x) { return emulate::integer_rz<double>(x); }
inline double __ull2double_rz(unsigned long long x) { return emulate::integer_rz<double>(x); }
inline void __threadfence() { emulate::thread_fence(); }
inline void __threadfence_block() {}
inline void __threadfence_system() { emulate::thread_fence(); }
inline void __nanosleep(unsigned) {}
[[noreturn]] inline void __trap() { emulate::trap(); }
#define __builtin_assume(...) ((__VA_ARGS__) ? void() : emulate::wrong_assumption(#__VA_ARGS__))

// ---- warp collectives
template <class T>
__forceinline__ T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  const int begin = int(emulate::lane()) & -width;
  return emulate::shuffle(emulate::collective::shuffle, mask, value, begin + (source & (width - 1)),
                          begin, begin + width);
}
template <class T>
__forceinline__ T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32) {
  const int mine = int(emulate::lane()), begin = mine & -width;
  return emulate::shuffle(emulate::collective::shuffle_up, mask, value, mine - int(distance), begin,
                          begin + width);
}
template <class T>
__forceinline__ T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32) {
  const int mine = int(emulate::lane()), begin = mine & -width;
  return emulate::shuffle(emulate::collective::shuffle_down, mask, value, mine + int(distance),
                          begin, begin + width);
}
template <class T>
__forceinline__ T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  const int mine = int(emulate::lane()), begin = mine & -width;
  return emulate::shuffle(emulate::collective::shuffle_xor, mask, value, mine ^ bits, begin,
                          begin + width);
}
__forceinline__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return emulate::fold(emulate::collective::vote, mask, predicate ? 1u << emulate::lane() : 0u,
                       [](unsigned a, unsigned b) { return a | b; });
}
__forceinline__ int __any_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
__forceinline__ int __all_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}
#define TILE2CU_WARP_REDUCE(NAME, T, EXPRESSION)                    \
  __forceinline__ T NAME(unsigned mask, T value) {                  \
    return emulate::fold(emulate::collective::reduce, mask, value,  \
                         [](T a, T b) -> T { return EXPRESSION; }); \
  }
TILE2CU_WARP_REDUCE(__reduce_add_sync, unsigned, a + b)
TILE2CU_WARP_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
TILE2CU_WARP_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
TILE2CU_WARP_REDUCE(__reduce_add_sync, int, int(unsigned(a) + unsigned(b)))
TILE2CU_WARP_REDUCE(__reduce_min_sync, int, a < b ? a : b)
TILE2CU_WARP_REDUCE(__reduce_max_sync, int, a > b ? a : b)
TILE2CU_WARP_REDUCE(__reduce_and_sync, unsigned, a& b)
TILE2CU_WARP_REDUCE(__reduce_or_sync, unsigned, a | b)
TILE2CU_WARP_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef TILE2CU_WARP_REDUCE

// ---- integers
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(unsigned(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned(std::uint64_t{a} * b >> 32); }
inline int __mulhi(int a, int b) { return int(std::int64_t{a} * b >> 32); }
__extension__ typedef unsigned __int128 tile2cu_uint128;
__extension__ typedef __int128 tile2cu_int128;
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(tile2cu_uint128(a) * b >> 64);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(tile2cu_int128(a) * b >> 64);
}
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1u) << (31 - i);
  return reversed;
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> (4 * i) & 0xf;
    unsigned byte = unsigned(bytes >> (8 * (nibble & 7))) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned((std::uint64_t{high} << 32 | low) >> (shift & 31));
}

// ---- bits
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

// ---- floating point
namespace emulate {
// Rounds in a direction of <cfenv> while it exists.
struct direction {
  explicit direction(int to) : before(std::fegetround()) { std::fesetround(to); }
  ~direction() { std::fesetround(before); }
  direction(const direction&) = delete;
  int before;
};
}  // namespace emulate
// Volatile operands are read, and the result is computed, while the direction is set.
#define TILE2CU_ROUNDED(T, ADD, MUL, FMA, DIRECTION) \
  inline T ADD(T a, T b) {                           \
    volatile T x = a, y = b, result;                 \
    const emulate::direction scope(DIRECTION);       \
    result = x + y;                                  \
    return result;                                   \
  }                                                  \
  inline T MUL(T a, T b) {                           \
    volatile T x = a, y = b, result;                 \
    const emulate::direction scope(DIRECTION);       \
    result = x * y;                                  \
    return result;                                   \
  }                                                  \
  inline T FMA(T a, T b, T c) {                      \
    volatile T x = a, y = b, z = c, result;          \
    const emulate::direction scope(DIRECTION);       \
    result = std::fma(T(x), T(y), T(z));             \
    return result;                                   \
  }
TILE2CU_ROUNDED(float, __fadd_rz, __fmul_rz, __fmaf_rz, FE_TOWARDZERO)
TILE2CU_ROUNDED(float, __fadd_ru, __fmul_ru, __fmaf_ru, FE_UPWARD)
TILE2CU_ROUNDED(float, __fadd_rd, __fmul_rd, __fmaf_rd, FE_DOWNWARD)
TILE2CU_ROUNDED(double, __dadd_rz, __dmul_rz, __fma_rz, FE_TOWARDZERO)
TILE2CU_ROUNDED(double, __dadd_ru, __dmul_ru, __fma_ru, FE_UPWARD)
TILE2CU_ROUNDED(double, __dadd_rd, __dmul_rd, __fma_rd, FE_DOWNWARD)
#undef TILE2CU_ROUNDED
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return std::sqrt(a); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __fdividef(float a, float b) { return std::fabs(b) > 0x1p126f ? 0.0f : a / b; }
inline float __expf(float x) { return std::exp(x); }
inline float __exp10f(float x) { return float(std::pow(10.0, double(x))); }
inline float __logf(float x) { return std::log(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float rsqrtf(float x) { return float(1.0 / std::sqrt(double(x))); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
// By bisection: where erf, or erfc for its digits near 1, passes the argument.
inline double erfinv(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < 1)) return magnitude == 1 ? std::copysign(HUGE_VAL, x) : NAN;
  double low = 0, high = 6;  // erfc(6) < 2^-53
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    const bool isBelow =
        magnitude < 0.5 ? std::erf(middle) < magnitude : std::erfc(middle) > 1 - magnitude;
    (isBelow ? low : high) = middle;
  }
  return std::copysign(low, x);
}
inline float erfinvf(float x) { return float(erfinv(double(x))); }
inline int __float2int_rn(float x) { return int(std::nearbyint(x)); }
inline int __float2int_rz(float x) { return int(x); }
inline float __int2float_rn(int x) { return float(x); }

// ---- min and max of any pair of arithmetic types
template <class A, class B,
          std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, int> = 0>
inline std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return std::fmin(T(a), T(b));
  return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B,
          std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, int> = 0>
inline std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return std::fmax(T(a), T(b));
  return T(a) < T(b) ? T(b) : T(a);
}
