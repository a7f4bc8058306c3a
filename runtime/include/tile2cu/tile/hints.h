// Assumptions for the compiler, and debugging. The CPU checks an assumption where it can, and
// aborts with a message.
#pragma once

#include "program.h"

#if !defined(__TILE2CU__)
#include "cpu/print.h"
#endif

namespace tl {

// The pointer is a multiple of N bytes. Returns it.
template <int N, class T>
  requires(N > 0 && (N & (N - 1)) == 0)
TL_OP("assume_aligned")
T* assume_aligned(T* pointer) TL_CPU(cpu::checkAligned(pointer, N); return pointer;);
template <int N, class T>
  requires(N <= 0 || (N & (N - 1)) != 0)
TL_REJECT("assume_aligned<N>: N must be a power of two, in bytes")
T* assume_aligned(T* pointer);

// The integer is a multiple of N. Returns it.
template <int N, class T>
  requires(N > 0 && detail::Scalar<T> && detail::Integral<T>)
TL_OP("assume_divisible")
T assume_divisible(T value) TL_CPU(cpu::checkDivisible(value, N); return value;);

// The condition holds.
TL_OP("assume") TL_INLINE void assume(bool condition) TL_CPU(cpu::checkAssumption(condition););

// A requirement on the arguments, at the start of the kernel: if it is false, the launcher returns
// invalid_value and launches nothing, and `select` goes on to the next candidate.
TL_OP("require") TL_INLINE void require(bool condition) TL_CPU(cpu::require(condition););

namespace detail {

// One N for each dimension, or one for all.
template <class X, int... N>
concept HintsFit = (sizeof...(N) == 1 || sizeof...(N) == dimsOf<X>.rank) && ((N > 0) && ...);

}  // namespace detail

// The first element of each contiguous run of the tile (or the scalar) is a multiple of N; one N
// per dimension, or one for all. Returns x.
template <int... N, class X>
  requires(detail::Integral<X> && detail::HintsFit<X, N...>)
TL_OP("multiple_of")
X multiple_of(const X& x)
    TL_CPU(if constexpr (!detail::isTile<X>)(cpu::checkDivisible(x, N), ...); return x;);

// A run of N consecutive values starts at every multiple of N. Returns x.
template <int... N, class X>
  requires(detail::Integral<X> && detail::HintsFit<X, N...>)
TL_OP("max_contiguous")
X max_contiguous(const X& x) TL_CPU(return x;);
template <int... N, class X>
  requires(!detail::HintsFit<X, N...>)
TL_REJECT("multiple_of<N...> takes one positive N for each dimension, or one for all")
X multiple_of(const X& x);
template <int... N, class X>
  requires(!detail::HintsFit<X, N...>)
TL_REJECT("max_contiguous<N...> takes one positive N for each dimension, or one for all")
X max_contiguous(const X& x);

// Stops with the message if an element of the condition (where the mask is true) is false. On the
// GPU it does nothing if nvcc is called with -DNDEBUG.
template <class C, class... M>
  requires(detail::isBool<detail::ElementOf<C>> && sizeof...(M) <= 1 &&
           ((detail::isBool<detail::ElementOf<M>> && detail::Fits<C, M>) && ...))
TL_OP("device_assert")
void device_assert(const C& condition, const char* message = "", const M&... mask)
    TL_CPU(cpu::deviceAssert(condition, message, mask...););
template <class C, class... R>
  requires(!detail::isBool<detail::ElementOf<C>>)
TL_REJECT("device_assert takes a bool tile or scalar: compare, and join scalars with && and ||")
void device_assert(const C& condition, const R&...);

namespace detail {
template <class V>
concept Printable = Numeric<V> || isPointer<ElementOf<V>> || __is_same(V, hex_t);
// Whether `hex` is the last of the arguments, after a value, and nowhere else.
template <class... V>
inline constexpr bool isHexLast = true;
template <class First, class... V>
inline constexpr bool isHexLast<First, V...> =
    !__is_same(First, hex_t) && (sizeof...(V) == 0 || isHexLast<V...>);
template <class First>
inline constexpr bool isHexLast<First, hex_t> = !__is_same(First, hex_t);
}  // namespace detail

// Prints each element of each value, with the ids of the program and the indices of the element.
template <int N, class... V>
  requires(sizeof...(V) > 0 && (detail::Printable<V> && ...) && detail::isHexLast<V...>)
TL_OP("device_print")
void device_print(const char (&text)[N], const V&... values)
    TL_CPU(cpu::devicePrint(text, values...););
template <class... A>
  requires(sizeof...(A) > 0)
TL_REJECT("device_print takes a string literal, tiles or scalars, and hex at the end")
void device_print(const A&...);

// Printed by tile2cu while it translates; nothing on the CPU.
template <class... T>
TL_OP("static_print")
void static_print(const T&...) TL_CPU();

// A barrier of all threads of the program; nothing on the CPU.
TL_OP("debug_barrier") TL_INLINE void debug_barrier() TL_CPU();

}  // namespace tl
