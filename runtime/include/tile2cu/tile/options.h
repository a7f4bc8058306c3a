// Options: tags such as `keep_dims`, enumerations such as `cache::cg`, and the structs for
// designated initializers.
#pragma once

namespace tl {

// Subscripts: x[all, none], x[slice<0, 4>].
struct all_t {};
struct none_t {};
template <int A, int B>
struct slice_t {};
inline constexpr all_t all;
inline constexpr none_t none;
template <int A, int B>
inline constexpr slice_t<A, B> slice;

// Options of reductions, scans, sorts, minimum and maximum, gelu.
struct keep_dims_t {};
struct propagate_nan_t {};
struct hex_t {};
struct reverse_t {};
struct descending_t {};
struct tanh_approx_t {};
struct fast_tanh_approx_t {};
inline constexpr keep_dims_t keep_dims;
inline constexpr propagate_nan_t propagate_nan;
inline constexpr hex_t hex;  // device_print prints bits
inline constexpr reverse_t reverse;
inline constexpr descending_t descending;
inline constexpr tanh_approx_t tanh_approx;
inline constexpr fast_tanh_approx_t fast_tanh_approx;

// Loads: ca, cg, cs, cv. Stores: wb, cg, cs, wt.
enum class cache { by_default, ca, cg, cs, cv, wb, wt };
enum class evict { by_default, first, last, normal, unchanged, no_allocate };
enum class memory_order { relaxed, acquire, release, acq_rel };
enum class scope { block, gpu, system };
// The rounding of a float that is converted to a narrower float: to nearest even, or toward zero.
enum class rounding { rn, rz };
// How dot multiplies floats on tensor cores: as tf32 (10 bits of fraction), as three tf32 products
// that are added, or as float. Other types have only one way, and ignore it.
enum class precision { tf32, tf32x3, ieee };
// The elements outside of the tensor in a load through a tensor descriptor.
enum class padding { zero, nan };

// Options of a loop: `range(a, b, step, {.num_stages = 2})`; the compiler chooses those that are
// not given. warp_specialize: true or false; -1 if it is not given.
struct range_options {
  int num_stages = 0;
  int unroll = 0;
  bool flatten = false;
  signed char warp_specialize = -1;
};

// Options of a configuration: `instantiate(softmax<1024>, {.num_warps = 8})`.
struct options {
  int num_warps = 4;
  int num_stages = 3;
  int programs_per_block = 0;
  int resident_threads = 0;
  int min_blocks = 0;
  bool persistent = false;
};

namespace detail {

// clang-format off
template <class O> inline constexpr bool isCacheOption = __is_same(O, cache) || __is_same(O, evict);
template <class O> inline constexpr bool isAtomicOption =
    __is_same(O, memory_order) || __is_same(O, scope);
template <class O> inline constexpr bool isReduceOption = __is_same(O, keep_dims_t);
template <class O> inline constexpr bool isExtremeOption =
    __is_same(O, keep_dims_t) || __is_same(O, propagate_nan_t);
template <class O> inline constexpr bool isScanOption = __is_same(O, reverse_t);
template <class O> inline constexpr bool isPrecision = __is_same(O, precision);
template <class What, class... O> inline constexpr bool hasOption = (__is_same(O, What) || ...);
// clang-format on

}  // namespace detail
}  // namespace tl
