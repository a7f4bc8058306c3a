// Operators of reductions and scans: associative, commutative, with an identity.
// `symmetric`: swapping the operands does not change a bit of the result.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cmath>

#include "math.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper lowest include <cmath>, <type_traits>
// -infinity, or the lowest integer.
template <class T>
__device__ __forceinline__ T lowest() {
  if constexpr (std::is_unsigned_v<T>) {
    return T(0);
  } else if constexpr (std::is_integral_v<T>) {
    return T(std::make_unsigned_t<T>(1) << (8 * sizeof(T) - 1));
  } else {
    return T(-INFINITY);
  }
}

// @helper highest needs lowest
// +infinity, or the highest integer.
template <class T>
__device__ __forceinline__ T highest() {
  if constexpr (std::is_same_v<T, bool>) {
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    return T(~lowest<T>());
  } else {
    return T(INFINITY);
  }
}

// @helper sum_op
template <class T>
struct sum_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return T(0); }
  __device__ __forceinline__ T operator()(T a, T b) const { return T(a + b); }
};

// @helper prod_op include <type_traits>
// A product of floats is rounded on its own: it is never fused into an fma.
template <class T>
struct prod_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return T(1); }
  __device__ __forceinline__ T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, float>) {
      return __fmul_rn(a, b);
    } else if constexpr (std::is_same_v<T, double>) {
      return __dmul_rn(a, b);
    } else {
      return T(a * b);
    }
  }
};

// @helper max_op needs maximum_number, lowest
template <class T>  // Ignores NaN
struct max_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return lowest<T>(); }
  __device__ __forceinline__ T operator()(T a, T b) const { return maximum_number(a, b); }
};

// @helper min_op needs minimum_number, highest
template <class T>  // Ignores NaN
struct min_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return highest<T>(); }
  __device__ __forceinline__ T operator()(T a, T b) const { return minimum_number(a, b); }
};

// @helper max_nan_op needs maximum_nan, lowest
// NaN if either operand is NaN: float and double.
template <class T>
struct max_nan_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return lowest<T>(); }
  __device__ __forceinline__ T operator()(T a, T b) const { return maximum_nan(a, b); }
};

// @helper min_nan_op needs minimum_nan, highest
// NaN if either operand is NaN: float and double.
template <class T>
struct min_nan_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return highest<T>(); }
  __device__ __forceinline__ T operator()(T a, T b) const { return minimum_nan(a, b); }
};

// @helper xor_op
template <class T>
struct xor_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return T(0); }
  __device__ __forceinline__ T operator()(T a, T b) const { return T(a ^ b); }
};

// @helper or_op
template <class T>
struct or_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return T(0); }
  __device__ __forceinline__ T operator()(T a, T b) const { return T(a | b); }
};

// @helper and_op
template <class T>
struct and_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static T identity() { return T(-1); }
  __device__ __forceinline__ T operator()(T a, T b) const { return T(a & b); }
};

// @helper indexed
// A value and its index.
template <class T>
struct indexed {
  T value;
  int index;
};

// @helper index_order needs indexed include <cmath>, <type_traits>
// A value that every other value precedes: NaN, or `last` for integers.
template <class T>
__device__ __forceinline__ T worst_value(T last) {
  if constexpr (std::is_integral_v<T>) {
    return last;
  } else {
    return T(NAN);
  }
}
// Whether `b` goes before `a` if neither value is better: the lower index of two equal values, or
// of two NaNs.
template <class T>
__device__ __forceinline__ bool index_order(const indexed<T>& a, const indexed<T>& b) {
  const bool nans = (a.value != a.value) & (b.value != b.value);
  return ((a.value == b.value) | nans) & (b.index < a.index);
}

// @helper argmax_op needs index_order, lowest
// The larger value; of equal values the one with the lower index. NaN only if every value is NaN.
template <class T>
struct argmax_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static indexed<T> identity() {
    return {worst_value(lowest<T>()), 0x7fffffff};
  }
  __device__ __forceinline__ indexed<T> operator()(indexed<T> a, indexed<T> b) const {
    const bool better = !(b.value <= a.value) & (b.value == b.value);
    return better | index_order(a, b) ? b : a;
  }
  // The same if b's index is known to be higher.
  __device__ __forceinline__ static indexed<T> later(indexed<T> a, indexed<T> b) {
    return !(b.value <= a.value) && b.value == b.value ? b : a;
  }
};

// @helper argmin_op needs index_order, highest
// The smaller value; of equal values the one with the lower index. NaN only if every value is NaN.
template <class T>
struct argmin_op {
  static constexpr bool symmetric = true;
  __device__ __forceinline__ static indexed<T> identity() {
    return {worst_value(highest<T>()), 0x7fffffff};
  }
  __device__ __forceinline__ indexed<T> operator()(indexed<T> a, indexed<T> b) const {
    const bool better = !(b.value >= a.value) & (b.value == b.value);
    return better | index_order(a, b) ? b : a;
  }
  // The same if b's index is known to be higher.
  __device__ __forceinline__ static indexed<T> later(indexed<T> a, indexed<T> b) {
    return !(b.value >= a.value) && b.value == b.value ? b : a;
  }
};

// @end

}  // namespace v1
}  // namespace tile2cu
