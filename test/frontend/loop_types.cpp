// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// A loop of the IR has one type for its variable, bounds and step. If C++'s conversions change no value, there is such a type;
// any other loop is a `while`, which converts as C++ does.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void kept(int* out, unsigned n, int64_t wide, short few) {
  auto at = out + grid(1);
  int x = 0;
  // CHECK-LABEL: kernel @kept
  // An int that counts up from 0 is not negative where it is compared.
  // CHECK: for %a = %{{.*}} to %{{.*}} step %{{.*}}, {{.*}} : i32 {
  // CHECK-NEXT: cast %a {lossless = true} : i32
  for (int a = 0; a < n; ++a) x += a;
  // CHECK: for %b = {{.*}} {compare = lt}
  // CHECK-NEXT: add %{{.*}}, %b : i32
  for (int b = 0; b < sizeof(double); ++b) x += b;
  // All values of a short, from a bound that is one.
  // CHECK: for %c = {{.*}} {compare = lt}
  // CHECK-NEXT: cast %c : i16
  for (short c = 0; c < few; ++c) x += c;
  // CHECK: for %d = {{.*}} {compare = gt}
  for (unsigned char d = 9; d > 1; d -= 2) x += d;
  store(at, x);
}
inline constexpr auto kept_f = instantiate(kept);

__tile_global__ void general(int* out, int n, unsigned m, int64_t wide, float f, short few) {
  auto at = out + grid(1);
  int x = 0;
  // CHECK-LABEL: kernel @general
  // CHECK-NOT: for
  for (int i = 0; i < f; ++i) x += i;
  for (int i = 0; i < n / 2.0; ++i) x += i;
  for (int i = n; i < m; ++i) x += i;       // n may be negative
  for (int i = -3; i < m; ++i) x += i;      // -3 is a large unsigned number
  for (int i = 3; i >= 0u; --i) x += i;     // goes on at -1
  for (short i = 0; i < n; ++i) x += i;     // wraps around after 32767
  for (short i = 0; i <= few; ++i) x += i;  // and so does this one, where few is 32767
  for (unsigned i = 0; i < wide; ++i) x += i;
  for (int i = 0; i < n; i += m) x += i;  // the sum is made of unsigned numbers
  for (int i = 0; i < n; i += 1.5f) x += i;
  store(at, x);
}
inline constexpr auto general_f = instantiate(general);

struct Pair {
  int first, second;
  __tile__ int next() { return first -= 1; }
  __tile__ void run(int& x) {
    for (int i = 0; i < first; ++i) x += next();
    for (int i = 0; i < this->first; ++i) this->first -= 1;
  }
};
struct Falling {
  int value;
  __tile__ Falling(int& v) : value(v) { v -= 1; }
};
template <class T>
__tile__ void subtract(int& a, T b) {
  a -= b;
}
__tile__ void falls(int& a, int& b, int& x) {
  for (int i = 0; i < a; ++i) x += --b;
}

// A bound that the body changes, by any of its names.
__tile_global__ void changed(int* out, int n) {
  auto at = out + grid(1);
  int x = 0;
  Pair pair{n, n};
  int& other = n;
  auto less = [&] { n -= 1; };
  auto bound = [&] { return n; };
  auto& [first, second] = pair;
  // CHECK-LABEL: kernel @changed
  // CHECK-NOT: for
  for (int i = 0; i < n; ++i) less();
  for (int i = 0; i < n; ++i) other -= 1;
  for (int i = 0; i < other; ++i) n -= 1;
  for (int i = 0; i < bound(); ++i) n -= 1;
  for (int i = 0; i < pair.first; ++i) first -= 1;
  falls(n, n, x);
  for (int i = 0; i < n; ++i) Falling{n};
  for (int i = 0; i < n; ++i) static_for<2>([&](auto by) { subtract(n, by); });
  for (int i = 0; i < 10; ++i) static_for<2>([&](auto by) { subtract(i, by); });
  pair.run(x);
  // A head that changes something itself.
  for (int i = 0; i < pair.next(); ++i) x += i;
  for (int i = 0; i < 100; i -= pair.next()) x += i;
  // A step that differs between the ends of iterations.
  int by = 1;
  for (int i = 0; i < 100; i += by) {
    by = 2;
    if (i == x) continue;
    by = 3;
  }
  // CHECK: for
  for (int i = 0; i < second; ++i) x += bound();
  store(at, x);
}
inline constexpr auto changed_f = instantiate(changed);

// What changes nothing that counts.
__tile_global__ void unchanged(int* out, int n) {
  auto at = out + grid(1);
  int x = 0, by = 1;
  Pair pair{n, n};
  auto same = [](int& v) { return v; };
  // CHECK-LABEL: kernel @unchanged
  // CHECK-NOT: while
  // CHECK: for %a = {{.*}} to %n step
  for (int a = 0; a < pair.second; ++a) x += pair.next();
  // CHECK: for %b = {{.*}} to %n step
  for (int b = 0; b < same(n); ++b) x += same(n) + same(b);
  // CHECK: for %c = {{.*}} to %n step
  for (int c = 0; c < n; ++c) {
    if (c == x) {
      c = n;
      break;
    }
    ++x;
  }
  // CHECK: %[[STEP:.*]] = constant 2
  // CHECK-NEXT: {{.*}} = for %d = {{.*}} step %[[STEP]],
  for (int d = 0; d < 100; d += by) {
    by = 2;
    if (d == x) continue;
    x += d;
  }
  store(at, x);
}
inline constexpr auto unchanged_f = instantiate(unchanged);
