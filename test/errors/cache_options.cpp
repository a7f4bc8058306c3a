// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Cache operators for only loads or only stores, and options that are given twice.
#include <tile2cu/tile.h>
using namespace tl;

template <cache WORD>
__tile__ void put(float* p, float value) {
  // CHECK: :[[@LINE+1]]:19: error: cache::cv is an option of loads only; a store takes cache::wb, cg, cs or wt
  store(p, value, WORD);
}

__tile_global__ void hinted(float* p, float* out, int n) {
  auto i = grid(1) + arange<64>();
  store(out + i, load(p + i, cache::ca) + load(p + i, cache::cg) + load(p + i, cache::cs));
  store(out + i, load(p + i, cache::cv), cache::wb);
  store(out + i, 1, cache::cg);
  store(out + i, 1, cache::cs);
  store(out + i, 1, i < n, cache::wt, evict::first);
  put<cache::wt>(out, load(p, cache::by_default));
  put<cache::cv>(out, load(p, cache::cv, evict::last));
  // CHECK: :[[@LINE+3]]:28: error: cache::ca is an option of loads only; a store takes cache::wb, cg, cs or wt
  // CHECK-NEXT: store(out + i, 2, i < n, cache::ca);
  // CHECK-NEXT: {{^}}      |                            ^
  store(out + i, 2, i < n, cache::ca);
  // CHECK: :[[@LINE+1]]:21: error: cache::wb is an option of stores only; a load takes cache::ca, cg, cs or cv
  float x = load(p, cache::wb);
  // CHECK: :[[@LINE+1]]:34: error: cache::wt is an option of stores only; a load takes cache::ca, cg, cs or cv
  auto y = load(p + i, i < n, 0, cache::wt, evict::first);
  store(out + i, y + x);
  // CHECK: :[[@LINE+1]]:35: error: the option 'cache' is given twice in one call; use one of them
  auto twice = load(p, cache::cg, cache::cs);
  // CHECK: :[[@LINE+1]]:50: error: the option 'evict' is given twice in one call; use one of them
  store(out + i, twice, evict::first, cache::cs, evict::first);
  // CHECK: :[[@LINE+1]]:61: error: the option 'memory_order' is given twice in one call; use one of them
  atomic_add(out + i, 1, memory_order::relaxed, scope::gpu, memory_order::acquire);
  // CHECK: 7 errors generated
}
inline constexpr auto launch = instantiate(hinted);
