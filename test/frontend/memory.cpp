// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// Loads, stores, atomics; scalars and pointers as in C++.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void memory(const float* __restrict__ in, float* out, float16* half, int* counter,
                            int n) {
  auto row = grid(n);
  auto i = arange<32>();
  // The mask and the value get the pointers' shape; `other` its element type.
  // CHECK: %[[M:.*]] = splat %{{.*}} : tile<32xbool>
  // CHECK: %x = load %{{.*}}, %[[M]], %{{.*}} {cache = cg, evict = first} : tile<32xf32>
  auto x = load(in + i, n > 3, 1, cache::cg, evict::first);
  // CHECK: %[[H:.*]] = cast %x : tile<32xf16>
  // CHECK: store %{{.*}}, %[[H]] {cache = cs}
  store(half + i, x, cache::cs);
  // CHECK: atomic %{{.*}}, %{{.*}} {memory_order = relaxed, scope = gpu, update = add} : tile<32xf32>
  atomic_add(out + i, x, memory_order::relaxed, scope::gpu);
  // CHECK: %[[P:.*]] = addptr %in, %row : ptr<const f32>
  // CHECK: %s = load %[[P]] : f32
  float s = in[row];
  // CHECK: %p = addptr %out, %{{.*}} : ptr<f32>
  float* p = out + 4;
  // CHECK: %[[OLD:.*]] = load %p : f32
  // CHECK: %[[NEW:.*]] = add %[[OLD]], %s
  // CHECK: store %p, %[[NEW]]
  *p += s;
  // CHECK: %p.1 = addptr %p, %{{.*}} : ptr<f32>
  ++p;
  // CHECK: %[[N:.*]] = cast %n : i64
  // CHECK: %[[Q:.*]] = neg %[[N]] : i64
  // CHECK: %[[T:.*]] = addptr %p.1, %[[Q]]
  // CHECK: store %[[T]], %s
  *(p - n) = s;
  // A bool offset of a pointer is an int.
  // CHECK: %[[B:.*]] = gt %n, %{{.*}} : bool
  // CHECK: %[[I:.*]] = cast %[[B]] : i32
  // CHECK: %[[U:.*]] = addptr %in, %[[I]]
  // CHECK: load %[[U]]
  s += in[n > 2];
  // CHECK: %[[C:.*]] = gt %n, %{{.*}} : bool
  // CHECK: %[[J:.*]] = cast %[[C]] : i32
  // CHECK: addptr %p.1, %[[J]]
  *(p + (n > 5)) = s;
  // CHECK: %old = atomic %counter, %{{.*}} {update = add} : i32
  auto old = atomic_add(counter, 1);
  // CHECK: store %counter, %{{.*}}
  store(counter, old * 2);
  // The expected value of a compare-and-swap comes last, after the mask if there is one.
  // CHECK: %[[E:.*]] = constant 2 : i32
  // CHECK: atomic %counter, %old, _, %[[E]] {memory_order = acquire, update = cas} : i32
  atomic_cas(counter, 2, old, memory_order::acquire);
  // CHECK: %[[NEG:.*]] = neg %x : tile<32xf32>
  // CHECK: atomic %{{.*}}, %[[NEG]] {update = add} : tile<32xf32>
  atomic_sub(out + i, x);
  // CHECK: atomic %{{.*}}, %x {update = min} : tile<32xf32>
  atomic_min(out + i, x);
  // CHECK: atomic %counter, %old, %{{.*}} {update = inc} : i32
  atomic_inc(counter, old, n > 3);
  // CHECK: %seen = atomic %counter {update = load} : i32
  int seen = atomic_load(counter);
  // CHECK: atomic %{{.*}}, _, %{{.*}} {memory_order = relaxed, scope = block, update = load} : tile<32xf32>
  auto y = atomic_load(out + i, i < seen, memory_order::relaxed, scope::block);
  // CHECK: atomic %{{.*}}, %y, %{{.*}} {memory_order = release, update = store} : tile<32xf32>
  atomic_store(out + i, y, i < 9, memory_order::release);
  // A tile of pointers that is advanced.
  auto ptrs = in + i;
  // CHECK: %ptrs.1 = addptr %ptrs, %{{.*}} : tile<32xptr<const f32>>
  ptrs += n;
  out[1] = sum(load(ptrs));
}
