// Thread block clusters (sm_90): neighbouring blocks that run at the same time and copy into each
// other's shared memory. CLUSTER is the number of blocks of a cluster; 1 without clusters.
#pragma once
#include <cuda.h>

#include <cstdint>

#include "mbarrier_ptx.cuh"
#include "tma_ptx.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper cluster_rank include <cstdint>
// The rank of this block in its cluster of CLUSTER blocks. Needs sm_90.
template <int CLUSTER>
__device__ __forceinline__ int cluster_rank() {
  if (CLUSTER == 1) return 0;
#if __CUDA_ARCH__ >= 900
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return int(rank);
#else
  __trap();
  return 0;
#endif
}

// @helper cluster_sync
// Waits for all threads of all CLUSTER blocks of the cluster. After fence_mbarrier_init, it makes
// the mbarriers of each block visible to the others; it orders no other memory. Needs sm_90.
template <int CLUSTER>
__device__ __forceinline__ void cluster_sync() {
  if (CLUSTER == 1) return __syncthreads();
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "barrier.cluster.arrive.relaxed;\n"
      "barrier.cluster.wait;" ::
          : "memory");
#else
  __trap();
#endif
}

// @helper mbarrier_arrive_cluster needs mbarrier_arrive include <cstdint>
// Arrives at the mbarrier of block `rank` that is at the address of `b`. The block is one of the
// cluster. A thread that waits for the arrival may overwrite what this thread has read before;
// nothing else is ordered. Needs sm_90.
template <int CLUSTER>
__device__ __forceinline__ void mbarrier_arrive_cluster(mbarrier& b, int rank) {
  if (CLUSTER == 1) return mbarrier_arrive(b);
#if __CUDA_ARCH__ >= 900
  // Not `.release.cluster`: its fence would wait for all memory accesses of the thread, in each
  // iteration.
  asm volatile(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
      "}" ::"r"(uint32_t(__cvta_generic_to_shared(&b))),
      "r"(rank)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_load_multicast.2 needs tma_load.2 include <cuda.h>, <cstdint>
// TMA multicast: loads a box of 2 dimensions to the same address in each of the CLUSTER blocks of
// the cluster. The mbarrier of each block at the address of `full` counts the bytes. Needs sm_90a:
// ptxas warns of multicast in code for sm_90.
template <int CLUSTER>
__device__ __forceinline__ void tma_load_multicast(void* box, const CUtensorMap& map,
                                                   mbarrier& full, int c0, int c1) {
  if (CLUSTER == 1) return tma_load(box, map, full, c0, c1);
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(
          uint32_t(__cvta_generic_to_shared(box))),
      "l"(&map), "r"(uint32_t(__cvta_generic_to_shared(&full))), "r"(c0), "r"(c1),
      "h"(uint16_t((1 << CLUSTER) - 1))
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_load_multicast.3 needs tma_load.3 include <cuda.h>, <cstdint>
// TMA multicast: loads a box of 3 dimensions to the same address in each of the CLUSTER blocks of
// the cluster. The mbarrier of each block at the address of `full` counts the bytes. Needs sm_90a:
// ptxas warns of multicast in code for sm_90.
template <int CLUSTER>
__device__ __forceinline__ void tma_load_multicast(void* box, const CUtensorMap& map,
                                                   mbarrier& full, int c0, int c1, int c2) {
  if (CLUSTER == 1) return tma_load(box, map, full, c0, c1, c2);
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%3, %4, %5}], [%2], %6;" ::"r"(
          uint32_t(__cvta_generic_to_shared(box))),
      "l"(&map), "r"(uint32_t(__cvta_generic_to_shared(&full))), "r"(c0), "r"(c1), "r"(c2),
      "h"(uint16_t((1 << CLUSTER) - 1))
      : "memory");
#else
  __trap();
#endif
}

// @helper launch_cluster include <cuda_runtime.h>
// As launch_pdl, with clusters of `cluster` neighbouring blocks along x.
template <class... P, class... A>
inline cudaError_t launch_cluster(int cluster, void (*kernel)(P...), dim3 blocks, unsigned threads,
                                  size_t smem, cudaStream_t stream, const A&... arguments) {
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = cluster;
  attributes[1].val.clusterDim.y = 1;
  attributes[1].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = smem;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = cluster > 1 ? 2 : 1;
  return cudaLaunchKernelEx(&config, kernel, P(arguments)...);
}

// @end

}  // namespace v1
}  // namespace tile2cu
