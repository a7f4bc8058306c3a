// Element types, what an operand is, and the types of results.
#pragma once

#include "shape.h"

namespace tl {

struct float16;
struct bfloat16;

// The argument of a static_for body: an int known at compile time.
template <int I>
struct constant {
  static constexpr int value = I;
  constexpr operator int() const { return I; }
};

inline constexpr float inf = __builtin_inff();

// Up to eight values of any types; `auto [a, b] = t` takes it apart.
template <class... T>
struct tuple;
template <class A>
struct tuple<A> {
  A v0;
};
template <class A, class B>
struct tuple<A, B> {
  A v0;
  B v1;
};
template <class A, class B, class C>
struct tuple<A, B, C> {
  A v0;
  B v1;
  C v2;
};
template <class A, class B, class C, class D>
struct tuple<A, B, C, D> {
  A v0;
  B v1;
  C v2;
  D v3;
};
template <class A, class B, class C, class D, class E>
struct tuple<A, B, C, D, E> {
  A v0;
  B v1;
  C v2;
  D v3;
  E v4;
};
template <class A, class B, class C, class D, class E, class F>
struct tuple<A, B, C, D, E, F> {
  A v0;
  B v1;
  C v2;
  D v3;
  E v4;
  F v5;
};
template <class A, class B, class C, class D, class E, class F, class G>
struct tuple<A, B, C, D, E, F, G> {
  A v0;
  B v1;
  C v2;
  D v3;
  E v4;
  F v5;
  G v6;
};
template <class A, class B, class C, class D, class E, class F, class G, class H>
struct tuple<A, B, C, D, E, F, G, H> {
  A v0;
  B v1;
  C v2;
  D v3;
  E v4;
  F v5;
  G v6;
  H v7;
};
template <class... T>
tuple(T...) -> tuple<T...>;

namespace detail {

// ---- Element types.

enum class Kind { kNone, kBool, kSigned, kUnsigned, kHalf, kFloat, kPointer };

// clang-format off
template <class T> inline constexpr Kind kind = Kind::kNone;
template <> inline constexpr Kind kind<bool> = Kind::kBool;
template <> inline constexpr Kind kind<char> = Kind::kSigned;
template <> inline constexpr Kind kind<signed char> = Kind::kSigned;
template <> inline constexpr Kind kind<short> = Kind::kSigned;
template <> inline constexpr Kind kind<int> = Kind::kSigned;
template <> inline constexpr Kind kind<long> = Kind::kSigned;
template <> inline constexpr Kind kind<long long> = Kind::kSigned;
template <> inline constexpr Kind kind<unsigned char> = Kind::kUnsigned;
template <> inline constexpr Kind kind<unsigned short> = Kind::kUnsigned;
template <> inline constexpr Kind kind<unsigned int> = Kind::kUnsigned;
template <> inline constexpr Kind kind<unsigned long> = Kind::kUnsigned;
template <> inline constexpr Kind kind<unsigned long long> = Kind::kUnsigned;
template <> inline constexpr Kind kind<float16> = Kind::kHalf;
template <> inline constexpr Kind kind<bfloat16> = Kind::kHalf;
template <> inline constexpr Kind kind<float> = Kind::kFloat;
template <> inline constexpr Kind kind<double> = Kind::kFloat;
template <class T> inline constexpr Kind kind<T*> = Kind::kPointer;

// One spelling per machine type, without __restrict__: `long long` is int64_t, `char` is int8_t.
template <class T> struct Plain { using type = T; };
template <class T> struct Plain<const T> : Plain<T> {};
template <class T> struct Plain<T* __restrict__> { using type = T*; };
template <> struct Plain<char> { using type = std::int8_t; };
template <> struct Plain<long long> { using type = std::int64_t; };
template <> struct Plain<unsigned long long> { using type = std::uint64_t; };
template <int I> struct Plain<constant<I>> { using type = int; };
template <class T> using PlainT = typename Plain<T>::type;

template <class T> struct Type { using type = T; };
template <class T> T sample();  // never defined: a value for unevaluated and never-run expressions

template <class T> inline constexpr bool isInteger =
    kind<T> == Kind::kBool || kind<T> == Kind::kSigned || kind<T> == Kind::kUnsigned;
template <class T> inline constexpr bool isHalf = kind<T> == Kind::kHalf;
template <class T> inline constexpr bool isFloating = kind<T> == Kind::kHalf || kind<T> == Kind::kFloat;
template <class T> inline constexpr bool isArithmetic = isInteger<T> || isFloating<T>;
template <class T> inline constexpr bool isPointer = kind<T> == Kind::kPointer;
template <class T> inline constexpr bool isElement = kind<T> != Kind::kNone;

// ---- Operands: a tile or a scalar.

template <class X> struct Operand {
  using Element = PlainT<X>;
  static constexpr Dims kDims = {};
  static constexpr bool kIsTile = false;
};
template <class T, int... D> struct Operand<tile<T, D...>> {
  using Element = T;
  static constexpr Dims kDims = dimsFrom<D...>();
  static constexpr bool kIsTile = true;
};
template <class X> using ElementOf = typename Operand<X>::Element;
template <class X> inline constexpr Dims dimsOf = Operand<X>::kDims;
template <class X> inline constexpr bool isTile = Operand<X>::kIsTile;

template <class X> concept Numeric = isArithmetic<ElementOf<X>>;
template <class X> concept Integral = isInteger<ElementOf<X>>;
template <class X> concept Floating = isFloating<ElementOf<X>>;
template <class X> concept BoolTile = isTile<X> && kind<ElementOf<X>> == Kind::kBool;
template <class X> concept PointerTile = isTile<X> && isPointer<ElementOf<X>>;
template <class X> concept NumericTile = isTile<X> && Numeric<X>;
template <class X> concept Scalar = !isTile<X> && Numeric<X>;
template <class X> concept FloatScalar = !isTile<X> && Floating<X>;
// Operands that the language's own operators take: C++ has no operator for them.
template <class A, class B> concept OurPair = Numeric<A> && Numeric<B> &&
    (isTile<A> || isTile<B> || isHalf<ElementOf<A>> || isHalf<ElementOf<B>>);
template <class A, class B> concept Fits = broadcastDims(dimsOf<A>, dimsOf<B>).rank >= 0;
// clang-format on

// ---- Promotion.

// The usual arithmetic conversions on two element types. A 16-bit float with an integer or with itself
// stays; two different 16-bit floats, or one with a float, give float.
template <class A, class B>
constexpr auto promoted() {
  if constexpr (isHalf<A> && isHalf<B>) {
    if constexpr (__is_same(A, B))
      return Type<A>{};
    else
      return Type<float>{};
  } else if constexpr (isHalf<A>) {
    if constexpr (isInteger<B>)
      return Type<A>{};
    else
      return Type<B>{};
  } else if constexpr (isHalf<B>) {
    return promoted<B, A>();
  } else {
    return Type<PlainT<decltype(A() + B())>>{};
  }
}
template <class A, class B>
using Promoted = typename decltype(promoted<A, B>())::type;

// The element type that two operands meet in. A double scalar next to a tile is weak: it takes the type
// of a floating tile, and makes an integer tile float.
template <class A, class B>
constexpr auto meetingElement() {
  using EA = ElementOf<A>;
  using EB = ElementOf<B>;
  if constexpr (isTile<A> && !isTile<B> && __is_same(EB, double)) {
    if constexpr (isFloating<EA>)
      return Type<EA>{};
    else
      return Type<float>{};
  } else if constexpr (isTile<B> && !isTile<A> && __is_same(EA, double)) {
    return meetingElement<B, A>();
  } else {
    return Type<Promoted<EA, EB>>{};
  }
}
template <class A, class B>
using Meeting = typename decltype(meetingElement<A, B>())::type;

// As Meeting, but two equal types stay (uint8 with uint8 is uint8): for where, minimum, maximum.
template <class A, class B>
constexpr auto commonElement() {
  if constexpr (__is_same(ElementOf<A>, ElementOf<B>))
    return Type<ElementOf<A>>{};
  else if constexpr (Numeric<A> && Numeric<B>)
    return meetingElement<A, B>();
  else
    return Type<void>{};
}
template <class A, class B>
using Common = typename decltype(commonElement<A, B>())::type;

// ---- Results of operators; void when the operands do not fit.

template <class A, class B>
inline constexpr Dims bothDims = broadcastDims(dimsOf<A>, dimsOf<B>);

template <class A, class B>
constexpr auto arithResult() {
  if constexpr (Numeric<A> && Numeric<B> && Fits<A, B>)
    return Type<Make<Meeting<A, B>, bothDims<A, B>>>{};
  else
    return Type<void>{};
}
template <class A, class B>
using Arith = typename decltype(arithResult<A, B>())::type;

template <class A, class B>
constexpr auto bitsResult() {
  if constexpr (Integral<A> && Integral<B> && Fits<A, B>) {
    if constexpr (kind<ElementOf<A>> == Kind::kBool && kind<ElementOf<B>> == Kind::kBool)
      return Type<Make<bool, bothDims<A, B>>>{};
    else
      return arithResult<A, B>();
  } else {
    return Type<void>{};
  }
}
template <class A, class B>
using Bits = typename decltype(bitsResult<A, B>())::type;

template <class A, class B>
constexpr auto remResult() {
  if constexpr (Integral<A> && Integral<B>)
    return arithResult<A, B>();
  else
    return Type<void>{};
}
template <class A, class B>
using Rem = typename decltype(remResult<A, B>())::type;

// The type of a shift is the promoted type of its left operand.
template <class A>
using PromotedLeft = Promoted<ElementOf<A>, ElementOf<A>>;
template <class A, class B>
constexpr auto shifted() {
  if constexpr (Integral<A> && Integral<B> && Fits<A, B>)
    return Type<Make<PromotedLeft<A>, bothDims<A, B>>>{};
  else
    return Type<void>{};
}
template <class A, class B>
using Shift = typename decltype(shifted<A, B>())::type;

template <class A, class B>
constexpr auto truthResult() {
  if constexpr (Numeric<A> && Numeric<B> && Fits<A, B>)
    return Type<Make<bool, bothDims<A, B>>>{};
  else
    return Type<void>{};
}
template <class A, class B>
using Truth = typename decltype(truthResult<A, B>())::type;

template <class A, class B>
constexpr auto commonResult() {
  if constexpr (Fits<A, B> && !__is_same(Common<A, B>, void))
    return Type<Make<Common<A, B>, bothDims<A, B>>>{};
  else
    return Type<void>{};
}
template <class A, class B>
using Unified = typename decltype(commonResult<A, B>())::type;

// The type of `pointers + offsets`: void unless A holds pointers and B integers that fit.
template <class A, class B>
constexpr auto offsetResult() {
  if constexpr (isPointer<ElementOf<A>> && Integral<B> && Fits<A, B> && (isTile<A> || isTile<B>))
    return Type<Make<ElementOf<A>, bothDims<A, B>>>{};
  else
    return Type<void>{};
}
template <class A, class B>
using Offset = typename decltype(offsetResult<A, B>())::type;

template <class T>
concept NotVoid = !__is_same(T, void);

// Float math is done in float for the 16-bit types, else in the type itself.
template <class T>
struct Compute {
  using type = T;
};
template <>
struct Compute<float16> {
  using type = float;
};
template <>
struct Compute<bfloat16> {
  using type = float;
};
template <class T>
using ComputeOf = typename Compute<T>::type;

}  // namespace detail
}  // namespace tl
