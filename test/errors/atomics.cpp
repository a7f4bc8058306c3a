// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Atomics that no device has.
#include <tile2cu/tile.h>
using namespace tl;

template <class T>
__tile_global__ void count(T* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
  atomic_add(out + i, 1, i < n, memory_order::relaxed, scope::gpu);
  // CHECK: :[[@LINE+3]]:3: error: no GPU adds 16-bit floats atomically for the whole system; add 32-bit floats, or use scope::gpu
  // CHECK-NEXT: atomic_add(
  // CHECK-NEXT: ^
  atomic_add(out + i, 1, i < n, memory_order::relaxed, scope::system);
}
// Wider types are accepted. Reported once for all kernels.
inline constexpr auto count_i32 = instantiate(count<int>, {});
inline constexpr auto count_f64 = instantiate(count<double>, {});
inline constexpr auto count_f16 = instantiate(count<float16>, {});
inline constexpr auto count_bf16 = instantiate(count<bfloat16>, {});
// CHECK: 1 error generated
