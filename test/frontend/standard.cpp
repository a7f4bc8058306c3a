// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// Casts to a derived class, std::array, std::pair, std::swap, std::exchange, and comparisons by default.
#include <tile2cu/tile.h>

#include <array>
#include <compare>
#include <utility>
using namespace tl;

template <class Derived>
struct Scales {
  int more;
  __tile__ const Derived& self() const { return static_cast<const Derived&>(*this); }
  __tile__ int scaled(int x) const { return self().scale(x) - more; }
  __tile__ void grow(int by) { static_cast<Derived*>(this)->factor += by; }
};
struct First {
  int first;
};
struct Both : First, Scales<Both> {
  int factor;
  __tile__ int scale(int x) const { return x * factor / first; }
};

// CHECK: kernel @crtp(%out: {{.*}} %n: i32{{.*}} %m: i32
__tile_global__ void crtp(int* out, int n, int m) {
  grid(1);
  Both both{{n}, {m}, n + m};
  // CHECK: %[[FACTOR:.*]] = add %n, %m
  // CHECK: %[[GROWN:.*]] = add %[[FACTOR]], %m
  both.grow(m);
  // CHECK: %[[PRODUCT:.*]] = mul %{{.*}}, %[[GROWN]]
  // CHECK: %[[SCALED:.*]] = div %[[PRODUCT]], %n
  // CHECK: sub %[[SCALED]], %m
  store(out, both.scaled(7));
}
inline constexpr auto crtp_i32 = instantiate(crtp);

// CHECK: kernel @arrays(%out: {{.*}} %n: i32{{.*}} %m: i32
__tile_global__ void arrays(int* out, int n, int m) {
  grid(1);
  std::array<int, 3> a{n, m, 5};
  for (auto k : static_range<1>()) std::swap(a[k], a[k + 1]);
  auto p = std::make_pair(a.front(), a[1]);
  const int was = std::exchange(p.second, 9);
  // CHECK: div %m, %n
  store(out, p.first / was);
  for (int& e : a) e -= p.second;
  // CHECK: %[[M:.*]] = sub %m, %
  // CHECK: %[[N:.*]] = sub %n, %
  // CHECK: rem %[[M]], %[[N]]
  store(out + 1, a[0] % a.at(1));
  std::swap(out[2], out[3]);
}
inline constexpr auto arrays_i32 = instantiate(arrays);

struct Version {
  int major, minor;
  bool operator==(const Version&) const = default;
  auto operator<=>(const Version&) const = default;
};

// CHECK: kernel @compared(%out: {{.*}} %n: i32{{.*}} %m: i32{{.*}} %x: f32
__tile_global__ void compared(int* out, int n, int m, float x) {
  grid(1);
  // CHECK-DAG: eq %n, %m
  // CHECK-DAG: eq %m, %n
  if (Version{n, m} == Version{m, n}) out[0] = 1;
  // CHECK: gt %n, %m
  // CHECK: lt %n, %m
  if (Version{n, m} < Version{m, n}) out[1] = 1;
  // Neither is true of NaN.
  // CHECK: %[[SIGN:.*]] = select
  // CHECK: %[[ORDERED:.*]] = ne %{{.*}}, %
  // CHECK: %[[LEAST:.*]] = le
  // CHECK: and %[[ORDERED]], %[[LEAST]]
  if ((x <=> 1.0f) <= 0) out[2] = 1;
}
inline constexpr auto compared_i32 = instantiate(compared);
