// Functions for device_calls.cpp.
#pragma once
namespace geo {
inline namespace v2 {
__host__ __device__ inline float area(float width, float height) { return width * height; }
}
template <class T, int N = 2>
__device__ __forceinline__ T scaled(T x) {
  return x * N;
}
__device__ tl::float16 rounded(tl::bfloat16 x, const tl::float16& y);
struct Grid {
  static __device__ int next(int i);
};
__device__ int width(int16_t);
__device__ int width(const int64_t& x);
__device__ bool is_even(uint8_t x, int from = 3);
namespace {
__device__ double halved(double x);
}
}  // namespace geo
