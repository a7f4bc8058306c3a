// The operators on tiles, and on scalars of the 16-bit floats, for which C++ has none.
#pragma once

#include "tile_type.h"

#if !defined(__TILE2CU__)
#include "cpu_elementwise.h"
#endif

namespace tl {

#define TL_SHAPES "the shapes of the operands do not broadcast: dimensions align at the last, equal or 1"

// a OP b, computed in the type that C++'s usual arithmetic conversions give.
#define TL_BINARY(OP, NAME, RESULT, COMPUTE)                                          \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && detail::NotVoid<detail::RESULT<A, B>>)          \
  TL_OP(NAME)                                                                         \
  TL_CONSTEXPR detail::RESULT<A, B> operator OP(const A & a, const B & b)                \
      TL_CPU(return cpu::binary<detail::RESULT<A, B>, detail::COMPUTE<A, B>>(         \
                 [](auto x, auto y) { return x OP y; }, a, b);)                       \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && !detail::Fits<A, B>)                            \
  TL_REJECT(TL_SHAPES)                                                                \
  A operator OP(const A & a, const B & b);
TL_BINARY(+, "add", Arith, Meeting)
TL_BINARY(-, "sub", Arith, Meeting)
TL_BINARY(*, "mul", Arith, Meeting)
TL_BINARY(/, "div", Arith, Meeting)
TL_BINARY(%, "rem", Rem, Meeting)
TL_BINARY(&, "and", Bits, Meeting)
TL_BINARY(|, "or", Bits, Meeting)
TL_BINARY(^, "xor", Bits, Meeting)
#undef TL_BINARY

#define TL_SHIFT(OP, NAME)                                                            \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && detail::NotVoid<detail::Shift<A, B>>)           \
  TL_OP(NAME)                                                                         \
  TL_CONSTEXPR detail::Shift<A, B> operator OP(const A & a, const B & b)                 \
      TL_CPU(return cpu::shift<detail::Shift<A, B>, detail::PromotedLeft<A>>(         \
                 [](auto x, auto y) { return x OP y; }, a, b);)                       \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && !detail::Fits<A, B>)                            \
  TL_REJECT(TL_SHAPES)                                                                \
  A operator OP(const A & a, const B & b);
TL_SHIFT(<<, "shl")
TL_SHIFT(>>, "shr")
#undef TL_SHIFT

#define TL_INTEGERS(OP)                                                               \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && detail::Fits<A, B> &&                           \
             !(detail::Integral<A> && detail::Integral<B>))                           \
  TL_REJECT("operator " #OP " takes integers: cast<int>(x) first")                    \
  A operator OP(const A & a, const B & b);
TL_INTEGERS(%)
TL_INTEGERS(&)
TL_INTEGERS(|)
TL_INTEGERS(^)
TL_INTEGERS(<<)
TL_INTEGERS(>>)
#undef TL_INTEGERS

// Comparisons give bool. A bool tile is not compared: `m < M & k < K` would be (m < (M & k)) < K.
#define TL_COMPARE(OP, NAME)                                                          \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && detail::Fits<A, B> && !detail::BoolTile<A> &&   \
             !detail::BoolTile<B>)                                                    \
  TL_OP(NAME)                                                                         \
  TL_CONSTEXPR detail::Truth<A, B> operator OP(const A & a, const B & b)                 \
      TL_CPU(return cpu::binary<detail::Truth<A, B>, detail::Meeting<A, B>>(          \
                 [](auto x, auto y) { return x OP y; }, a, b);)                       \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && !detail::Fits<A, B> && !detail::BoolTile<A> &&  \
             !detail::BoolTile<B>)                                                    \
  TL_REJECT(TL_SHAPES)                                                                \
  A operator OP(const A & a, const B & b);                                            \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && (detail::BoolTile<A> || detail::BoolTile<B>))   \
  TL_REJECT("a bool tile in a comparison: & | ^ bind less tightly than it seems, write parentheses as in " \
            "(m < M) & (k < K); two bool tiles differ where a ^ b")                   \
  auto operator OP(const A& a, const B&) -> A;
TL_COMPARE(<, "lt")
TL_COMPARE(<=, "le")
TL_COMPARE(>, "gt")
TL_COMPARE(>=, "ge")
TL_COMPARE(==, "eq")
TL_COMPARE(!=, "ne")
#undef TL_COMPARE

// Both sides are evaluated; each element is converted to bool.
#define TL_LOGIC(OP, NAME)                                                            \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && detail::Fits<A, B>)                             \
  TL_OP(NAME)                                                                         \
  TL_CONSTEXPR detail::Truth<A, B> operator OP(const A & a, const B & b)                 \
      TL_CPU(return cpu::binary<detail::Truth<A, B>, bool>(                           \
                 [](auto x, auto y) { return x OP y; }, a, b);)                       \
  template <class A, class B>                                                         \
    requires(detail::OurPair<A, B> && !detail::Fits<A, B>)                            \
  TL_REJECT(TL_SHAPES)                                                                \
  A operator OP(const A & a, const B & b);
TL_LOGIC(&&, "land")
TL_LOGIC(||, "lor")
#undef TL_LOGIC
#undef TL_SHAPES

// -x has the promoted type; ~ of bool is the negation; ! converts each element to bool.
template <class A>
  requires detail::OurPair<A, A>
TL_OP("neg")
TL_CONSTEXPR detail::Make<detail::PromotedLeft<A>, detail::dimsOf<A>> operator-(const A& a)
    TL_CPU(return cpu::negate<detail::PromotedLeft<A>>(a);)
template <class A>
  requires(detail::OurPair<A, A> && detail::Integral<A>)
TL_OP("not")
TL_CONSTEXPR detail::Bits<A, A> operator~(const A& a) TL_CPU(return cpu::complement<detail::Bits<A, A>>(a);)
template <class A>
  requires detail::OurPair<A, A>
TL_OP("lnot")
TL_CONSTEXPR detail::Truth<A, A> operator!(const A& a)
    TL_CPU(return cpu::zip<detail::Truth<A, A>>([](auto x) { return !cpu::to<bool>(x); }, a);)

// Pointers and offsets in elements; the offset may be of any integer type.
template <class T, class B>
  requires(detail::isTile<B> && detail::Integral<B>)
TL_OP("addptr")
detail::Offset<T*, B> operator+(T* base, const B& offset)
    TL_CPU(return cpu::offset<detail::Offset<T*, B>>(base, offset, 1);)
template <class T, class B>
  requires(detail::isTile<B> && detail::Integral<B>)
TL_OP("addptr")
detail::Offset<T*, B> operator+(const B& offset, T* base)
    TL_CPU(return cpu::offset<detail::Offset<T*, B>>(base, offset, 1);)
template <class A, class B>
  requires(detail::PointerTile<A> && detail::Integral<B> && detail::Fits<A, B>)
TL_OP("addptr")
detail::Offset<A, B> operator+(const A& base, const B& offset)
    TL_CPU(return cpu::offset<detail::Offset<A, B>>(base, offset, 1);)
template <class A, class B>
  requires(detail::PointerTile<A> && detail::Integral<B> && detail::Fits<A, B>)
TL_OP("addptr")
detail::Offset<A, B> operator+(const B& offset, const A& base)
    TL_CPU(return cpu::offset<detail::Offset<A, B>>(base, offset, 1);)
template <class T, class B>
  requires(detail::isTile<B> && detail::Integral<B>)
TL_OP("subptr")
detail::Offset<T*, B> operator-(T* base, const B& offset)
    TL_CPU(return cpu::offset<detail::Offset<T*, B>>(base, offset, -1);)
template <class A, class B>
  requires(detail::PointerTile<A> && detail::Integral<B> && detail::Fits<A, B>)
TL_OP("subptr")
detail::Offset<A, B> operator-(const A& base, const B& offset)
    TL_CPU(return cpu::offset<detail::Offset<A, B>>(base, offset, -1);)

template <class T, class B>
  requires(detail::isTile<B> && detail::Floating<B>)
TL_REJECT("an offset is an integer: cast<int>(x) first")
B operator+(T* base, const B& offset);
template <class A, class B>
  requires(detail::PointerTile<A> && detail::Numeric<B> &&
           !(detail::Integral<B> && detail::Fits<A, B>))
TL_REJECT("offsets are integers whose shape broadcasts with the pointers'")
A operator+(const A& base, const B& offset);

}  // namespace tl
