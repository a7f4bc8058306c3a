// Reference of atomics: programs may run on several threads. An element whose mask is false is not
// accessed. The elements of a tile are updated one after another.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "elementwise.h"
#include "memory.h"

namespace tl::cpu {

// The new values, in the element type, of an old value and the operand. Integers wrap around.
struct Add {
  template <class T>
  T operator()(T old, T value) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value));
    else
      return old + value;
  }
};
struct Sub {
  template <class T>
  T operator()(T old, T value) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::make_unsigned_t<T>(old) - std::make_unsigned_t<T>(value));
    else
      return old - value;
  }
};
struct Min {
  template <class T>
  T operator()(T old, T value) const {
    using C = detail::ComputeOf<T>;
    return to<T>(smaller(to<C>(old), to<C>(value), false));
  }
};
struct Max {
  template <class T>
  T operator()(T old, T value) const {
    using C = detail::ComputeOf<T>;
    return to<T>(larger(to<C>(old), to<C>(value), false));
  }
};
struct And {
  template <class T>
  T operator()(T old, T value) const {
    return static_cast<T>(old & value);
  }
};
struct Or {
  template <class T>
  T operator()(T old, T value) const {
    return static_cast<T>(old | value);
  }
};
struct Xor {
  template <class T>
  T operator()(T old, T value) const {
    return static_cast<T>(old ^ value);
  }
};
struct Increment {
  template <class T>
  T operator()(T old, T value) const {
    return old >= value ? T(0) : static_cast<T>(old + 1);
  }
};
struct Decrement {
  template <class T>
  T operator()(T old, T value) const {
    return old == 0 || old > value ? value : static_cast<T>(old - 1);
  }
};
struct Exchange {
  template <class T>
  T operator()(T, T value) const {
    return value;
  }
};

// The memory of one element as the standard library updates it: a 16-bit float as its bits.
template <class T>
auto memoryOf(T* pointer) {
  if constexpr (detail::isHalf<T>)
    return std::atomic_ref<std::uint16_t>(pointer->bits);
  else
    return std::atomic_ref<T>(*pointer);
}
template <class T>
using InMemory = typename decltype(memoryOf(static_cast<T*>(nullptr)))::value_type;
template <class T>
InMemory<T> toMemory(T value) {
  if constexpr (detail::isHalf<T>)
    return value.bits;
  else
    return value;
}
template <class T>
T fromMemory(InMemory<T> stored) {
  if constexpr (detail::isHalf<T>) {
    T value;
    value.bits = stored;
    return value;
  } else {
    return stored;
  }
}

// Stores update(old), and returns the old value.
template <class T, class Update>
T fetchUpdate(T* pointer, Update update) {
  auto memory = memoryOf(pointer);
  InMemory<T> seen = memory.load();
  while (true) {
    const T old = fromMemory<T>(seen);
    if (memory.compare_exchange_weak(seen, toMemory<T>(update(old)))) return old;
  }
}

template <class R, class Update, class P, class V, class M>
R atomic(Update update, const P& pointers, const V& value, const M& mask) {
  mustRun();
  using T = std::remove_pointer_t<ElementOf<P>>;
  return zip<R>(
      [update](auto pointer, auto v, bool active) {
        using E = ElementOf<R>;
        if (!active) return E{};
        const T mine = static_cast<T>(to<E>(v));
        return static_cast<E>(fetchUpdate<T>(pointer, [&](T old) { return update(old, mine); }));
      },
      pointers, value, mask);
}

template <class R, class P, class E, class V, class M>
R atomicCas(const P& pointers, const E& expected, const V& value, const M& mask) {
  mustRun();
  using T = std::remove_pointer_t<ElementOf<P>>;
  return zip<R>(
      [](auto pointer, auto before, auto after, bool active) {
        using Plain = ElementOf<R>;
        if (!active) return Plain{};
        InMemory<T> seen = toMemory<T>(static_cast<T>(to<Plain>(before)));
        memoryOf<T>(pointer).compare_exchange_strong(seen,
                                                     toMemory<T>(static_cast<T>(to<Plain>(after))));
        return static_cast<Plain>(fromMemory<T>(seen));
      },
      pointers, expected, value, mask);
}

template <class R, class P, class M>
R atomicLoad(const P& pointers, const M& mask) {
  mustRun();
  using T = std::remove_cv_t<std::remove_pointer_t<ElementOf<P>>>;
  return zip<R>(
      [](auto pointer, bool active) {
        using E = ElementOf<R>;
        // The standard library's atomic_ref of C++20 takes no pointers to const.
        return active ? static_cast<E>(fromMemory<T>(memoryOf(const_cast<T*>(pointer)).load()))
                      : E{};
      },
      pointers, mask);
}

template <class P, class V, class M>
void atomicStore(const P& pointers, const V& value, const M& mask) {
  mustRun();
  using T = std::remove_pointer_t<ElementOf<P>>;
  using Plain = detail::PlainT<T>;
  constexpr Dims dims = dimsOf<P>;
  for (int k = 0; k < detail::numel(dims); ++k) {
    const int i = inOrder(k, detail::numel(dims));
    if (!element<dims>(mask, i)) continue;
    const T mine = static_cast<T>(to<Plain>(element<dims>(value, i)));
    memoryOf<T>(element<dims>(pointers, i)).store(toMemory<T>(mine));
  }
}

}  // namespace tl::cpu
