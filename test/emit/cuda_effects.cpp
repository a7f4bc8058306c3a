// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// Texts with effects: once for each element, by one of the threads that have it, and once in a program on scalars.
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK>
__tile_global__ void add_to(const float* __restrict__ in, float* __restrict__ out, int* __restrict__ programs, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  auto add = [](float* p, float v, bool inside) {
    if (inside) *p += v;
  };
  cuda(R"(
    if (inside) asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory");
  )", add, writes(out + i), load(in + i, i < n), i < n);
  auto take = [](int* p) { return (*p)++; };
  auto ticket = cuda("return atomicAdd(p, 1);", take, writes(programs));
  store(programs + ticket, 1);
}
// CHECK: static __device__ __forceinline__ void add_cuda(float* p, float v, bool inside) {
// CHECK-NEXT: if (inside) asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory");
// CHECK: static __device__ __forceinline__ int take_cuda(int* p) {
// CHECK-LABEL: add_to_kernel(
// CHECK: for (int v = 0; v < VEC; ++v) ::add_cuda(out_tile + i + v, in_tile[v], i + v < valid);
// CHECK-NEXT: __syncthreads(); // the accesses above are ordered before the text
// CHECK: if (tid == 0) smem.ticket[0] = ::take_cuda(programs);
// CHECK-NEXT: __syncthreads(); // all threads see what the text returned
// CHECK-NEXT: const int ticket = smem.ticket[0];
// CHECK: if (tid == 0) programs[ticket] = 1;
inline constexpr auto add_to_512 = instantiate(add_to<512>);
// Seven elements, of which each warp has copies: one thread runs the text for each, and none for the padding.
// CHECK-LABEL: add_to_7_kernel(
// CHECK: if (lane < 8 && warp == 0 && i < BLOCK) ::add_cuda(out_tile + i, in_tile, i < valid);
inline constexpr auto add_to_7 = instantiate(add_to<7>);
