// Reference of loads and stores. An element whose mask is false is not accessed.
#pragma once

#include <type_traits>

#include "store_check.h"

namespace tl::cpu {

template <class R, class P, class M, class V>
R load(const P& pointers, const M& mask, const V& other) {
  mustRun();
  return zip<R>(
      [](auto pointer, bool active, auto o) {
        using E = ElementOf<R>;
        return active ? static_cast<E>(*pointer) : to<E>(o);
      },
      pointers, mask, other);
}

template <class P, class V, class M>
void store(const P& pointers, const V& value, const M& mask) {
  mustRun();
  using T = std::remove_pointer_t<ElementOf<P>>;
  using Plain = detail::PlainT<T>;
  constexpr Dims dims = dimsOf<P>;
  checkStore<Plain>(
      detail::numel(dims),
      [&](int i) { return element<dims>(mask, i) ? element<dims>(pointers, i) : nullptr; },
      [&](int i) { return to<Plain>(element<dims>(value, i)); });
  for (int k = 0; k < detail::numel(dims); ++k) {
    const int i = inOrder(k, detail::numel(dims));
    if (element<dims>(mask, i))
      *element<dims>(pointers, i) = static_cast<T>(to<Plain>(element<dims>(value, i)));
  }
}

}  // namespace tl::cpu
