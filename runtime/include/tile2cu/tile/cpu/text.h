// Reference of cuda(...) where the text is a statement, or accesses memory.
#pragma once

#include "elementwise.h"
#include "program.h"

namespace tl::detail {
template <class P, bool Writes>
struct TextPointer;
}

namespace tl::cpu {

template <class X>
const X& textOperand(const X& operand) {
  return operand;
}
template <class P, bool Writes>
const P& textOperand(const detail::TextPointer<P, Writes>& operand) {
  return operand.pointer;
}

// f for each element, in the order in which stores write theirs.
template <class R, class F, class... X>
R runText(F f, const X&... x) {
  mustRun();
  constexpr Dims kDims = detail::allDims<X...>;
  constexpr int kSize = detail::numel(kDims);
  if constexpr (__is_same(R, void)) {
    for (int k = 0; k < kSize; ++k) {
      const int i = inOrder(k, kSize);
      f(element<kDims>(x, i)...);
    }
  } else if constexpr (!detail::isTile<R>) {
    return to<R>(f(element<kDims>(x, 0)...));
  } else {
    R out;
    for (int k = 0; k < kSize; ++k) {
      const int i = inOrder(k, kSize);
      out.data()[i] = to<ElementOf<R>>(f(element<kDims>(x, i)...));
    }
    return out;
  }
}

}  // namespace tl::cpu
