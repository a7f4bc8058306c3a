// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Constructs outside the subset: each error is located at the construct and says what to use instead.
#include <tile2cu/tile.h>
using namespace tl;

struct Base {
  __tile__ virtual float get() const { return 1; }
};
typedef float Four __attribute__((ext_vector_type(4)));
__tile__ inline float indirect(float x) { return x; }

__tile_global__ void unsupported(float* out, int n, float f) {
  auto row = grid(n);
  // CHECK: :[[@LINE+3]]:3: error: goto is not supported in a tile function; use if, for, while and break
  // CHECK-NEXT: goto done;
  // CHECK-NEXT: ^
  goto done;
  // CHECK-NOT: error:
done:
  f = 2;
  // CHECK: :[[@LINE+1]]:3: error: inline assembly is not supported in a tile function; write cuda(text, reference, operands...) with it
  asm("");
  // CHECK: :[[@LINE+1]]:3: error: try is not supported in a tile function; return early, or check with device_assert
  try {
    f = 1;
  } catch (...) {
  }
  // CHECK: :[[@LINE+1]]:14: error: throw is not supported
  if (n > 3) throw 1;
  // CHECK: :[[@LINE+1]]:14: error: new is not supported in a tile function; tiles and variables need no allocation
  float* p = new float;
  // CHECK: :[[@LINE+1]]:3: error: delete is not supported
  delete p;
  // CHECK: :[[@LINE+1]]:14: error: the address of a variable is not supported in a tile function; pass the value
  float* q = &f;
  // CHECK: :[[@LINE+1]]:12: error: reinterpret_cast is not supported
  int* r = reinterpret_cast<int*>(out);
  // CHECK: :[[@LINE+1]]:11: error: a comparison of two pointers is not supported in a tile function; compare with nullptr only, or compute with offsets
  if (out == out + 1) f = 2;
  // CHECK: :[[@LINE+1]]:8: error: a vector type is not supported in a tile function; use a tile
  Four four = 1;
  // CHECK: :[[@LINE+1]]:9: error: a function declared inside a function is not supported
  float local(float);
  // CHECK: error: the difference of two pointers is not supported in a tile function; compute with offsets
  int64_t d = out - q;
  // CHECK: error: a statement expression is not supported in a tile function; call a lambda
  f = ({ f + 1; });
  union {
    float number;
    int bits;
    // CHECK: :[[@LINE+1]]:5: error: a union or a bit-field is not supported in a tile function; use shifts and masks, or bitcast<T>(x)
  } both;
  Base base;
  // CHECK: error: a virtual call is not supported
  Base& reference = base;
  f += reference.get();
  out[row] = f;
}

__tile_global__ void unsupported_too(float* out, int n) {
  auto row = grid(n);
  // CHECK: error: range() outside a loop's head is not supported in a tile function; write for (auto i : range(...))
  auto r = range(4);
  // CHECK: error: instantiate() inside a function is not supported
  auto i = instantiate(unsupported);
  // CHECK: :[[@LINE+1]]:14: error: the operator ?: without a middle is not supported in a tile function; write all three operands
  out[row] = n ?: 1;
}
