// Reference of dot. Operands are converted to double, in which products of all types but double are
// exact. The products are added to the accumulator in the order of k, and the result is rounded
// once, at the end. So the three precisions of float have the same reference. Integers are added
// modulo 2^32.
#pragma once

#include <type_traits>
#include <vector>

#include "elementwise.h"

namespace tl::cpu {

template <class A, class B, class C>
C dot(const A& a, const B& b, const C& acc) {
  using T = ElementOf<C>;
  using W = std::conditional_t<std::is_same_v<T, int>, std::uint32_t, double>;
  constexpr int kDepth = A::dim(-1);
  constexpr int kRows = A::dim(-2);  // of one matrix of a batch
  constexpr int kColumns = B::dim(-1);
  std::vector<W> right;
  right.reserve(B::size);
  for (const auto element : b) right.push_back(to<W>(element));

  C out;
  std::vector<W> rowAcc(kColumns);
  for (int row = 0; row < C::size / kColumns; ++row) {
    const auto* left = a.data() + row * kDepth;
    const W* matrix = right.data() + row / kRows * kDepth * kColumns;
    for (int n = 0; n < kColumns; ++n) rowAcc[n] = to<W>(acc.data()[row * kColumns + n]);
    for (int k = 0; k < kDepth; ++k) {
      const W factor = to<W>(left[k]);
      for (int n = 0; n < kColumns; ++n) rowAcc[n] += factor * matrix[k * kColumns + n];
    }
    for (int n = 0; n < kColumns; ++n) out.data()[row * kColumns + n] = to<T>(rowAcc[n]);
  }
  return out;
}

}  // namespace tl::cpu
