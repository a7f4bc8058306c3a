// CUDA statements and inline PTX as text.
#pragma once

#include "arithmetic.h"

#if !defined(__TILE2CU__)
#include "cpu/text.h"
#endif

namespace tl {

namespace detail {

// A pointer, or a tile of pointers, through which a text accesses memory.
template <class P, bool Writes>
struct TextPointer {
  P pointer;
};

template <class X>
struct TextOperandOf {
  static constexpr bool kIsPointer = false;
  using type = X;
};
template <class P, bool Writes>
struct TextOperandOf<TextPointer<P, Writes>> {
  static constexpr bool kIsPointer = true;
  using type = P;
};
// The operand itself, without what says how a text uses it.
template <class X>
using TextOperand = typename TextOperandOf<X>::type;
template <class X>
inline constexpr bool isTextPointer = TextOperandOf<X>::kIsPointer;

template <class F, class... X>
using Returned = PlainT<decltype(sample<F>()(sample<ElementOf<X>>()...))>;

template <class R, Dims D>
struct TextResult {
  using type = Make<R, D>;
};
template <Dims D>
struct TextResult<void, D> {
  using type = void;
};
template <class F, class... X>
using TextResultOf = typename TextResult<Returned<F, X...>, allDims<X...>>::type;

template <class... X>
concept Broadcasts = sizeof...(X) > 0 && ((!isTile<X> && ...) || allDims<X...>.rank > 0);
template <class F, class... X>
concept Computes = Broadcasts<X...> && (Numeric<X> && ...) && requires(F f) {
  requires isArithmetic<PlainT<decltype(f(sample<ElementOf<X>>()...))>>;
};
// A text that is a statement, or accesses memory.
template <class F, class... X>
concept Acts =
    Broadcasts<TextOperand<X>...> && ((Numeric<X> || isTextPointer<X>) && ...) && requires(F f) {
      requires isArithmetic<Returned<F, TextOperand<X>...>> ||
                   __is_same(Returned<F, TextOperand<X>...>, void);
    } && !Computes<F, X...>;

template <class P>
inline constexpr bool isOfConst = false;
template <class T>
inline constexpr bool isOfConst<const T*> = true;

}  // namespace detail

// Operands of cuda(...): the text reads memory through the pointer or the tile of pointers, and
// writes none; or it may read and write there.
template <class P>
  requires detail::isPointer<detail::ElementOf<P>>
TL_OP("reads")
detail::TextPointer<P, false> reads(const P& pointer) TL_CPU(return {pointer};);
template <class P>
  requires(detail::isPointer<detail::ElementOf<P>> && !detail::isOfConst<detail::ElementOf<P>>)
TL_OP("writes")
detail::TextPointer<P, true> writes(const P& pointer) TL_CPU(return {pointer};);
template <class P>
  requires(!detail::isPointer<detail::ElementOf<P>>)
TL_REJECT("reads(p) takes a pointer or a tile of pointers")
P reads(const P& pointer);
template <class P>
  requires(!detail::isPointer<detail::ElementOf<P>> || detail::isOfConst<detail::ElementOf<P>>)
TL_REJECT("writes(p) takes a pointer, or a tile of pointers, to what is not const")
P writes(const P& pointer);

// The text is the body of a __device__ function with the parameters of `reference`, and what this
// returns. On the GPU the text runs for each element of the operands, on the CPU the reference.
template <class F, class... X>
  requires detail::Computes<F, X...>
TL_OP("cuda")
detail::Mapped<F, X...> cuda([[maybe_unused]] const char* text, F reference,
                             [[maybe_unused]] const X&... operands) {
#if defined(__TILE2CU__)
  reference(detail::sample<detail::ElementOf<X>>()...);
  __builtin_unreachable();
#else
  return cpu::zip<detail::Mapped<F, X...>>(reference, operands...);
#endif
}
// The same for a text that returns nothing, or accesses memory through operands reads(p) and
// writes(p): it runs once for each element of the operands, or once in a program on scalars.
template <class F, class... X>
  requires detail::Acts<F, X...>
TL_OP("cuda_effect")
detail::TextResultOf<F, detail::TextOperand<X>...> cuda([[maybe_unused]] const char* text,
                                                        F reference,
                                                        [[maybe_unused]] const X&... operands) {
#if defined(__TILE2CU__)
  reference(detail::sample<detail::ElementOf<detail::TextOperand<X>>>()...);
  __builtin_unreachable();
#else
  return cpu::runText<detail::TextResultOf<F, detail::TextOperand<X>...>>(
      reference, cpu::textOperand(operands)...);
#endif
}
template <class F, class... X>
  requires(!detail::Computes<F, X...> && !detail::Acts<F, X...>)
TL_REJECT(
    "cuda(text, reference, operands...): the operands are numbers or tiles of numbers whose shapes "
    "broadcast, or reads(p) and writes(p) of pointers; the reference takes one element of each and "
    "returns a number or nothing")
int cuda(const char* text, F reference, const X&... operands);

}  // namespace tl
