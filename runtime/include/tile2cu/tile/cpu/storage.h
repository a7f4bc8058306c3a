// The elements of a tile in the reference: on the heap, in row-major order.
#pragma once

#include <algorithm>
#include <memory>

#include "../shape.h"

namespace tl::cpu {

template <class T, int N>
class HeapArray {
 public:
  HeapArray() : elements_(new T[N]()) {}
  HeapArray(const HeapArray& other) : elements_(new T[N]) { std::copy_n(other.get(), N, get()); }
  HeapArray(HeapArray&&) noexcept = default;
  HeapArray& operator=(const HeapArray& other) {
    if (this != &other) *this = HeapArray(other);
    return *this;
  }
  HeapArray& operator=(HeapArray&&) noexcept = default;
  ~HeapArray() = default;

  T* get() { return elements_.get(); }
  const T* get() const { return elements_.get(); }

 private:
  std::unique_ptr<T[]> elements_;
};

// Coordinates of an element, and its index in row-major order.
struct Coordinates {
  int c[detail::kMaxRank] = {};
};

constexpr Coordinates unflatten(const detail::Dims& s, int index) {
  Coordinates at;
  for (int k = s.rank - 1; k >= 0; --k) {
    at.c[k] = index % s.d[k];
    index /= s.d[k];
  }
  return at;
}

constexpr int flatten(const detail::Dims& s, const Coordinates& at) {
  int index = 0;
  for (int k = 0; k < s.rank; ++k) index = index * s.d[k] + at.c[k];
  return index;
}

// x[i...]: see detail::subscriptDims.
template <class... I, class T, int... D>
auto subscript(const tile<T, D...>& x);

}  // namespace tl::cpu
