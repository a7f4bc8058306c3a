// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// Helpers, composites and lambdas are inlined.
#include <tile2cu/tile.h>
using namespace tl;

struct Stats {
  float mean, variance;
};
__tile__ float limited(float v) {
  if (v < 0) return 0;
  if (v > 1) return 1;
  return v;
}
template <class T, int N>
__tile__ Stats statistics(const tile<T, N>& x) {
  float mean = sum(x) / N;
  auto centred = x - mean;
  return {mean, sum(centred * centred) / N};
}
__tile__ void raise(float& value, float by) { value += by; }
struct Scale {
  float factor;
  __tile__ float apply(float x) const { return x * factor; }
};

template <int N>
__tile_global__ void helpers(const float* in, float* out) {
  auto row = grid(1);
  auto x = load(in + row * N + arange<N>());
  // CHECK: %[[SUM:.*]] = reduce %x {axis = 0, kind = sum}
  // CHECK: %mean = div %[[SUM]]
  // CHECK: %variance = div
  auto [mean, variance] = statistics(x);
  // CHECK: %[[NEG:.*]] = lt %variance
  // CHECK: if %[[NEG]] : f32 {
  // CHECK: else {
  // CHECK: if %{{.*}} : f32 {
  // CHECK: yield %variance
  auto y = limited(variance);
  // CHECK: %y.1 = add
  raise(y, 2);
  Scale scale{mean};
  // CHECK: %z = mul %y.1, %mean
  auto z = scale.apply(y);
  float bias = 4;
  auto biased = [&](auto v) { return v + bias; };
  bias = 5;
  // CHECK: %[[FIVE:bias.*]] = constant 5.0 : f32
  // CHECK: %w = add %z, %[[FIVE]]
  auto w = biased(z);
  // sigmoid is written in the language itself.
  // CHECK: exp
  // CHECK: %s = div
  auto s = sigmoid(w);
  out[row] = s;
}
inline constexpr auto helpers_64 = instantiate(helpers<64>);
