// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Pointers to objects, references to one of several variables, and destructors.
#include <tile2cu/tile.h>

#include <tuple>
using namespace tl;

struct Base {
  float first, second;
};
struct Sizes {
  int size[2];
  bool operator==(const Sizes &) const = default;
};
struct Derived : Base {
  float third;
};
struct Guard {
  float* out;
  __tile__ ~Guard() { store(out, 1.0f); }
};
struct Refers {
  float& value;
};
struct Assigned {
  float value;
  __tile__ Assigned& operator=(const Assigned& other) {
    value = other.value + 1;
    return *this;
  }
};
struct Self {
  float value;
  float& same;
  __tile__ Self(float x) : value(x), same(value) {}
};
struct Bits {
  int low : 3;
};
__tile__ Bits bits(int n) { return {n}; }
union Either {
  int number;
  unsigned word;
};
__tile__ float twice(float x) { return x * 2; }
__tile__ float thrice(float x) { return x * 3; }
__tile__ float& one_of(float& x, float& y, int n) {
  if (n > 2) return x;
  return y;
}
__tile__ Refers refers_to_one(float& x, float& y, int n) {
  if (n > 2) return Refers{x};
  return Refers{y};
}
struct Copied {
  float value;
  __tile__ Copied(float x) : value(x) {}
  __tile__ Copied(const Copied& other) : value(other.value + 1) {}
};

__tile_global__ void objects(float* out, float a, int n) {
  grid(1);
  Derived object{{a, a}, a};
  // CHECK-DAG: :[[@LINE+1]]:19: error: a pointer to a struct is not supported in a tile function; use the object itself, or a reference to it
  Base* pointer = &object;
  float x = a, y = a + 1;
  // CHECK-DAG: :[[@LINE+1]]:25: error: a reference to one of two variables is not supported in a tile function; choose the value, or assign in both branches of an if
  const float& either = n > 2 ? x : y;
  // CHECK-DAG: :[[@LINE+1]]:19: error: a reference to what this returns is not supported in a tile function; keep the value in a variable, or refer to the variable itself
  float& copied = one_of(x, y, n);
  // CHECK-DAG: :[[@LINE+1]]:9: error: a destructor is not supported in a tile function; call a function where the block ends
  Guard guard{out};
  // CHECK-DAG: :[[@LINE+1]]:30: error: a choice between functions or references is not supported in a tile function; call the function, or use the variable, in both branches of an if
  float (*function)(float) = n > 2 ? twice : thrice;
  // CHECK-DAG: :[[@LINE+1]]:19: error: a choice between functions or references
  Refers refers = n > 2 ? Refers{x} : Refers{y};
  float (*changing)(float) = twice;
  // CHECK-DAG: :[[@LINE+1]]:23: error: an assignment of a function is not supported in a tile function; make the function a template argument
  if (n > 3) changing = thrice;
  Copied own(x);
  Copied array[2] = {Copied(x), Copied(y)};
  // CHECK-DAG: :[[@LINE+1]]:20: error: a copy of an array of objects with a copy constructor is not supported in a tile function; copy the elements one by one
  auto captures = [array] { return array[0].value; };
  // CHECK-DAG: :[[@LINE+1]]:26: error: a union or a bit-field is not supported in a tile function; use shifts and masks, or bitcast<T>(x)
  store(out + 2, bits(n).low);
  // CHECK-DAG: :[[@LINE+1]]:28: error: a union or a bit-field
  store(out + 3, Either{n}.word);
  // CHECK-DAG: :[[@LINE+1]]:31: error: a std::tuple of objects with a copy constructor is not supported in a tile function; use a struct
  auto made = std::make_tuple(own, n);
  // CHECK-DAG: :[[@LINE+1]]:27: error: this constructor of std::tuple is not supported in a tile function; give one value of its own type for each element, or use a struct
  std::tuple<Copied, int> listed(x, n);
  std::tuple<Copied, int> copy = listed;
  // CHECK-DAG: :[[@LINE-1]]:34: error: this constructor of std::tuple
  // CHECK-DAG: :[[@LINE+1]]:8: error: an object that holds a reference to itself is not supported in a tile function; use the member itself
  Self self(x);
  store(out + 4, self.same);
  Sizes sizes{{n, 1}}, same{{n, 1}};
  // CHECK-DAG: :[[@LINE+1]]:13: error: a defaulted comparison of a class with an array is not supported in a tile function; write an operator== that compares its elements
  if (sizes != same) x = y;
  Assigned assigned{x};
  std::tuple<Assigned, int> pair{assigned, n}, other{assigned, n};
  // CHECK-DAG: :[[@LINE+1]]:8: error: an assignment of objects in a std::tuple is not supported in a tile function; assign them one by one
  pair = other;
  // CHECK-DAG: :[[@LINE+1]]:18: error: a choice between functions or references
  store(out + 1, refers_to_one(x, y, n).value + captures());
  store(out, either + copied + function(a) + changing(a) + refers.value + pointer->first);
}
