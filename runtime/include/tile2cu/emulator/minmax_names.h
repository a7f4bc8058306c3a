// After this header fmaxf and similar names are the GPU's (minmax.h), in the helpers and in emitted
// text. Host code that calls std::fmaxf gets the standard library's.
#pragma once
#include <cmath>

#include "minmax.h"

inline float tile2cu_fmaxf(float a, float b) { return ::emulate::larger<float>(a, b); }
inline float tile2cu_fminf(float a, float b) { return ::emulate::smaller<float>(a, b); }
inline double tile2cu_fmax(double a, double b) { return ::emulate::larger<double>(a, b); }
inline double tile2cu_fmin(double a, double b) { return ::emulate::smaller<double>(a, b); }

// The macros below turn std::fmax(a, b) into these. An argument may contain commas in braces:
// fmaxf(F{n, m}(x), y).
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

#define fmaxf(...) tile2cu_fmaxf(__VA_ARGS__)
#define fminf(...) tile2cu_fminf(__VA_ARGS__)
#define fmax(...) tile2cu_fmax(__VA_ARGS__)
#define fmin(...) tile2cu_fmin(__VA_ARGS__)
