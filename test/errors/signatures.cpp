// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Declarations of kernels.
#include <tile2cu/tile.h>
using namespace tl;

struct Point {
  float x, y;
  // CHECK-DAG: :[[@LINE+1]]:24: error: kernel 'member' is a member function; make it static, or a free function
  __tile_global__ void member(float* out) { grid(1); }
};

// CHECK-DAG: :[[@LINE+1]]:22: error: the name of the tile function 'größer' has letters beyond ASCII, which nvcc does not accept in the name of a kernel; rename it
__tile_global__ void größer(float* out) { grid(1); }
__tile_global__ void twice(float* out) { grid(1); }
struct Launchers {
  // CHECK-DAG: :[[@LINE+1]]:25: error: launcher 'held' is a member of a class; make it a variable of a namespace
  static constexpr auto held = instantiate(twice);
};
// CHECK-DAG: :[[@LINE+1]]:22: error: kernel 'twice' is overloaded; give each kernel a name of its own
__tile_global__ void twice(int* out) { grid(1); }
// CHECK-DAG: :[[@LINE+1]]:21: error: kernel 'returns' returns a value; make it void and store the result through a pointer
__tile_global__ int returns(float* out) { return 1; }
// CHECK-DAG: :[[@LINE+1]]:22: error: kernel 'many' has C variadic parameters; name each parameter
__tile_global__ void many(float* out, ...) { grid(1); }

// CHECK-DAG: :[[@LINE+2]]:16: error: parameter 'reference' of a kernel is a reference; pass the value, or a pointer to global memory
__tile_global__ void parameters(
    const int& reference,
    // CHECK-DAG: :[[@LINE+1]]:12: error: parameter 'point' of a kernel is a reference; pass the value
    Point& point,
    // CHECK-DAG: :[[@LINE+1]]:20: error: parameter 'pieces' of a kernel is a tile; pass a pointer and load it
    tile<float, 8> pieces,
    // CHECK-DAG: :[[@LINE+1]]:14: error: parameter 'pointers' of a kernel is a pointer to pointers, but these do not point to numbers; pass numbers, and offsets between them
    float*** pointers,
    // CHECK-DAG: error: parameter 'callback' of a kernel is a function pointer; make the function a template argument
    float (*callback)(float),
    // CHECK-DAG: error: parameter 'points' of a kernel is a pointer to a struct; pass the struct itself, or one pointer for each member
    Point* points,
    // CHECK-DAG: error: parameter 'anything' of a kernel is a pointer to something other than numbers; pass a pointer to numbers
    void* anything,
    // CHECK-DAG: error: parameter 'shared' of a kernel is a pointer to volatile
    volatile float* shared) {
  grid(1);
}

void host(float*) {}
// CHECK-DAG: error: this is not a kernel; mark the function with __tile_global__
inline constexpr auto not_a_kernel = instantiate(host);
template <int N>
__tile_global__ void scaled(float* out) {
  grid(N);
}
// CHECK-DAG: error: num_warps is 17; use 1 to 16
inline constexpr auto scaled_17 = instantiate(scaled<17>, {.num_warps = 17});
int warps = 4;
// CHECK-DAG: error: launcher 'scaled_4' is not a constant; initialize it with instantiate
inline auto scaled_4 = instantiate(scaled<4>, {.num_warps = warps});
