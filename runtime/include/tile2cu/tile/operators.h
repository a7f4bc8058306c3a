// The operators on tiles, and on scalars of the 16-bit floats, for which C++ has no operators.
#pragma once

#include "tile_type.h"

#if !defined(__TILE2CU__)
#include "cpu/elementwise.h"
#endif

namespace tl {

#define TL_SHAPES                                                                                \
  "the shapes of the operands do not broadcast (aligned at the last dimension, equal or 1), or " \
  "8-bit floats need cast<float>(x)"
#define TL_INTEGERS                                                                                \
  "this operator takes integers (cast<int>(x) first) whose shapes broadcast: dimensions equal or " \
  "1"

// a OP b of type RESULT, by the reference function that follows. Every instantiation of a kernel
// pays for these overloads: the type is looked up once, and an operand that an overload does not
// take fails before the rest of the overload is instantiated.
#define TL_BINARY(OP, NAME, RESULT, REASON, ...)                                 \
  template <class A, class B, class R = typename detail::RESULT##Of<A, B>::type> \
  TL_OP(NAME)                                                                    \
  TL_CONSTEXPR R operator OP(const A& a, const B& b)                             \
      TL_CPU(return __VA_ARGS__([](auto x, auto y) { return x OP y; }, a, b););  \
  template <class A, class B, class = typename detail::RESULT##Of<A, B>::misfit> \
  TL_REJECT(REASON)                                                              \
  A operator OP(const A& a, const B& b);
// In the type of C++'s usual arithmetic conversions.
#define TL_USUAL(OP, NAME, RESULT, REASON) \
  TL_BINARY(OP, NAME, RESULT, REASON,      \
            cpu::binary<detail::RESULT<A, B>, detail::PromotedElement<A, B>>)
// In the promoted type of the left operand.
#define TL_SHIFT(OP, NAME) \
  TL_BINARY(OP, NAME, Shift, TL_INTEGERS, cpu::shift<detail::Shift<A, B>, detail::PromotedLeft<A>>)
TL_USUAL(+, "add", Arith, TL_SHAPES)
TL_USUAL(-, "sub", Arith, TL_SHAPES)
TL_USUAL(*, "mul", Arith, TL_SHAPES)
TL_USUAL(/, "div", Arith, TL_SHAPES)
TL_USUAL(%, "rem", Rem, TL_INTEGERS)
TL_USUAL(&, "and", Bits, TL_INTEGERS)
TL_USUAL(|, "or", Bits, TL_INTEGERS)
TL_USUAL(^, "xor", Bits, TL_INTEGERS)
TL_SHIFT(<<, "shl")
TL_SHIFT(>>, "shr")
#undef TL_SHIFT
#undef TL_USUAL

#define TL_BOOL                                                                             \
  "a bool tile in a comparison: write parentheses, as in (0 <= x) & (x < n) for the chain " \
  "0 <= x < n; two bool tiles differ where a ^ b"

// Comparisons return bool. A bool tile cannot be compared: `0 <= x < n` lacks parentheses.
#define TL_COMPARE(OP, NAME)                                                         \
  template <class A, class B, class R = typename detail::ComparisonOf<A, B>::type>   \
  TL_OP(NAME)                                                                        \
  TL_CONSTEXPR R operator OP(const A& a, const B& b)                                 \
      TL_CPU(return cpu::binary<detail::Truth<A, B>, detail::PromotedElement<A, B>>( \
                        [](auto x, auto y) { return x OP y; }, a, b););              \
  template <class A, class B, class = typename detail::ComparisonOf<A, B>::misfit>   \
  TL_REJECT(TL_SHAPES)                                                               \
  A operator OP(const A& a, const B& b);                                             \
  template <int... D, class B>                                                       \
  TL_REJECT(TL_BOOL)                                                                 \
  tile<bool, D...> operator OP(const tile<bool, D...>& a, const B & b);              \
  template <class A, int... D>                                                       \
    requires(!detail::BoolTile<A>)                                                   \
  TL_REJECT(TL_BOOL)                                                                 \
  tile<bool, D...> operator OP(const A & a, const tile<bool, D...>& b);
TL_COMPARE(<, "lt")
TL_COMPARE(<=, "le")
TL_COMPARE(>, "gt")
TL_COMPARE(>=, "ge")
TL_COMPARE(==, "eq")
TL_COMPARE(!=, "ne")
#undef TL_COMPARE
#undef TL_BOOL

// Both sides are evaluated; each element is converted to bool.
#define TL_LOGIC(OP, NAME) \
  TL_BINARY(OP, NAME, Logic, TL_SHAPES, cpu::binary<detail::Truth<A, B>, bool>)
TL_LOGIC(&&, "land")
TL_LOGIC(||, "lor")
#undef TL_LOGIC
#undef TL_BINARY
#undef TL_INTEGERS
#undef TL_SHAPES

// -x has the promoted type; ~ of bool is the negation; ! converts each element to bool.
template <class A>
  requires detail::OurPair<A, A>
TL_OP("neg")
TL_CONSTEXPR detail::Make<detail::PromotedLeft<A>, detail::dimsOf<A>> operator-(const A& a)
    TL_CPU(return cpu::negate<detail::PromotedLeft<A>>(a););
template <class A>
  requires(detail::OurPair<A, A> && detail::Integral<A>)
TL_OP("not")
TL_CONSTEXPR detail::Bits<A, A> operator~(const A& a)
    TL_CPU(return cpu::complement<detail::Bits<A, A>>(a););
template <class A>
  requires detail::OurPair<A, A>
TL_OP("lnot")
TL_CONSTEXPR detail::Truth<A, A> operator!(const A& a)
    TL_CPU(return cpu::zip<detail::Truth<A, A>>([](auto x) { return !cpu::to<bool>(x); }, a););

// Pointers and offsets in elements; the offset may be of any integer type.
template <class T, class I, int... D>
  requires detail::isInteger<I>
TL_OP("addptr")
tile<T*, D...> operator+(T* base, const tile<I, D...>& offset)
    TL_CPU(return cpu::offset<tile<T*, D...>>(base, offset, 1););
template <class T, class I, int... D>
  requires detail::isInteger<I>
TL_OP("addptr")
tile<T*, D...> operator+(const tile<I, D...>& offset, T* base)
    TL_CPU(return cpu::offset<tile<T*, D...>>(base, offset, 1););
template <class T, int... D, class B, class R = typename detail::OffsetOf<tile<T*, D...>, B>::type>
TL_OP("addptr")
R operator+(const tile<T*, D...>& base, const B& offset)
    TL_CPU(return cpu::offset<R>(base, offset, 1););
template <class T, int... D, class B, class R = typename detail::OffsetOf<tile<T*, D...>, B>::type>
TL_OP("addptr")
R operator+(const B& offset, const tile<T*, D...>& base)
    TL_CPU(return cpu::offset<R>(base, offset, 1););
template <class T, class I, int... D>
  requires detail::isInteger<I>
TL_OP("subptr")
tile<T*, D...> operator-(T* base, const tile<I, D...>& offset)
    TL_CPU(return cpu::offset<tile<T*, D...>>(base, offset, -1););
template <class T, int... D, class B, class R = typename detail::OffsetOf<tile<T*, D...>, B>::type>
TL_OP("subptr")
R operator-(const tile<T*, D...>& base, const B& offset)
    TL_CPU(return cpu::offset<R>(base, offset, -1););

template <class T, class B>
  requires(detail::isTile<B> && detail::Floating<B>)
TL_REJECT("an offset must be an integer: cast<int>(x) first")
B operator+(T* base, const B& offset);
template <class T, int... D, class B, class = typename detail::OffsetOf<tile<T*, D...>, B>::misfit>
TL_REJECT("offsets must be integers whose shape broadcasts with the shape of the pointers")
tile<T*, D...> operator+(const tile<T*, D...>& base, const B& offset);

// a += b is a = a + b, which must have a's type.
#define TL_ASSIGN(OP, NAME, RESULT)                                                            \
  template <class T, int... D, class B>                                                        \
    requires __is_same                                                                         \
  (detail::RESULT<tile<T, D...>, B>, tile<T, D...>) TL_OP(NAME)                                \
      tile<T, D...>& operator OP##=(tile<T, D...>& a, const B & b) TL_CPU(return a = a OP b;); \
  template <class T, int... D, class B>                                                        \
    requires(detail::isArithmetic<T> &&                                                        \
             !__is_same(detail::RESULT<tile<T, D...>, B>, tile<T, D...>))                      \
  TL_REJECT(                                                                                   \
      "the result would have another element type or shape than the tile on the left: "        \
      "x = cast<T>(x " #OP " y) converts elements; a variable keeps its shape")                \
  tile<T, D...>& operator OP##=(tile<T, D...>& a, const B & b);
TL_ASSIGN(+, "assign_add", Arith)
TL_ASSIGN(-, "assign_sub", Arith)
TL_ASSIGN(*, "assign_mul", Arith)
TL_ASSIGN(/, "assign_div", Arith)
TL_ASSIGN(%, "assign_rem", Rem)
TL_ASSIGN(&, "assign_and", Bits)
TL_ASSIGN(|, "assign_or", Bits)
TL_ASSIGN(^, "assign_xor", Bits)
TL_ASSIGN(<<, "assign_shl", Shift)
TL_ASSIGN(>>, "assign_shr", Shift)
#undef TL_ASSIGN
#define TL_ASSIGN_HALF(OP)                                                           \
  template <class T, class B>                                                        \
    requires(__is_same(T, float16) || __is_same(T, bfloat16))                        \
  TL_REJECT("a scalar of this type has no " #OP "=: write x = cast<T>(x " #OP " y)") \
  T& operator OP##=(T & a, const B & b);
TL_ASSIGN_HALF(+)
TL_ASSIGN_HALF(-)
TL_ASSIGN_HALF(*)
TL_ASSIGN_HALF(/)
#undef TL_ASSIGN_HALF
#define TL_ADVANCE(OP, NAME)                                    \
  template <class T, int... D, class B>                         \
    requires __is_same                                          \
  (detail::Offset<tile<T, D...>, B>, tile<T, D...>) TL_OP(NAME) \
      tile<T, D...>& operator OP##=(tile<T, D...>& a, const B & b) TL_CPU(return a = a OP b;);
TL_ADVANCE(+, "assign_addptr")
TL_ADVANCE(-, "assign_subptr")
#undef TL_ADVANCE

}  // namespace tl
