// RUN: %tile2cu %s --emit=ir --passes=none -o - 2>%t.messages | FileCheck %s
// RUN: FileCheck %s --check-prefix=MESSAGE --input-file=%t.messages --implicit-check-not=warning:
// Kernels that are static members of classes, and of class templates.
#include <tile2cu/tile.h>
using namespace tl;

namespace models {
struct Scale {
  static constexpr int kBlock = 64;
  static __tile__ float twice(float x) { return 2 * x; }
  static __tile_global__ void run(const float* in, float* out, int n) {
    auto i = grid(cdiv(n, kBlock)) * kBlock + arange<kBlock>();
    store(out + i, map(twice, load(in + i, i < n)), i < n);
  }
  template <int B>
  static __tile_global__ void fill(float* out) {
    store(out + grid(4) * B + arange<B>(), 1.0f);
  }
  // MESSAGE: :[[@LINE+1]]:31: warning: kernel 'models::Scale::idle' is a member of a class and has no launcher; write inline constexpr auto name = instantiate(models::Scale::idle) after the class [-Wunused-kernel]
  static __tile_global__ void idle(float* out) { grid(1); }
};
// Defined outside of the class.
struct Shift {
  static __tile_global__ void run(const float* in, float* out, int n);
};
__tile_global__ void Shift::run(const float* in, float* out, int n) {
  auto i = grid(n);
  out[i] = in[i] + 1;
}
template <int B>
struct Generic {
  static __tile_global__ void run(float* out) { store(out + grid(2) * B + arange<B>(), 2.0f); }
};
inline constexpr auto scale = instantiate(Scale::run);
inline constexpr auto shift = instantiate(Shift::run, {.num_warps = 1});
inline constexpr auto fill_32 = instantiate(Scale::fill<32>);
inline constexpr auto generic_16 = instantiate(Generic<16>::run);
}  // namespace models
// CHECK: kernel @run(%in: {{.*}}, %out: {{.*}}, %n: {{.*}}) warps 4 namespace "models"
// CHECK: kernel @run({{.*}} warps 1 namespace "models"
// CHECK: kernel @fill<B = 32>({{.*}} namespace "models"
// CHECK: kernel @run{{.*}} namespace "models"
// CHECK: launcher @scale = select @run#0 namespace "models"
// CHECK: launcher @shift = select @run#1 namespace "models"
// CHECK: launcher @fill_32 = select @fill#2 namespace "models"
// CHECK: launcher @generic_16 = select @run#3 namespace "models"
