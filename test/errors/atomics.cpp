// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Atomics that no device has.
#include <tile2cu/tile.h>
using namespace tl;

template <class T>
__tile_global__ void count(T* __restrict__ out, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
  atomic_add(out + i, 1, i < n, memory_order::relaxed, scope::gpu);
  // CHECK: :[[@LINE+3]]:3: error: no GPU updates 16-bit elements atomically for the whole system; use 32-bit elements, or scope::gpu
  // CHECK-NEXT: atomic_add(
  // CHECK-NEXT: ^
  atomic_add(out + i, 1, i < n, memory_order::relaxed, scope::system);
  // CHECK: :[[@LINE+1]]:3: error: no GPU updates 16-bit elements atomically for the whole system
  atomic_cas(out, 1, 2, scope::system);
}
// Wider types are accepted. Reported once for all kernels.
inline constexpr auto count_i32 = instantiate(count<int>, {});
inline constexpr auto count_f64 = instantiate(count<double>, {});
inline constexpr auto count_f16 = instantiate(count<float16>, {});
inline constexpr auto count_bf16 = instantiate(count<bfloat16>, {});
// Loads and stores have half of an order each. Those of 16 bits are for the whole system too.
__tile_global__ void publish(std::int16_t* out) {
  grid(1);
  atomic_store(out, atomic_load(out + 1, scope::system), scope::system);
  // CHECK: :[[@LINE+1]]:3: error: atomic_load takes memory_order::relaxed and memory_order::acquire, the default
  atomic_load(out, memory_order::release);
  // CHECK: :[[@LINE+1]]:3: error: atomic_store takes memory_order::relaxed and memory_order::release, the default
  atomic_store(out, 1, memory_order::acq_rel);
}
inline constexpr auto published = instantiate(publish, {});
// CHECK: 4 errors generated
