// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// What would be a copy where C++ has the object itself, and copies that the program makes itself.
#include <algorithm>
#include <tuple>
#include <utility>

#include <tile2cu/tile.h>
using namespace tl;

struct Copied {
  int x;
  __tile__ Copied(int v) : x(v) {}
  __tile__ Copied(const Copied& other) : x(other.x + 10) {}
};
struct HasCopied {
  Copied part;
  int y;
};
struct Assigned {
  int x;
  __tile__ Assigned& operator=(const Assigned& other) {
    x = other.x + 10;
    return *this;
  }
};
struct HasAssigned {
  Assigned part;
};
struct RefersConst {
  const int& x;
};
__tile__ int takes(Copied c) { return c.x; }

__tile_global__ void copies(int* out, int n) {
  grid(1);
  Copied a(n);
  HasCopied whole{Copied(n), n};
  Copied array[2] = {Copied(n), Copied(n)};
  // CHECK-DAG: :[[@LINE+1]]:14: error: a copy of 'Copied', which has a copy or move constructor of its own, is not supported in a tile function; leave copies to the compiler, or write a function with another name
  Copied b = a;
  // CHECK-DAG: :[[@LINE+1]]:14: error: a copy of 'Copied'
  n += takes(a);
  // CHECK-DAG: :[[@LINE+1]]:21: error: a copy of 'Copied'
  HasCopied again = whole;
  // CHECK-DAG: :[[@LINE+1]]:18: error: a copy of 'Copied'
  auto lambda = [a] { return a.x; };
  // CHECK-DAG: :[[@LINE+1]]:23: error: a copy of 'Copied'
  for (Copied element : array) n += element.x;
  HasAssigned first{{n}}, second{{n}};
  // CHECK-DAG: :[[@LINE+1]]:9: error: a defaulted assignment of 'Assigned', which has an assignment operator of its own, is not supported in a tile function; leave
  first = second;
  out[0] = n + b.x + again.y + lambda() + first.part.x;
}

// References to what a call returns by reference, or to one of two variables, wherever they stand.
__tile_global__ void references(int* out, int n) {
  grid(1);
  int a = n, b = 2;
  // CHECK-DAG: :[[@LINE+1]]:25: error: a reference to what this returns
  const int& smallest = std::min(a, b);
  // CHECK-DAG: :[[@LINE+1]]:33: error: a reference to what this returns
  auto captured = [&smallest_ = std::min(a, b)] { return smallest_; };
  // CHECK-DAG: :[[@LINE+1]]:28: error: a reference to one of two variables
  auto either = [&chosen = n > 1 ? a : b] { return chosen; };
  // CHECK-DAG: :[[@LINE+1]]:22: error: a reference to what this returns
  RefersConst member{std::max(a, b)};
  a = 5;
  out[0] = smallest + captured() + either() + member.x;
}

__tile_global__ void elements(int* out, int n) {
  grid(1);
  // CHECK-DAG: :[[@LINE+1]]:24: error: this constructor of std::tuple is not supported in a tile function; give one value for each element
  std::tuple<int, int> pair(std::pair<int, int>{n, n});
  out[0] = std::get<0>(pair);
}
