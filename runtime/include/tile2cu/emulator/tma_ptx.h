// The emulator's device/tma_ptx.cuh: copies complete as late as the waits allow, or at once
// (options::order).
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>
#include <initializer_list>

#include "cuda.h"
#include "mbarrier_ptx.h"
#include "tensor_map.h"

namespace emulate {

void tma_load(void* box, const CUtensorMap& map, void* full, std::initializer_list<int> corner);
void tma_store(const CUtensorMap& map, const void* box, std::initializer_list<int> corner);
void tma_store_commit();
// `written`: waits for writes to global memory, not only for reads of shared memory.
void tma_store_wait(unsigned pending, bool written);

}  // namespace emulate

namespace tile2cu {
inline namespace v1 {

__forceinline__ void tma_prefetch_map(const CUtensorMap&) {}

template <class... C>
__forceinline__ void tma_load(void* box, const CUtensorMap& map, mbarrier& full, C... c) {
  static_assert(sizeof...(C) >= 1 && sizeof...(C) <= 5, "tma_load: 1 to 5 coordinates");
  emulate::tma_load(box, map, &full, {int(c)...});
}
template <class... C>
__forceinline__ void tma_store(const CUtensorMap& map, const void* box, C... c) {
  static_assert(sizeof...(C) >= 1 && sizeof...(C) <= 5, "tma_store: 1 to 5 coordinates");
  emulate::tma_store(map, box, {int(c)...});
}
__forceinline__ void tma_store_commit() { emulate::tma_store_commit(); }
template <int PENDING>
__forceinline__ void tma_store_wait_read() {
  emulate::tma_store_wait(PENDING, false);
}
template <int PENDING>
__forceinline__ void tma_store_wait() {
  emulate::tma_store_wait(PENDING, true);
}

}  // namespace v1
}  // namespace tile2cu
