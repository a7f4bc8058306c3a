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
struct Held {
  int& x;
  int& y;
  __tile__ const int& largest() const { return std::max(x, y); }
};
struct Number {
  int v;
  __tile__ int change(Number& other) const {
    other.v = 100;
    return v;
  }
};
__tile__ const Number& pick(const Number& a, const Number& b) {
  if (a.v > b.v) return a;
  return b;
}
__tile__ int overwrite(int* p, const int& r) {
  p[0] = 100;
  return r;
}
__tile__ int count(int* p, const int& r) {
  int total = 0;
  for (int i = 0; i < 3; ++i) {
    total += r;
    p[0] = 100;
  }
  return total;
}

__tile__ int raise(int& to, const int& by) {
  int total = 0;
  for (int i = 0; i < 3; ++i) {
    total += by;
    if (i == 1) to += 1;
  }
  return total;
}

__tile_global__ void arguments(int* out, int n) {
  grid(1);
  int a = n, b = 2;
  // CHECK-DAG: :[[@LINE+1]]:23: error: a reference to one of several objects that change before it is read is not supported in a tile function; keep the value in a variable, and pass that
  out[2] = both(a, b, n > 1 ? a : b);
  // CHECK-DAG: :[[@LINE+1]]:23: error: a reference to one of several objects that change before it is read
  out[3] = both(a, b, std::max(a, b));
  // Through references that objects hold, in memory, in a loop; the object of a method; a range.
  Held held{a, b};
  // CHECK-DAG: :[[@LINE+1]]:28: error: a reference to one of several objects that change before it is read
  out[4] = both(a, b, held.largest());
  auto smallest = [&]() -> const int& { return std::min(a, b); };
  // CHECK-DAG: :[[@LINE+1]]:23: error: a reference to one of several objects that change before it is read
  out[5] = both(a, b, smallest());
  // CHECK-DAG: :[[@LINE+1]]:27: error: a reference to one of several objects that change before it is read
  out[6] = overwrite(out, n > 2 ? out[0] : out[1]);
  // CHECK-DAG: :[[@LINE+1]]:23: error: a reference to one of several objects that change before it is read
  out[7] = count(out, std::max(out[0], n));
  // CHECK-DAG: :[[@LINE+1]]:22: error: a reference to one of several objects that change before it is read
  out[10] = raise(a, std::max(a, b));
  Number one{n}, two{2};
  // CHECK-DAG: :[[@LINE+1]]:12: error: a reference to one of several objects that change before it is read
  out[8] = pick(one, two).change(one);
  int first[2] = {n, 1}, second[2] = {2, 3};
  // CHECK-DAG: :[[@LINE+1]]:23: error: a reference to one of several objects that change before it is read
  for (const int& v : n > 1 ? first : second) {
    first[1] = 50;
    out[9] += v;
  }
}

__tile_global__ void elements(int* out, int n) {
  grid(1);
  // CHECK-DAG: :[[@LINE+1]]:24: error: this constructor of std::tuple is not supported in a tile function; give one value of its own type for each element, or use a struct
  std::tuple<int, int> pair(std::pair<int, int>{n, n});
  out[0] = std::get<0>(pair);
}
