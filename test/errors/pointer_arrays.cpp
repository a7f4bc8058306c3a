// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Pointers in memory are read one by one.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void pointers(const float* const* in, float** out, int n) {
  auto i = grid(1) + arange<32>();
  // CHECK: :[[@LINE+1]]:16: error: this access to pointers in memory is not supported in a tile function; read one pointer, as in `const float* q = p[i];`
  auto tiles = load(in + i);
  // CHECK: :[[@LINE+1]]:10: error: a store of a pointer is not supported in a tile function; store an offset
  out[n] = out[0];
  // CHECK: :[[@LINE+1]]:3: error: this access to pointers in memory is not supported in a tile function;
  store(out + n, out[0]);
  // CHECK: :[[@LINE+1]]:20: error: this access to pointers in memory is not supported in a tile function;
  const float* p = load(in + n);
}
inline constexpr auto run = instantiate(pointers);

__tile_global__ void volatile_pointers(
    // CHECK: error: parameter 'in' of a kernel is a pointer to volatile
    volatile float* const* in) {
  grid(1);
}
inline constexpr auto run_volatile = instantiate(volatile_pointers);
