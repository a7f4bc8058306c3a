// The emulator's device/convert_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif

namespace tile2cu {
inline namespace v1 {

// An integer out of range becomes NaN, so that an incorrect range is noticed.
template <int LOW>
__forceinline__ __half small_to_half(int x) {
  return __half(x >= LOW && x < LOW + 1024 ? float(x) : __builtin_nanf(""));
}
template <int LOW>
__forceinline__ __nv_bfloat16 small_to_bfloat16(int x) {
  return __nv_bfloat16(x >= LOW && x < LOW + 128 ? float(x) : __builtin_nanf(""));
}

template <class T, int N>
__forceinline__ vec<__half, N> bytes_to_half(const vec<T, N>& x) {
  vec<__half, N> result;
  for (int v = 0; v < N; ++v) result[v] = __half(float(x[v]));
  return result;
}
template <class T, int N>
__forceinline__ vec<__nv_bfloat16, N> bytes_to_bfloat16(const vec<T, N>& x) {
  vec<__nv_bfloat16, N> result;
  for (int v = 0; v < N; ++v) result[v] = __nv_bfloat16(float(x[v]));
  return result;
}

}  // namespace v1
}  // namespace tile2cu
