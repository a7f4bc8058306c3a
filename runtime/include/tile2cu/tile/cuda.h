// CUDA statements and inline PTX as text.
#pragma once

#include "arithmetic.h"

namespace tl {

namespace detail {
template <class F, class... X>
concept Computes = sizeof...(X) > 0 && (Numeric<X> && ...) &&
                   ((!isTile<X> && ...) || allDims<X...>.rank > 0) && requires(F f) {
                     requires isArithmetic<PlainT<decltype(f(sample<ElementOf<X>>()...))>>;
                   };
}  // namespace detail

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
template <class F, class... X>
  requires(!detail::Computes<F, X...>)
TL_REJECT(
    "cuda(text, reference, operands...): the operands are numbers or tiles of numbers whose shapes "
    "broadcast, not pointers; the reference takes one element of each and returns a number")
int cuda(const char* text, F reference, const X&... operands);

}  // namespace tl
