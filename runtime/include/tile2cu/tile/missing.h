// Operations that other tile languages have and this one lacks: a call of one says so.
#pragma once

#include "types.h"

namespace tl {

#define TL_MISSING(name, instead)                                \
  template <auto... O, class... A>                               \
    requires(... || (detail::isTile<A> || detail::isPointer<A>)) \
  TL_REJECT(#name " is not supported yet; " instead)             \
  int name(A...);  // by value: `__restrict__` of a parameter is not part of the function's type

TL_MISSING(dot_scaled, "scale the operands, or the accumulator in each iteration, and use dot")
#undef TL_MISSING

}  // namespace tl
