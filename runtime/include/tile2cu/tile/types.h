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

// ---- Element types. (Plain ints: comparing enumerators would look up the operators of the
// language.)

inline constexpr int kNoElement = 0, kBool = 1, kSigned = 2, kUnsigned = 3, kHalf = 4, kFloat = 5,
                     kPointer = 6;

// clang-format off
template <class T> inline constexpr int kind = kNoElement;
template <> inline constexpr int kind<bool> = kBool;
template <> inline constexpr int kind<char> = kSigned;
template <> inline constexpr int kind<signed char> = kSigned;
template <> inline constexpr int kind<short> = kSigned;
template <> inline constexpr int kind<int> = kSigned;
template <> inline constexpr int kind<long> = kSigned;
template <> inline constexpr int kind<long long> = kSigned;
template <> inline constexpr int kind<unsigned char> = kUnsigned;
template <> inline constexpr int kind<unsigned short> = kUnsigned;
template <> inline constexpr int kind<unsigned int> = kUnsigned;
template <> inline constexpr int kind<unsigned long> = kUnsigned;
template <> inline constexpr int kind<unsigned long long> = kUnsigned;
template <> inline constexpr int kind<float16> = kHalf;
template <> inline constexpr int kind<bfloat16> = kHalf;
template <> inline constexpr int kind<float> = kFloat;
template <> inline constexpr int kind<double> = kFloat;
template <class T> inline constexpr int kind<T*> = kPointer;

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
template <bool, class A, class B> struct Conditional { using type = A; };
template <class A, class B> struct Conditional<false, A, B> { using type = B; };
template <class T> T sample();  // never defined: a value for unevaluated and never-run expressions

template <class A, class B> inline constexpr bool isSame = __is_same(A, B);
template <class T> inline constexpr bool isBool = kind<T> == kBool;
template <class T> inline constexpr bool isInteger = kBool <= kind<T> && kind<T> <= kUnsigned;
template <class T> inline constexpr bool isHalf = kind<T> == kHalf;
template <class T> inline constexpr bool isFloating = kHalf <= kind<T> && kind<T> <= kFloat;
template <class T> inline constexpr bool isArithmetic = kBool <= kind<T> && kind<T> <= kFloat;
template <class T> inline constexpr bool isPointer = kind<T> == kPointer;
template <class T> inline constexpr bool isElement = kind<T> != kNoElement;

// ---- Operands: a tile or a scalar.

template <class X> struct Operand {
  using Element = PlainT<X>;
  static constexpr Dims kDims = {};
  static constexpr bool kIsTile = false;
  template <class T> using With = T;  // another element type, the same shape
};
template <class T, int... D> struct Operand<tile<T, D...>> {
  using Element = T;
  static constexpr Dims kDims = dimsFrom<D...>();
  static constexpr bool kIsTile = true;
  template <class U> using With = tile<U, D...>;
};
template <class X> using ElementOf = typename Operand<X>::Element;
template <class X> inline constexpr Dims dimsOf = Operand<X>::kDims;
template <class X> inline constexpr bool isTile = Operand<X>::kIsTile;
template <class T, class X> using WithElement = typename Operand<X>::template With<PlainT<T>>;

template <class X> concept Numeric = isArithmetic<ElementOf<X>>;
template <class X> concept Integral = isInteger<ElementOf<X>>;
template <class X> concept Floating = isFloating<ElementOf<X>>;
template <class X> concept BoolTile = isTile<X> && isBool<ElementOf<X>>;
template <class X> concept PointerTile = isTile<X> && isPointer<ElementOf<X>>;
template <class X> concept Scalar = !isTile<X> && Numeric<X>;

// ---- The common shape of two operands.

template <class A, class B> struct Both {  // two scalars
  static constexpr bool kFits = true;
  template <class T> using With = T;
};
template <class T, int... D, class B> struct Both<tile<T, D...>, B> {
  static constexpr bool kFits = true;
  template <class U> using With = tile<U, D...>;
};
template <class A, class T, int... D> struct Both<A, tile<T, D...>> {
  static constexpr bool kFits = true;
  template <class U> using With = tile<U, D...>;
};
template <class T, class U, int... D> struct Both<tile<T, D...>, tile<U, D...>> {
  static constexpr bool kFits = true;
  template <class V> using With = tile<V, D...>;
};
template <class T, int... D, class U, int... E> struct Both<tile<T, D...>, tile<U, E...>> {
  static constexpr Dims kDims = broadcastDims(dimsFrom<D...>(), dimsFrom<E...>());
  static constexpr bool kFits = kDims.rank > 0;
  template <class V> using With = Make<V, kDims>;
};
template <class A, class B> concept Fits = Both<A, B>::kFits;
template <class T, class A, class B> using BothWith = typename Both<A, B>::template With<T>;
// Operands that the language's own operators take: C++ has no operator for them.
template <class A, class B> concept OurPair = Numeric<A> && Numeric<B> &&
    (isTile<A> || isTile<B> || isHalf<ElementOf<A>> || isHalf<ElementOf<B>>);
template <class A, class B> concept Comparands = OurPair<A, B> && !BoolTile<A> && !BoolTile<B>;
// clang-format on

// ---- Promotion.

// The usual arithmetic conversions on two element types. A 16-bit float with an integer or with
// itself stays; two different 16-bit floats, or one with a float, give float.
template <class A, class B, bool = isHalf<A>, bool = isHalf<B>>
struct Promotion {
  using type = PlainT<decltype(A() + B())>;
};
template <class A, class B>
struct Promotion<A, B, true, true> {
  using type = float;
};
template <class A>
struct Promotion<A, A, true, true> {
  using type = A;
};
template <class A, class B>
struct Promotion<A, B, false, true> : Promotion<B, A, true, false> {};
template <class A, class B>
struct Promotion<A, B, true, false> : Conditional<isInteger<B>, A, B> {};
template <class A, class B>
using Promoted = typename Promotion<A, B>::type;
template <class A>
using PromotedLeft = Promoted<ElementOf<A>, ElementOf<A>>;

// The element type that two operands meet in. A double scalar next to a tile is weak: it takes the
// type of a floating tile, and makes an integer tile float.
template <class A, class B>
struct Meet : Promotion<ElementOf<A>, ElementOf<B>> {};
template <class T, int... D>
struct Meet<tile<T, D...>, double> : Conditional<isFloating<T>, T, float> {};
template <class T, int... D>
struct Meet<double, tile<T, D...>> : Conditional<isFloating<T>, T, float> {};
template <class A, class B>
using Meeting = typename Meet<A, B>::type;

// As Meet, but two equal types stay (uint8 with uint8 is uint8): for where, minimum, maximum. void
// for operands that do not meet.
template <class A, class B, bool = isSame<ElementOf<A>, ElementOf<B>>,
          bool = Numeric<A> && Numeric<B>>
struct CommonElement {
  using type = void;
};
template <class A, class B, bool N>
struct CommonElement<A, B, true, N> {
  using type = ElementOf<A>;
};
template <class A, class B>
struct CommonElement<A, B, false, true> : Meet<A, B> {};
template <class A, class B>
using Common = typename CommonElement<A, B>::type;

// ---- Results of operators; void when the operands do not fit.

template <class T, class A, class B, bool = Fits<A, B>>
struct ShapedLikeBoth {
  using type = void;
};
template <class T, class A, class B>
struct ShapedLikeBoth<T, A, B, true> {
  using type = BothWith<T, A, B>;
};

struct Nothing {
  using type = void;
};
template <class A, class B, bool = Numeric<A> && Numeric<B>>
struct ArithResult : Nothing {};
template <class A, class B>
struct ArithResult<A, B, true> : ShapedLikeBoth<Meeting<A, B>, A, B> {};
template <class A, class B>
using Arith = typename ArithResult<A, B>::type;

template <class A, class B, bool = Integral<A> && Integral<B>>
struct RemResult : Nothing {};
template <class A, class B>
struct RemResult<A, B, true> : ArithResult<A, B> {};
template <class A, class B>
using Rem = typename RemResult<A, B>::type;

template <class A, class B, bool = isBool<ElementOf<A>> && isBool<ElementOf<B>>>
struct BitsResult : RemResult<A, B> {};
template <class A, class B>
struct BitsResult<A, B, true> : ShapedLikeBoth<bool, A, B> {};
template <class A, class B>
using Bits = typename BitsResult<A, B>::type;

// The type of a shift is the promoted type of its left operand.
template <class A, class B, bool = Integral<A> && Integral<B>>
struct ShiftResult : Nothing {};
template <class A, class B>
struct ShiftResult<A, B, true> : ShapedLikeBoth<PromotedLeft<A>, A, B> {};
template <class A, class B>
using Shift = typename ShiftResult<A, B>::type;

template <class A, class B>
using Truth = typename ShapedLikeBoth<bool, A, B>::type;

template <class A, class B>
struct UnifiedResult : ShapedLikeBoth<Common<A, B>, A, B> {};
template <class A, class B>
  requires __is_same
(Common<A, B>, void) struct UnifiedResult<A, B> : Nothing {};
template <class A, class B>
using Unified = typename UnifiedResult<A, B>::type;

// The type of `pointers + offsets`: void unless A holds pointers and B integers that fit.
template <class A, class B,
          bool = isPointer<ElementOf<A>> && Integral<B> && (isTile<A> || isTile<B>)>
struct OffsetResult : Nothing {};
template <class A, class B>
struct OffsetResult<A, B, true> : ShapedLikeBoth<ElementOf<A>, A, B> {};
template <class A, class B>
using Offset = typename OffsetResult<A, B>::type;

template <class T>
concept NotVoid = !__is_same(T, void);

// Float math is done in float for the 16-bit types, else in the type itself.
template <class T>
using ComputeOf = typename Conditional<isHalf<T>, float, T>::type;

}  // namespace detail
}  // namespace tl
