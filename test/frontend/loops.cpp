// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// Counted loops stay `for`, in both directions; everything else is `while`. Loops carry only the values that change.
#include <tile2cu/tile.h>
using namespace tl;

// A `while` that adds a step once an iteration is a `for` if the code after it does not read the variable.
__tile_global__ void counts(float* out, int n) {
  auto row = grid(1);
  float x = 1;
  int i = 0, left = n, down = n, kept = 0;
  unsigned wraps = n;
  // CHECK-LABEL: kernel @counts
  // CHECK: for %i.1 = %{{.*}} to %n step %{{.*}}, %x.2 = %x, {{.*}} {compare = lt} : f32, i32 {
  // CHECK: continue
  while (i < n) {
    if (x > 9) {
      i += 2;
      continue;
    }
    x *= 2;
    i += 2;
  }
  // CHECK: %[[FIRST:.*]] = sub %n, %{{.*}} : i32
  // CHECK: for %left.1 = %[[FIRST]] to %{{.*}} step %{{.*}}, {{.*}} {compare = ge} : f32, i32 {
  // CHECK-NEXT: cast %left.1
  while (left-- > 0) x += left;
  // CHECK: for %down.1 = %{{.*}} to %{{.*}} step %{{.*}}, {{.*}} {compare = ge}
  while (--down >= 0) x *= down;
  // Unsigned: 0 - 1 is above 0.
  // CHECK: for %wraps.1 = %{{.*}} to %{{.*}} step %{{.*}}, {{.*}} {compare = gt}
  // CHECK-NEXT: sub %wraps.1, %{{.*}} : u32
  while (wraps-- > 0) x *= wraps;
  // Two steps, a step on some paths, a break, whose value the condition has not changed again, a variable that is read.
  // CHECK-COUNT-4: while
  while (n > 3) {
    n -= 1;
    if (x > n) n -= 1;
    x += n;
  }
  while (x > 2) x -= 1;
  while (n-- > 0)
    if (x > n) break;
  while (kept < 5) kept += 2;
  out[row] = x + kept;
}

// With a dot the loop can be pipelined: the variable that is read after it is carried beside the counter.
__tile_global__ void counts_dots(const float16* a, float* out, int n) {
  auto row = grid(1);
  auto i = arange<16>();
  auto acc = zeros<float, 16, 16>();
  int left = n;
  // CHECK-LABEL: kernel @counts_dots
  // CHECK: %{{.*}}, %[[LEFT:.*]] = for %[[COUNT:.*]] = %{{.*}} to {{.*}} {compare = ge} : tile<16x16xf32>, i32 {
  // CHECK: yield %{{.*}}, %[[COUNT]]
  // CHECK: sub %[[LEFT]], %{{.*}} : i32
  while (left-- > 0) {
    auto x = load(a + left * 256 + i[all, none] * 16 + i[none, all]);
    acc = dot(x, x, acc);
  }
  store(out + i[all, none] * 16 + i[none, all], acc + left);
}

template <int B>
__tile_global__ void counted(const float* in, float* out, int n, int64_t wide) {
  auto row = grid(1);
  auto acc = zeros<float, B>();
  auto offs = arange<B>();
  float unchanged = 3;
  // CHECK-LABEL: kernel @counted
  // CHECK: %acc.1 = for %k = %{{.*}} to %n step %{{.*}}, %acc.2 = %acc {compare = lt} : tile<64:B x f32> {
  // CHECK: %acc.3 = add %acc.2
  // CHECK: yield %acc.3
  for (int k = 0; k < n; k += B) acc += load(in + k + offs);
  // CHECK: %[[STEP:.*]] = constant -64 {formula = "-1*B"} : i32
  // CHECK: for %k.1 = %{{.*}} to %{{.*}} step %[[STEP]], {{.*}} {compare = ge} : tile<64:B x f32> {
  for (int k = n - B; k >= 0; k -= B) acc += load(in + k + offs) * unchanged;
  // The upper bound is wider than the variable: the loop counts in its type.
  // CHECK: for %i = %{{.*}} to %wide step %{{.*}}, {{.*}} {compare = lt}
  // CHECK-NEXT: cast %i {lossless = true} : i32
  for (int i = 0; i < wide; ++i) acc += i;
  // CHECK: for %j = %n to %{{.*}} step %{{.*}}, {{.*}} {compare = gt}
  for (int j = n; 0 < j; --j) acc += j;
  store(out + row * B + offs, acc);
}
inline constexpr auto counted_64 = instantiate(counted<64>);

__tile_global__ void general(float* out, int n) {
  auto row = grid(1);
  int i = 0;
  float x = 1;
  // CHECK-LABEL: kernel @general
  // CHECK: %i.1, %x.1 = while %i, %x : i32, f32 {
  // CHECK: %[[C:.*]] = lt %{{.*}}, %n : bool
  // CHECK: condition %[[C]], %i.2, %x.2
  // CHECK: if %{{.*}} {
  // CHECK-NEXT: break %i.3, %x.4
  // CHECK: if %{{.*}} {
  // CHECK: continue %{{.*}}, %x.4
  while (2 * i < n) {
    x *= 2;
    if (x > 100) break;
    ++i;
    if (i == 3) continue;
    x = x + 1;
  }
  // A bound that the body changes.
  // CHECK: while
  for (int k = 0; k < n; ++k) --n;
  // CHECK: %[[AGAIN:.*]] = constant true : bool
  // CHECK: %x.6, %again = while %x.1, %[[AGAIN]] : f32, bool {
  do {
    x = x * 0.5f;
  } while (x > 1);
  out[row] = x;
}

__tile_global__ void unrolled(float* out) {
  auto row = grid(1);
  float x = 0;
  // CHECK-LABEL: kernel @unrolled
  // CHECK: %x.1 = add
  // CHECK: %x.2 = add
  // CHECK: %x.3 = add
  // CHECK-NOT: for
  for (auto i : static_range<2, 8, 2>()) x += i + out[row];
  // CHECK: %x.4 = add
  // CHECK: %x.5 = add
  static_for<2>([&](auto i) { x += sum(full<float, i + 1>(2.0f)); });
  out[row] = x;
}

__tile_global__ void ranges(float* out, int n) {
  // CHECK-LABEL: kernel @ranges
  // CHECK: %[[PID:.*]] = grid %{{.*}} {persistent = true} : i64
  // CHECK: %[[N:.*]] = num_programs {axis = 0} : i64
  // CHECK: for %item = %[[PID]] to %{{.*}} step %[[N]] {compare = lt} {
  for (auto item : persistent_range(n)) {
    float x = 0;
    // CHECK: for %k = {{.*}} {compare = lt, num_stages = 4, stops = true, unroll = 2}
    for (auto k : range(0, n, 2, {.num_stages = 4, .unroll = 2})) x += k;
    // CHECK: for %k.1 = {{.*}} {compare = gt}
    for (auto k : range(n, 0, -1)) x += k;
    out[item] = x;
  }
}

// An element of a view is memory, which is no variable of the loop's head.
struct View {
  int* data;
  int columns;
  __tile__ int& operator[](int i) const { return data[i]; }
  __tile__ int& at(int i, int j) const { return (*this)[i * columns + j]; }
};
__tile_global__ void views(int* out, int n) {
  // CHECK-LABEL: kernel @views
  // CHECK: for %i = {{.*}} {compare = lt} {
  grid(1);
  View view{out, n};
  for (int i = 0; i < n; ++i) {
    view[i] = i;
    view.at(i, 1) += 2;
  }
  // CHECK-NOT: for
  // CHECK: while
  for (int i = 0; i < view.columns; ++i) {
    view[i] = 0;
    view.columns -= 1;
  }
}
