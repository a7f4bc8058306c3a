// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// C++ on scalars: constants, enumerations, sizeof, conversions, arrays, structs, <cmath>.
#include <tile2cu/tile.h>

#include <algorithm>
#include <cmath>

enum class Mode : int { kPlain, kSquare = 5 };
constexpr float kTable[3] = {1, 2, 4};
constexpr int kSize = sizeof(float) * 4;

__tile_global__ void scalars(float* out, int n, float f, bool flag, Mode mode,
                             unsigned char small) {
  auto row = tl::grid(n);
  // CHECK: %kSize = constant 16 : i32
  int a = n * kSize;
  // CHECK: %m = constant 5 : i32
  Mode m = Mode::kSquare;
  // CHECK: %same = eq %mode, %m
  bool same = mode == m;
  // CHECK: %b = cast %f : i32
  int b = static_cast<int>(f);
  // CHECK: %[[S:.*]] = cast %small : i32
  // CHECK: %c = shl %[[S]]
  int c = small << 2;
  // CHECK: %e = exp %f : f32
  float e = std::exp(f);
  // CHECK: %g = sqrt %e : f32
  float g = sqrtf(e);
  // CHECK: %h = maximum %e, %g : f32
  float h = fmaxf(e, g);
  // CHECK: %[[L:.*]] = lt %h, %e
  // CHECK: %k = select %[[L]], %e, %h
  float k = std::max(h, e);
  // CHECK: %least = minimum %a, %b : i32
  int least = std::min(a, b);
  // CHECK: %[[T:.*]] = constant 4.0 : f32
  // CHECK: %t = mul %k, %{{.*}} : f32
  float t = k * kTable[2];
  float local[2] = {t, f};
  local[1] += 1;
  // CHECK: %u = add %t, %{{.*}} : f32
  float u = local[0] + local[1];
  struct Point {
    float x = 3, y;
  };
  Point point{.y = u};
  point.x += point.y;
  // CHECK: %v = mul
  float v = point.x * point.y;
  // CHECK: %i = add %c
  int i = c, j = i++;
  // CHECK: %w = select %flag, %v, %{{.*}}
  float w = flag ? v : -v;
  // CHECK: %bit = not %same
  bool bit = !same;
  struct Alias {
    float& target;
    float& memory;
  };
  // CHECK: %w.1 = add %w
  // CHECK: load
  // CHECK: store
  Alias alias{w, out[n]};
  alias.target += 1;
  alias.memory += 2;
  float total = w;
  for (float x : kTable) total += x;
  out[row] = total + least + i + j + bit;
}
