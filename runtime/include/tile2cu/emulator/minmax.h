// fmaxf, fminf, fmax and fmin as the GPU computes them: -0 is less than +0, while the C library may
// return either.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cmath>

namespace emulate {

template <class T>
T larger(T a, T b) {
  if (a == b) return std::signbit(a) ? b : a;
  return std::fmax(a, b);
}
template <class T>
T smaller(T a, T b) {
  if (a == b) return std::signbit(a) ? a : b;
  return std::fmin(a, b);
}

}  // namespace emulate
