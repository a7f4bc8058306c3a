// The emulator's device/cluster_ptx.cuh: clusters of up to two blocks, which take turns.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstdint>
#include <initializer_list>

#include "cuda.h"
#include "launch.h"
#include "mbarrier_ptx.h"
#include "tma_ptx.h"

namespace emulate {

int cluster_rank(int blocks);
void cluster_sync(int blocks);
void mbarrier_arrive_cluster(void* barrier, int rank);
void tma_load_multicast(int blocks, void* box, const CUtensorMap& map, void* full,
                        std::initializer_list<int> corner);

}  // namespace emulate

namespace tile2cu {
inline namespace v1 {

template <int CLUSTER>
__forceinline__ int cluster_rank() {
  return emulate::cluster_rank(CLUSTER);
}
template <int CLUSTER>
__forceinline__ void cluster_sync() {
  emulate::cluster_sync(CLUSTER);
}
template <int CLUSTER>
__forceinline__ void mbarrier_arrive_cluster(mbarrier& b, int rank) {
  emulate::mbarrier_arrive_cluster(&b, CLUSTER == 1 ? 0 : rank);
}
template <int CLUSTER, class... C>
__forceinline__ void tma_load_multicast(void* box, const CUtensorMap& map, mbarrier& full, C... c) {
  static_assert(sizeof...(C) >= 2 && sizeof...(C) <= 3, "tma_load_multicast: 2 or 3 coordinates");
  emulate::tma_load_multicast(CLUSTER, box, map, &full, {int(c)...});
}

template <class... P, class... A>
inline cudaError_t launch_cluster(int cluster, void (*kernel)(P...), dim3 blocks, unsigned threads,
                                  std::size_t smem, cudaStream_t stream, const A&... arguments) {
  return emulate::launch_cluster(cluster, kernel, blocks, threads, smem, stream, arguments...);
}

}  // namespace v1
}  // namespace tile2cu
