// RUN: %tile2cu %s -o - | FileCheck %s
// The statements of the source become comments of the output, on one line, with the user's own above
// them; inlined code belongs to the statement that calls it.
#include <tile2cu/tile.h>
using namespace tl;

__tile__ float limited(float v) {
  auto low = v < 0 ? 0 : v;
  return low > 1 ? 1 : low;
}

// clang-format off
/* out[i] = limited(in[i])
 * for all rows */
template <int N>
__tile_global__
void statements(const float* __restrict__ in,  // not a comment of the kernel
                float* __restrict__ out) {
  auto row = grid(1);  // there is only one
  // All of it,
  // at once.
  auto x = load(in +  // spaces and comments
                    row  *  N
                + arange<N>());
  float scale = limited(in[3]);

  // A comment of its own.

  static_for<2>([&](auto i) { scale += in[i + 4]; });
  for (auto k : static_range<2>()) {
    // Twice.
    scale = scale * in[k + 6];
  }
  store(out + arange<N>(), x * scale);
}
// clang-format on
inline constexpr auto statements_64 = instantiate(statements<64>);

// CHECK: // out[i] = limited(in[i])
// CHECK-NEXT: // for all rows
// CHECK-NOT: {{not a comment of the kernel|clang-format}}
// CHECK: // {{.*}}auto row = grid(1)
// CHECK: // auto x = load(in + row * N + arange<N>())
// CHECK: // float scale = limited(in[3])
// CHECK-NOT: auto low
// CHECK: // {{.*}}scale += in[i + 4]
// CHECK: // {{.*}}scale = scale * in[k + 6]
// CHECK-NOT: A comment of its own
// CHECK: // store(out + arange<N>(), x * scale)
