// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Casts to a derived class, and what the standard library has for arrays, pairs and exchanges.
#include <tile2cu/tile.h>

#include <array>
#include <compare>
#include <utility>
using namespace tl;

template <class Derived>
struct Counts {
  // CHECK-DAG: :[[@LINE+1]]:39: error: a cast of an object to a derived class that it is not part of is not supported in a tile function; pass the object of the derived class
  __tile__ int count() const { return static_cast<const Derived&>(*this).number; }
};
struct Three : Counts<Three> {
  int number = 3;
};
__tile__ int count_of(Counts<Three> sliced) { return sliced.count(); }
struct Holds {
  Counts<Three> counts;
};
struct Copied {
  float value;
  __tile__ Copied(float x) : value(x) {}
  __tile__ Copied(const Copied& other) : value(other.value + 1) {}
};

__tile_global__ void standard(float* out, float x, int n) {
  grid(1);
  Three three;
  Holds holds;
  store(out, count_of(three) + holds.counts.count());
  Copied own(x), other(x + 1);
  // CHECK-DAG: :[[@LINE+1]]:33: error: a std::pair of objects with a copy constructor is not supported in a tile function; use a struct
  auto both = std::make_pair(n, own);
  // CHECK-DAG: :[[@LINE+1]]:13: error: an exchange of objects with a copy or assignment of their own is not supported in a tile function; exchange their members
  std::swap(own, other);
  // CHECK-DAG: :[[@LINE+1]]:17: error: an exchange of objects with a copy or assignment of their own
  std::exchange(own, other);
  std::array<int, 3> numbers{n, 1, both.first};
  // CHECK-DAG: :[[@LINE+1]]:26: error: an array is indexed with a value that is not constant
  store(out + 1, numbers[n]);
  // CHECK-DAG: :[[@LINE+1]]:29: error: an array is indexed with a value that is not constant
  store(out + 1, numbers.at(3));
  // CHECK-DAG: :[[@LINE+1]]:20: error: this operator <=> is not supported in a tile function; use <, == and the other comparisons
  auto order = out <=> out + 1;
}
inline constexpr auto all = instantiate(standard);
