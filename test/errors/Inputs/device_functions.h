// Functions for device_functions.cpp that an emitted file cannot call.
#pragma once
__device__ float first(const float* x);
__device__ float nothing();
__device__ void sink(float x);
__device__ float changes(float& x);
__device__ tl::float8_e4m3 narrow(float x);
template <class T>
__device__ int size_of(float) {
  return sizeof(T);
}
struct Shape {
  float width;
  __device__ float area(float height) const { return width * height; }
};
__device__ int digits(long x);
__device__ int digits(long long x);
__device__ float plain(float x);
