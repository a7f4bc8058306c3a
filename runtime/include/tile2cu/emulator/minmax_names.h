// After this header fmaxf and similar names are the GPU's (minmax.h), in the helpers and in emitted
// text. Host code that calls std::fmaxf gets the standard library's.
#pragma once
#include <cmath>

#include "minmax.h"

inline float tile2cu_fmaxf(float a, float b) { return ::emulate::larger<float>(a, b); }
inline float tile2cu_fminf(float a, float b) { return ::emulate::smaller<float>(a, b); }
inline double tile2cu_fmax(double a, double b) { return ::emulate::larger<double>(a, b); }
inline double tile2cu_fmin(double a, double b) { return ::emulate::smaller<double>(a, b); }

// The macros below turn std::fmax(a, b) into these.
namespace std {
inline float tile2cu_fmaxf(float a, float b) { return (::fmaxf)(a, b); }
inline float tile2cu_fminf(float a, float b) { return (::fminf)(a, b); }
template <class A, class B>
auto tile2cu_fmax(A a, B b) {
  return (std::fmax)(a, b);
}
template <class A, class B>
auto tile2cu_fmin(A a, B b) {
  return (std::fmin)(a, b);
}
}  // namespace std

#define fmaxf(a, b) tile2cu_fmaxf(a, b)
#define fminf(a, b) tile2cu_fminf(a, b)
#define fmax(a, b) tile2cu_fmax(a, b)
#define fmin(a, b) tile2cu_fmin(a, b)
