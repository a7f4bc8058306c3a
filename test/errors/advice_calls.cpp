// RUN: not %tile2cu %s -o - -- -ferror-limit=0 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=note:
// Calls that fit no function of tl: the forms of the operation, and no candidates of its headers.
#include <tile2cu/tile.h>

#include <cmath>
using namespace tl;

namespace mine {
int load(int first, int second);
int load(int first, int second, int third);
}

template <int BLOCK>
__tile_global__ void calls(const float* __restrict__ x, float* out, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  // CHECK: :[[@LINE+2]]:12: error: no matching function for call to 'arange'
  // CHECK: :[[@LINE+1]]:12: note: arange<N>() holds 0 to N - 1, and arange<A, B>() holds A to B - 1; the bounds are constants
  auto a = arange(0, 256);
  // CHECK: :[[@LINE+2]]:12: error: no matching function for call to 'arange'
  // CHECK: :[[@LINE+1]]:12: note: arange<N>() holds
  auto b = arange<n>();
  // CHECK: :[[@LINE+1]]:33: error: 'float16' does not refer to a value; a type is a template argument, as in cast<float16>(x)
  store(out + i, load(x + i).to(float16));
  // CHECK: :[[@LINE+4]]:19: error: constexpr if condition is not a constant expression; the index of static_for<N>([&](auto i) { ... }) is a constant, that of static_range is not; an if without constexpr is decided at compile time as well
  // CHECK: note: read of non-const variable
  // CHECK: note: declared here
  for (auto k : static_range<4>()) {
    if constexpr (k > 2) out[k] = 0;
  }
  // The candidates of the source itself are shown.
  // CHECK: :[[@LINE+3]]:3: error: no matching function for call to 'load'
  // CHECK: :9:5: note: candidate function not viable: requires 2 arguments, but 1 was provided
  // CHECK: :10:5: note: candidate function not viable: requires 3 arguments, but 1 was provided
  mine::load(n);
}

__tile_global__ void calls_of_tiles(const float* __restrict__ x, float* out, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
  auto v = load(x + i, i < n);
  // CHECK: :[[@LINE+2]]:18: error: no matching function for call to 'exp'
  // CHECK: :[[@LINE+1]]:18: note: this function takes numbers; those of tl, which take tiles too, have no std:: in front
  store(out + i, std::exp(v));
  // CHECK: :[[@LINE+2]]:18: error: no matching function for call to 'load'
  // CHECK: :[[@LINE+1]]:18: note: load(p), load(p, mask) or load(p, mask, other), with cache::x and evict::x at the end
  store(out + i, load(x + i, i < n, v, 3, n));
  auto A = make_tensor_descriptor<32>(x, {n}, {1});
  // CHECK: :[[@LINE+2]]:14: error: no matching member function for call to 'load'
  // CHECK: :[[@LINE+1]]:14: note: A.load({i, j}), one offset for each dimension, with padding::nan at the end
  auto w = A.load(3);
  // CHECK: :[[@LINE+1]]:19: error: no viable overloaded operator[] for type 'const float *{{.*}}'; a pointer has one element at an index; for a tile i of indices, write load(p + i) or store(p + i, value)
  store(out + i, x[i]);
  // CHECK: :[[@LINE+1]]:6: error: no viable overloaded operator[] for type 'float *'; a pointer has one element at an index
  out[i] = v;
  // CHECK: :[[@LINE+1]]:7: error: no viable conversion from {{.*}}'tile<float, 64>'{{.*}} to 'int'; a tile is not a number; sum(x), max(x) or any(x) make one of it
  int one = v;
  volatile float quiet = 1;
  // CHECK: :[[@LINE+1]]:20: error: invalid operands to binary expression ({{.*}} and 'volatile float'); a tile function has no volatile values; load(p, cache::cv) reads memory that other programs write
  store(out + i, v + quiet);
}
