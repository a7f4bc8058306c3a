// Atomics other than additions, on elements of 2, 4 and 8 bytes in global memory; in system scope
// of 4 and 8. Those of 2 bytes are done by compare-and-swap, but for loads and stores.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <type_traits>

#include "atomic.cuh"
#include "math.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper atomic_min_integer needs scope
// Integers of 4 and 8 bytes that atomicMin takes.
template <scope S, class T>
__device__ __forceinline__ T atomic_min_integer(T* p, T value) {
  return S == scope::system  ? atomicMin_system(p, value)
         : S == scope::block ? atomicMin_block(p, value)
                             : atomicMin(p, value);
}

// @helper atomic_max_integer needs scope
// Integers of 4 and 8 bytes that atomicMax takes.
template <scope S, class T>
__device__ __forceinline__ T atomic_max_integer(T* p, T value) {
  return S == scope::system  ? atomicMax_system(p, value)
         : S == scope::block ? atomicMax_block(p, value)
                             : atomicMax(p, value);
}

// @helper atomic_min needs atomic_min_integer, atomic_max_integer, atomic_update, minimum_number
// *p = the smaller of *p and the value, atomically; returns the old value. Integers and floats: NaN
// is ignored, and -0 is less than +0.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_min(T* p, same<T> value) {
  if constexpr (sizeof(T) == 2) {
    return atomic_update(p, [value](T old) { return minimum_number(old, value); });
  } else if constexpr (std::is_integral_v<T>) {
    using bits = atomic_bits<T>;
    using word = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<bits>, bits>;
    return T(atomic_min_integer<S>(reinterpret_cast<word*>(p), word(value)));
  } else {
    // As integers with a sign, all numbers are in order if one of the two has no sign; as integers
    // without one, they are in reverse order if one has a sign.
    using bits = atomic_bits<T>;
    using word = std::make_signed_t<bits>;
    if (value == value) {
      const word mine = bit_cast<word>(value);
      const T old =
          mine >= 0 ? bit_cast<T>(atomic_min_integer<S>(reinterpret_cast<word*>(p), mine))
                    : bit_cast<T>(atomic_max_integer<S>(reinterpret_cast<bits*>(p), bits(mine)));
      // A NaN with a sign is below all numbers, so it is there still.
      if (old == old || bit_cast<word>(old) >= 0) return old;
    }
    return atomic_update<S>(p, [value](T old) { return minimum_number(old, value); });
  }
}

// @helper ordered_min needs atomic_min, ordered
// atomic_min with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_min(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_min<S>(p, value); });
}

// @helper atomic_max needs atomic_min_integer, atomic_max_integer, atomic_update, maximum_number
// *p = the larger of *p and the value, atomically; returns the old value. Integers and floats: NaN
// is ignored, and -0 is less than +0.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_max(T* p, same<T> value) {
  if constexpr (sizeof(T) == 2) {
    return atomic_update(p, [value](T old) { return maximum_number(old, value); });
  } else if constexpr (std::is_integral_v<T>) {
    using bits = atomic_bits<T>;
    using word = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<bits>, bits>;
    return T(atomic_max_integer<S>(reinterpret_cast<word*>(p), word(value)));
  } else {
    // As integers with a sign, all numbers are in order if one of the two has no sign; as integers
    // without one, they are in reverse order if one has a sign.
    using bits = atomic_bits<T>;
    using word = std::make_signed_t<bits>;
    if (value == value) {
      const word mine = bit_cast<word>(value);
      const T old =
          mine >= 0 ? bit_cast<T>(atomic_max_integer<S>(reinterpret_cast<word*>(p), mine))
                    : bit_cast<T>(atomic_min_integer<S>(reinterpret_cast<bits*>(p), bits(mine)));
      // A NaN without a sign is above all numbers, so it is there still.
      if (old == old || bit_cast<word>(old) < 0) return old;
    }
    return atomic_update<S>(p, [value](T old) { return maximum_number(old, value); });
  }
}

// @helper ordered_max needs atomic_max, ordered
// atomic_max with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_max(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_max<S>(p, value); });
}

// @helper atomic_and needs atomic_update
// *p &= value atomically; returns the old value. Integers.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_and(T* p, same<T> value) {
  if constexpr (sizeof(T) == 2) {
    return atomic_update(p, [value](T old) { return T(old & value); });
  } else {
    using word = atomic_bits<T>;
    word* const address = reinterpret_cast<word*>(p);
    return T(S == scope::system  ? atomicAnd_system(address, word(value))
             : S == scope::block ? atomicAnd_block(address, word(value))
                                 : atomicAnd(address, word(value)));
  }
}

// @helper ordered_and needs atomic_and, ordered
// atomic_and with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_and(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_and<S>(p, value); });
}

// @helper atomic_or needs atomic_update
// *p |= value atomically; returns the old value. Integers.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_or(T* p, same<T> value) {
  if constexpr (sizeof(T) == 2) {
    return atomic_update(p, [value](T old) { return T(old | value); });
  } else {
    using word = atomic_bits<T>;
    word* const address = reinterpret_cast<word*>(p);
    return T(S == scope::system  ? atomicOr_system(address, word(value))
             : S == scope::block ? atomicOr_block(address, word(value))
                                 : atomicOr(address, word(value)));
  }
}

// @helper ordered_or needs atomic_or, ordered
// atomic_or with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_or(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_or<S>(p, value); });
}

// @helper atomic_xor needs atomic_update
// *p ^= value atomically; returns the old value. Integers.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_xor(T* p, same<T> value) {
  if constexpr (sizeof(T) == 2) {
    return atomic_update(p, [value](T old) { return T(old ^ value); });
  } else {
    using word = atomic_bits<T>;
    word* const address = reinterpret_cast<word*>(p);
    return T(S == scope::system  ? atomicXor_system(address, word(value))
             : S == scope::block ? atomicXor_block(address, word(value))
                                 : atomicXor(address, word(value)));
  }
}

// @helper ordered_xor needs atomic_xor, ordered
// atomic_xor with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_xor(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_xor<S>(p, value); });
}

// @helper atomic_inc needs atomic_update
// *p = *p >= value ? 0 : *p + 1, atomically; returns the old value. Integers; by compare-and-swap
// but for those of 32 bits without a sign.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_inc(T* p, same<T> value) {
  if constexpr (std::is_same_v<T, unsigned int>)
    return S == scope::system  ? atomicInc_system(p, value)
           : S == scope::block ? atomicInc_block(p, value)
                               : atomicInc(p, value);
  else
    return atomic_update<S>(p, [value](T old) { return T(old >= value ? 0 : old + 1); });
}

// @helper ordered_inc needs atomic_inc, ordered
// atomic_inc with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_inc(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_inc<S>(p, value); });
}

// @helper atomic_dec needs atomic_update
// *p = *p == 0 || *p > value ? value : *p - 1, atomically; returns the old value. Integers; by
// compare-and-swap but for those of 32 bits without a sign.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_dec(T* p, same<T> value) {
  if constexpr (std::is_same_v<T, unsigned int>)
    return S == scope::system  ? atomicDec_system(p, value)
           : S == scope::block ? atomicDec_block(p, value)
                               : atomicDec(p, value);
  else
    return atomic_update<S>(
        p, [value](T old) { return T(old == 0 || old > value ? value : old - 1); });
}

// @helper ordered_dec needs atomic_dec, ordered
// atomic_dec with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_dec(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_dec<S>(p, value); });
}

// @helper atomic_xchg needs atomic_update
// *p = value atomically; returns the old value. Any type.
template <scope S = scope::gpu, class T>
__device__ __forceinline__ T atomic_xchg(T* p, same<T> value) {
  if constexpr (sizeof(T) == 2) {
    return atomic_update(p, [value](T) { return value; });
  } else {
    using word = atomic_bits<T>;
    word* const address = reinterpret_cast<word*>(p);
    const word bits = bit_cast<word>(value);
    return bit_cast<T>(S == scope::system  ? atomicExch_system(address, bits)
                       : S == scope::block ? atomicExch_block(address, bits)
                                           : atomicExch(address, bits));
  }
}

// @helper ordered_xchg needs atomic_xchg, ordered
// atomic_xchg with a memory order.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_xchg(T* p, same<T> value) {
  return ordered<O, S>([&] { return atomic_xchg<S>(p, value); });
}

// @helper atomic_load needs load_relaxed, atomic_bits, bit_cast
// *p, read atomically. Any type.
template <class T>
__device__ __forceinline__ T atomic_load(const T* p) {
  return bit_cast<T>(load_relaxed(reinterpret_cast<const atomic_bits<T>*>(p)));
}

// @helper ordered_load needs atomic_load, ordered
// atomic_load with a memory order: relaxed or acquire.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ T ordered_load(const T* p) {
  return ordered<O, S>([&] { return atomic_load(p); });
}

// @helper atomic_store needs store_relaxed, atomic_bits, bit_cast, same
// *p = value atomically. Any type.
template <class T>
__device__ __forceinline__ void atomic_store(T* p, same<T> value) {
  store_relaxed(reinterpret_cast<atomic_bits<T>*>(p), bit_cast<atomic_bits<T>>(value));
}

// @helper ordered_store needs atomic_store, memory_order, fence
// atomic_store with a memory order: relaxed or release.
template <memory_order O, scope S = scope::gpu, class T>
__device__ __forceinline__ void ordered_store(T* p, same<T> value) {
  if constexpr (O == memory_order::release) fence<S>();
  atomic_store(p, value);
}

// @end

}  // namespace v1
}  // namespace tile2cu
