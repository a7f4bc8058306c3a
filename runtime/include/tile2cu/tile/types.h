// Element types, operands, and the types of results.
#pragma once

#include "shape.h"

namespace tl {

struct float16;
struct bfloat16;
struct float8_e4m3;
struct float8_e5m2;

// The argument of a static_for body: an int known at compile time.
template <int I>
struct constant {
  static constexpr int value = I;
  constexpr operator int() const { return I; }
};

inline constexpr float inf = __builtin_inff();

// Up to eight values of any types; `auto [a, b] = t` unpacks it.
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

// ---- Element types. (Plain ints: a comparison of enumerators would look up the operators of the
// language.)

inline constexpr int kNoElement = 0, kBool = 1, kSigned = 2, kUnsigned = 3, kHalf = 4, kFloat = 5,
                     kFloat8 = 6, kPointer = 7;

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
template <> inline constexpr int kind<float8_e4m3> = kFloat8;
template <> inline constexpr int kind<float8_e5m2> = kFloat8;
template <class T> inline constexpr int kind<T*> = kPointer;

// The same type without __restrict__, and one spelling per machine type: `long long` is int64_t,
// `char` is int8_t.
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
template <class T> T sample();  // not defined: a value for expressions that are never executed

template <class A, class B> inline constexpr bool isSame = __is_same(A, B);
template <class T> inline constexpr bool isBool = kind<T> == kBool;
template <class T> inline constexpr bool isInteger = kBool <= kind<T> && kind<T> <= kUnsigned;
template <class T> inline constexpr bool isHalf = kind<T> == kHalf;
template <class T> inline constexpr bool isFloating = kHalf <= kind<T> && kind<T> <= kFloat;
template <class T> inline constexpr bool isArithmetic = kBool <= kind<T> && kind<T> <= kFloat;
template <class T> inline constexpr bool isFloat8 = kind<T> == kFloat8;
// The types that convert to and from each other; the 8-bit floats do nothing else.
template <class T> inline constexpr bool isNumber = kBool <= kind<T> && kind<T> <= kFloat8;
template <class T> inline constexpr bool isPointer = kind<T> == kPointer;
template <class T> inline constexpr bool isElement = kind<T> != kNoElement;

// ---- Operands: a tile or a scalar.
//
// A kernel is usually compiled for many shapes. The types of results depend on the element types
// and on the shapes of the operands separately: another shape instantiates only a few of these
// classes.

// Marks the element type of a tile, where a scalar of type T is promoted in another way.
template <class T> struct InTile;

template <class X> struct Operand {
  using Element = PlainT<X>;
  using Tagged = Element;
  using Shape = Extents<>;
};
template <class T, int... D> struct Operand<tile<T, D...>> {
  using Element = T;
  using Tagged = InTile<T>;
  using Shape = Extents<D...>;
};
template <class X> using ElementOf = typename Operand<X>::Element;
template <class X> using ShapeOf = typename Operand<X>::Shape;
template <class X> inline constexpr Dims dimsOf = {};
template <class T, int... D> inline constexpr Dims dimsOf<tile<T, D...>> = dimsFrom<D...>();
template <class X> inline constexpr bool isTile = false;
template <class T, int... D> inline constexpr bool isTile<tile<T, D...>> = true;
// Another element type, the same shape.
template <class T, class X> using WithElement = typename ShapeOf<X>::template With<PlainT<T>>;

template <class X> concept Numeric = isArithmetic<ElementOf<X>>;
template <class X> concept Integral = isInteger<ElementOf<X>>;
template <class X> concept Floating = isFloating<ElementOf<X>>;
template <class X> concept BoolTile = isTile<X> && isBool<ElementOf<X>>;
template <class X> concept Number = isNumber<ElementOf<X>>;
template <class X> concept Scalar = !isTile<X> && Number<X>;

// ---- The common shape of two operands.

// (Neither operand is generic but two scalars match several of these: finding the more specialized
// one costs time.)
template <class S> inline constexpr Dims dimsOfShape = {};
template <int... D> inline constexpr Dims dimsOfShape<Extents<D...>> = dimsFrom<D...>();
template <class S, class R> struct CommonShape
    : ExtentsFrom<broadcastDims(dimsOfShape<S>, dimsOfShape<R>)> {};
template <class S> struct CommonShape<S, S> { using type = S; };
template <class S> struct CommonShape<S, Extents<>> { using type = S; };
template <class R> struct CommonShape<Extents<>, R> { using type = R; };
template <> struct CommonShape<Extents<>, Extents<>> { using type = Extents<>; };
template <class A, class B> using CommonShapeOf =
    typename CommonShape<ShapeOf<A>, ShapeOf<B>>::type;
template <class A, class B> concept Fits = !__is_same(CommonShapeOf<A, B>, NoExtents);
// T in the common shape; void when there is none.
template <class T, class A, class B> using BothWith =
    typename CommonShapeOf<A, B>::template With<T>;
// Operands of the language's own operators: C++ has none for them.
template <class A, class B> concept OurPair = Numeric<A> && Numeric<B> &&
    (isTile<A> || isTile<B> || isHalf<ElementOf<A>> || isHalf<ElementOf<B>>);
// The same, and operands that the language's operators reject: tiles of 8-bit floats.
template <class A, class B> concept OursToRefuse =
    OurPair<A, B> || isFloat8<ElementOf<A>> || isFloat8<ElementOf<B>>;
template <class A, class B> concept Comparands = OurPair<A, B> && !BoolTile<A> && !BoolTile<B>;
// clang-format on

// ---- Promotion of element types; void where the operator does not take the types.

struct Nothing {
  using type = void;
};

// The usual arithmetic conversions of two element types. A 16-bit float keeps its type with an
// integer or with itself; two different 16-bit floats, or one with a float, become float.
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

// The common element type of two operands. A double scalar next to a tile is weak: it takes the
// type of a floating-point tile, and makes an integer tile float.
template <class A, class B, bool = isArithmetic<A> && isArithmetic<B>>
struct ArithmeticPromotion : Nothing {};
template <class A, class B>
struct ArithmeticPromotion<A, B, true> : Promotion<A, B> {};
template <class T, class B, bool = isArithmetic<T> && isSame<B, double>>
struct WeakPromotion : ArithmeticPromotion<T, B> {};
template <class T>
struct WeakPromotion<T, double, true> : Conditional<isFloating<T>, T, float> {};
template <class A, class B>
struct OperandPromotion : ArithmeticPromotion<A, B> {};
template <class T, class U>
struct OperandPromotion<InTile<T>, InTile<U>> : ArithmeticPromotion<T, U> {};
template <class T, class B>
struct OperandPromotion<InTile<T>, B> : WeakPromotion<T, B> {};
template <class A, class U>
struct OperandPromotion<A, InTile<U>> : WeakPromotion<U, A> {};
template <class A, class B>
using PromotedElement =
    typename OperandPromotion<typename Operand<A>::Tagged, typename Operand<B>::Tagged>::type;

// The same for operators on integers.
template <class A, class B, bool = isInteger<A> && isInteger<B>>
struct IntegerPromotion : Nothing {};
template <class A, class B>
struct IntegerPromotion<A, B, true> : Promotion<A, B> {};
// The same for operators on bits: two bools stay bool.
template <class A, class B>
struct BitwisePromotion : IntegerPromotion<A, B> {};
template <>
struct BitwisePromotion<bool, bool> {
  using type = bool;
};
// A shift has the promoted type of its left operand.
template <class A, class B, bool = isInteger<A> && isInteger<B>>
struct ShiftPromotion : Nothing {};
template <class A, class B>
struct ShiftPromotion<A, B, true> : Promotion<A, A> {};
// A pointer plus an integer.
template <class A, class B, bool = isPointer<A> && isInteger<B>>
struct PointerPromotion : Nothing {};
template <class A, class B>
struct PointerPromotion<A, B, true> {
  using type = A;
};
// As OperandPromotion, but two equal types are kept (uint8 with uint8 is uint8): for where, minimum
// and maximum.
template <class A, class B>
struct CommonElement : OperandPromotion<A, B> {};
template <class A>
struct CommonElement<A, A> {
  using type = A;
};
template <class A>
struct CommonElement<InTile<A>, InTile<A>> {
  using type = A;
};
template <class A>
struct CommonElement<InTile<A>, A> {
  using type = A;
};
template <class A>
struct CommonElement<A, InTile<A>> {
  using type = A;
};
template <class A, class B>
using Common =
    typename CommonElement<typename Operand<A>::Tagged, typename Operand<B>::Tagged>::type;

// ---- Results of operators; void when the operands do not fit.

template <class A, class B>
struct ArithResult {
  using type = BothWith<PromotedElement<A, B>, A, B>;
};
template <class A, class B>
using Arith = typename ArithResult<A, B>::type;
template <class A, class B>
struct RemResult {
  using type = BothWith<typename IntegerPromotion<ElementOf<A>, ElementOf<B>>::type, A, B>;
};
template <class A, class B>
using Rem = typename RemResult<A, B>::type;
template <class A, class B>
struct BitsResult {
  using type = BothWith<typename BitwisePromotion<ElementOf<A>, ElementOf<B>>::type, A, B>;
};
template <class A, class B>
using Bits = typename BitsResult<A, B>::type;
template <class A, class B>
struct ShiftResult {
  using type = BothWith<typename ShiftPromotion<ElementOf<A>, ElementOf<B>>::type, A, B>;
};
template <class A, class B>
using Shift = typename ShiftResult<A, B>::type;
template <class A, class B>
struct TruthResult {
  using type = BothWith<bool, A, B>;
};
template <class A, class B>
using Truth = typename TruthResult<A, B>::type;
template <class A, class B>
struct UnifiedResult {
  using type = BothWith<Common<A, B>, A, B>;
};
template <class A, class B>
using Unified = typename UnifiedResult<A, B>::type;
// The type of `pointers + offsets`.
template <class A, class B>
struct OffsetResult {
  using type = BothWith<typename PointerPromotion<ElementOf<A>, ElementOf<B>>::type, A, B>;
};
template <class A, class B>
using Offset = typename OffsetResult<A, B>::type;

// The result of an operator on two operands: `type`; or `misfit`, if R is void but the language has
// to reject the operands; or neither. Operators use it in a default template argument, which
// compilers check before the rest of a declaration.
template <class R, bool Ours>
struct Verdict {};
template <class R>
struct Verdict<R, true> {
  using type = R;
};
template <>
struct Verdict<void, true> {
  using misfit = void;
};
template <class A, class B>
struct ArithOf : Verdict<Arith<A, B>, OursToRefuse<A, B>> {};
template <class T, class B>
struct ArithOf<T*, B> {};
template <class T, class B>
struct ArithOf<T* __restrict__, B> {};
template <class A, class B>
struct RemOf : Verdict<Rem<A, B>, OurPair<A, B>> {};
template <class A, class B>
struct BitsOf : Verdict<Bits<A, B>, OurPair<A, B>> {};
template <class A, class B>
struct ShiftOf : Verdict<Shift<A, B>, OurPair<A, B>> {};
template <class A, class B>
struct LogicOf : Verdict<Truth<A, B>, OurPair<A, B>> {};
template <class A, class B>
struct ComparisonOf : Verdict<Truth<A, B>, Comparands<A, B>> {};
template <class A, class B>
struct OffsetOf : Verdict<Offset<A, B>, Numeric<B>> {};

template <class T>
concept NotVoid = !__is_same(T, void);

// Float functions compute in float for the 16-bit types, else in the type itself.
template <class T>
using ComputeOf = typename Conditional<isHalf<T>, float, T>::type;

}  // namespace detail
}  // namespace tl
