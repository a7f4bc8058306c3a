// The keywords of CUDA C++ as ordinary C++: attributes, built-in variables, small vector types.
#pragma once
#include <cstddef>
#include <cstdint>

#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

// Constant from the kernel's view; runtime/emulator/builtins.cpp changes them between fibers.
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

// The shared memory of the running block.
extern __align__(1024) unsigned char dynamic_smem[];

#define TILE2CU_VECTOR_TYPES(T, NAME)                                                \
  struct alignas(2 * sizeof(T)) NAME##2 { T x, y; };                                 \
  struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) NAME##4 { T x, y, z, w; }; \
  constexpr NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                      \
  constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
TILE2CU_VECTOR_TYPES(int, int)
TILE2CU_VECTOR_TYPES(unsigned, uint)
TILE2CU_VECTOR_TYPES(float, float)
TILE2CU_VECTOR_TYPES(double, double)
#undef TILE2CU_VECTOR_TYPES
