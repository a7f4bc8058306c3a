// RUN: not %tile2cu %s -o - -- -ferror-limit=0 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=note:
// Launchers of functions that are not kernels: the reason, once.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ float returns(const float* x) { return load(x); }
// CHECK: :[[@LINE+1]]:27: error: {{.*}}a kernel returns nothing; make it void, and store the result through a pointer
inline constexpr auto a = instantiate(returns);
__tile_global__ void variadic(float* out, ...) { grid(1); }
// CHECK: :[[@LINE+1]]:34: error: {{.*}}a kernel has no C variadic parameters; name each parameter
inline constexpr auto b = select(candidate(variadic));
struct Class {
  __tile_global__ void member(float* out) { grid(1); }
};
// CHECK: :[[@LINE+1]]:27: error: {{.*}}a member function is not a kernel; make it static, or a free function
inline constexpr auto c = instantiate(&Class::member);
__tile_global__ void overloaded(float* out) { grid(1); }
__tile_global__ void overloaded(int* out) { grid(1); }
// CHECK: :[[@LINE+2]]:27: error: no matching function for call to 'instantiate'
// CHECK: :[[@LINE+1]]:27: note: instantiate takes one kernel, which is not overloaded and has all its template arguments: instantiate(kernel<256>, {.num_warps = 4})
inline constexpr auto d = instantiate(overloaded);
template <int BLOCK>
__tile_global__ void pattern(float* out) {
  grid(BLOCK);
}
// CHECK: :[[@LINE+2]]:27: error: no matching function for call to 'instantiate'
// CHECK: :[[@LINE+1]]:27: note: instantiate takes one kernel, which is not overloaded and has all its template arguments
inline constexpr auto e = instantiate(pattern);
// CHECK: :[[@LINE+2]]:27: error: no matching function for call to 'tune'
// CHECK: :[[@LINE+1]]:27: note: tune(key{"n"}, candidate(kernel<256>), candidate(kernel<512>), ...), with preserve("out", "n") after the key
inline constexpr auto f = tune(pattern<1>, pattern<2>);
__tile_global__ void other(float* out, int n) { grid(n); }
// CHECK: :[[@LINE+1]]:27: error: {{.*}}the candidates of one select must have kernels of one signature
inline constexpr auto g = select(candidate(pattern<1>), candidate(other));
