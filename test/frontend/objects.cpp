// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// Members of base classes, through `this` and through pointers derived from it, and references.
#include <tile2cu/tile.h>
using namespace tl;

struct Zero {
  float zero;
};
struct Base {
  float first, second;
  __tile__ float both() const { return first / second; }
  __tile__ void change(float x) { second = x; }
};
struct Derived : Zero, Base {
  float third;
  __tile__ float& last() { return third; }
  __tile__ float use() { return this->second - third; }
  __tile__ float call() { return both() - zero; }
  __tile__ float with(this auto& self) { return self.first * self.third; }
};
struct Last : Derived {
  float fourth;
  __tile__ float deep() { return second + fourth; }
};

// CHECK: kernel @members(%out: {{.*}} %z: f32{{.*}} %a: f32{{.*}} %b: f32{{.*}} %c: f32{{.*}} %d: f32
__tile_global__ void members(float* out, float z, float a, float b, float c, float d) {
  grid(1);
  Last object{{{z}, {a, b}, c}, d};
  // CHECK: sub %b, %c
  store(out, object.use());
  // CHECK: %[[BOTH:.*]] = div %a, %b
  // CHECK: sub %[[BOTH]], %z
  store(out + 1, object.call());
  // CHECK: mul %a, %c
  store(out + 2, object.with());
  // CHECK: add %b, %d
  store(out + 3, object.deep());
  // CHECK: div %a, %z
  object.change(z);
  store(out + 4, (&object)->both());
  float x = a, y = b;
  // If the choice is known, it refers to the variable.
  (true ? x : y) = d;
  // CHECK: sub %d, %b
  store(out + 5, x - y);
  // A function that ends with its only `return` refers to the variable as well.
  const float& last = object.last();
  object.last() = a;
  // CHECK: add %a, %a
  store(out + 6, last + object.third);
}
