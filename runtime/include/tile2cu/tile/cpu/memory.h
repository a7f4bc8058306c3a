// Reference of loads, stores and atomics. An element whose mask is false is not accessed.
#pragma once

#include <atomic>
#include <cstdint>
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

// Adds in the element type; 16-bit floats by compare-and-swap of their bits. Returns the old value.
template <class T>
T fetchAdd(T* pointer, T value) {
  if constexpr (detail::isHalf<T>) {
    std::atomic_ref<std::uint16_t> bits(pointer->bits);
    std::uint16_t expected = bits.load();
    while (true) {
      T old;
      old.bits = expected;
      if (bits.compare_exchange_weak(expected, (old + value).bits)) return old;
    }
  } else {
    return std::atomic_ref<T>(*pointer).fetch_add(value);
  }
}

template <class R, class P, class V, class M>
R atomicAdd(const P& pointers, const V& value, const M& mask) {
  mustRun();
  using T = std::remove_pointer_t<ElementOf<P>>;
  return zip<R>(
      [](auto pointer, auto v, bool active) {
        using E = ElementOf<R>;
        return active ? static_cast<E>(fetchAdd(pointer, static_cast<T>(to<E>(v)))) : E{};
      },
      pointers, value, mask);
}

}  // namespace tl::cpu
