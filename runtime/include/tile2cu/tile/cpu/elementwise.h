// Reference of element-wise operations: broadcasting, conversion, then one C++ expression per
// element.
#pragma once

#include <cmath>
#include <cstdint>

#include "../float16.h"
#include "../float8.h"
#include "../tile_type.h"

namespace tl::cpu {

using detail::Dims;
using detail::dimsOf;
using detail::ElementOf;

// Converts one element to another element type.
template <class T, class V>
constexpr T to(V v) {
  if constexpr (__is_same(T, V)) {
    return v;
  } else if constexpr (detail::isPointer<T> && !detail::isPointer<V>) {
    return nullptr;  // the `other` of a masked load of pointers
  } else if constexpr (detail::isHalf<V> || detail::isFloat8<V>) {
    return to<T>(static_cast<float>(v));
  } else if constexpr (detail::isBool<T>) {
    return v != V(0);
  } else {
    return static_cast<T>(v);
  }
}

constexpr int broadcastIndex(const Dims& out, const Dims& in, int i) {
  int index = 0;
  int stride = 1;
  for (int k = 1; k <= in.rank; ++k) {
    const int size = out.d[out.rank - k];
    const int in_size = in.d[in.rank - k];
    if (in_size != 1) index += i % size * stride;
    i /= size;
    stride *= in_size;
  }
  return index;
}

// Element i of x, broadcast to the shape Out.
template <Dims Out, class X>
constexpr ElementOf<X> element(const X& x, [[maybe_unused]] int i) {
  if constexpr (!detail::isTile<X>)
    return static_cast<ElementOf<X>>(x);
  else if constexpr (detail::sameDims(dimsOf<X>, Out))
    return x.data()[i];
  else
    return x.data()[broadcastIndex(Out, dimsOf<X>, i)];
}

// R, a tile or a scalar, with the elements f(elements of x...).
template <class R, class F, class... X>
constexpr R zip(F f, const X&... x) {
  if constexpr (!detail::isTile<R>) {
    return to<R>(f(element<Dims{}>(x, 0)...));
  } else {
    R out;
    auto* to_element = out.data();
    for (int i = 0; i < R::size; ++i)
      to_element[i] = to<ElementOf<R>>(f(element<dimsOf<R>>(x, i)...));
    return out;
  }
}

// op on elements converted to P; 16-bit floats are then computed in float.
template <class R, class P, class F, class A, class B>
constexpr R binary(F op, const A& a, const B& b) {
  using C = detail::ComputeOf<P>;
  return zip<R>([op](auto x, auto y) { return op(to<C>(to<P>(x)), to<C>(to<P>(y))); }, a, b);
}

template <class R, class L, class F, class A, class B>
constexpr R shift(F op, const A& a, const B& b) {
  return zip<R>([op](auto x, auto y) { return op(to<L>(x), +y); }, a, b);
}

template <class P, class A>
constexpr auto negate(const A& a) {
  using C = detail::ComputeOf<P>;
  return zip<detail::Make<P, dimsOf<A>>>([](auto x) { return -to<C>(x); }, a);
}

template <class R, class A>
constexpr R complement(const A& a) {
  return zip<R>(
      [](auto x) {
        if constexpr (__is_same(decltype(x), bool))
          return !x;
        else
          return ~x;
      },
      a);
}

// Pointer arithmetic on addresses as integers: elements that are masked off later may point
// anywhere.
template <class R, class A, class B>
R offset(const A& base, const B& offset, int sign) {
  return zip<R>(
      [sign](auto p, auto n) {
        const auto step = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) * sign);
        return reinterpret_cast<decltype(p)>(reinterpret_cast<std::uintptr_t>(p) +
                                             step * sizeof(*p));
      },
      base, offset);
}

template <class R, class X>
R convert(const X& x) {
  return zip<R>([](auto v) { return v; }, x);
}

// One scalar as a float type E, rounded toward zero.
template <class E, class V>
constexpr E toTowardZero(V v) {
  E rounded = {};
  if constexpr (detail::isHalf<V> || detail::isFloat8<V>) {
    rounded = toTowardZero<E>(static_cast<float>(v));
  } else if constexpr (detail::isHalf<E>) {
    constexpr Format kFormat = __is_same(E, float16) ? kHalfFormat : kBrainFormat;
    rounded.bits = encode<kFormat>(v, true);
  } else if constexpr (detail::isFloat8<E>) {
    rounded.bits = encode8<kFloat8Format<E>>(v, true);
  } else if constexpr (detail::isInteger<V>) {
    constexpr int kDigits = sizeof(E) == 4 ? 24 : 53;
    const Parts p = partsOf(v);
    const int drop = std::bit_width(p.significand) - kDigits;
    rounded = static_cast<E>(drop > 0 ? p.significand >> drop << drop : p.significand);
    if (p.negative) rounded = -rounded;
  } else {
    rounded = static_cast<E>(v);
    if constexpr (sizeof(E) < sizeof(V))
      if (std::fabs(static_cast<V>(rounded)) > std::fabs(v)) rounded = std::nextafter(rounded, E());
  }
  return rounded;
}

// To nearest even, or toward zero.
template <class R, class X>
R convertRounded(const X& x, bool toward_zero) {
  using E = ElementOf<R>;
  return zip<R>([toward_zero](auto v) { return toward_zero ? toTowardZero<E>(v) : to<E>(v); }, x);
}

template <class R, class X>
R bitcast(const X& x) {
  return zip<R>([](auto v) { return __builtin_bit_cast(ElementOf<R>, v); }, x);
}

template <class R, class C, class A, class B>
R where(const C& condition, const A& a, const B& b) {
  using E = ElementOf<R>;
  return zip<R>([](bool c, auto x, auto y) { return c ? to<E>(x) : to<E>(y); }, condition, a, b);
}

// The minimum or maximum of two values: NaN is ignored or returned, as requested, and -0 is less
// than +0.
template <class C, class Less>
constexpr C extreme(C x, C y, bool keep_nan, Less less) {
  if constexpr (detail::isFloating<C>) {
    if (x != x) return keep_nan ? x : y;
    if (y != y) return keep_nan ? y : x;
    if (x == y) return less(std::signbit(y), std::signbit(x)) ? x : y;
  }
  return less(y, x) ? y : x;
}
template <class C>
constexpr C smaller(C x, C y, bool keep_nan) {
  return extreme(x, y, keep_nan, [](auto a, auto b) { return a < b; });
}
template <class C>
constexpr C larger(C x, C y, bool keep_nan) {
  return extreme(x, y, keep_nan, [](auto a, auto b) { return a > b; });
}

template <class R, class A, class B>
constexpr R minimum(bool keep_nan, const A& a, const B& b) {
  using E = ElementOf<R>;
  using C = detail::ComputeOf<E>;
  const auto f = [=](auto x, auto y) {
    return smaller(to<C>(to<E>(x)), to<C>(to<E>(y)), keep_nan);
  };
  return zip<R>(f, a, b);
}
template <class R, class A, class B>
constexpr R maximum(bool keep_nan, const A& a, const B& b) {
  using E = ElementOf<R>;
  using C = detail::ComputeOf<E>;
  const auto f = [=](auto x, auto y) { return larger(to<C>(to<E>(x)), to<C>(to<E>(y)), keep_nan); };
  return zip<R>(f, a, b);
}

template <class R, class A, class B, class C>
R fma(const A& a, const B& b, const C& c) {
  using F = detail::ComputeOf<ElementOf<R>>;
  return zip<R>([](auto x, auto y, auto z) { return std::fma(to<F>(x), to<F>(y), to<F>(z)); }, a, b,
                c);
}

template <class R, class X>
constexpr R abs(const X& x) {
  using E = ElementOf<R>;
  return zip<R>(
      [](auto v) {
        if constexpr (detail::isFloating<E>) {
          const auto wide = to<detail::ComputeOf<E>>(v);
          return std::signbit(wide) ? -wide : wide;
        } else if constexpr (detail::kind<E> == detail::kSigned) {
          return v < 0 ? -v : v;
        } else {
          return v;
        }
      },
      x);
}

template <class R, class A, class B>
R umulhi(const A& a, const B& b) {
  using E = ElementOf<R>;
  return zip<R>(
      [](auto x, auto y) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<E>(static_cast<Wide>(to<E>(x)) * to<E>(y) >> (8 * sizeof(E)));
      },
      a, b);
}

template <class R, class A, class B>
R mulhi(const A& a, const B& b) {
  using E = ElementOf<R>;
  return zip<R>(
      [](auto x, auto y) {
        __extension__ using Signed = __int128;
        __extension__ using Unsigned = unsigned __int128;
        using Wide = detail::Conditional<detail::kind<E> == detail::kSigned, Signed, Unsigned>;
        return static_cast<E>(static_cast<typename Wide::type>(to<E>(x)) * to<E>(y) >>
                              (8 * sizeof(E)));
      },
      a, b);
}

// Applies f in the float type that the elements of R compute in.
template <class R, class F, class... X>
R math(F f, const X&... x) {
  using C = detail::ComputeOf<ElementOf<R>>;
  return zip<R>([f](auto... v) { return f(to<C>(v)...); }, x...);
}

}  // namespace tl::cpu
