// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// References that would be bound to copies, where C++ has the object itself.
#include <tile2cu/tile.h>

#include <algorithm>
#include <tuple>
#include <utility>
using namespace tl;

struct RefersConst {
  const int& x;
};
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

__tile__ int both(int& p, int& q, const int& r) {
  p = 70;
  q = 80;
  return r;
}

__tile_global__ void arguments(int* out, int n) {
  grid(1);
  int a = n, b = 2;
  // CHECK-DAG: :[[@LINE+1]]:23: error: a reference to one of several variables that the call changes is not supported in a tile function; keep the value in a variable, and pass that
  out[2] = both(a, b, n > 1 ? a : b);
  // CHECK-DAG: :[[@LINE+1]]:23: error: a reference to one of several variables that the call changes
  out[3] = both(a, b, std::max(a, b));
}

__tile_global__ void elements(int* out, int n) {
  grid(1);
  // CHECK-DAG: :[[@LINE+1]]:24: error: this constructor of std::tuple is not supported in a tile function; give one value of its own type for each element, or use a struct
  std::tuple<int, int> pair(std::pair<int, int>{n, n});
  out[0] = std::get<0>(pair);
}
