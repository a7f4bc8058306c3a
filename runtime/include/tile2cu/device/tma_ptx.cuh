// TMA copies of tensor boxes between global and shared memory (tensor memory accelerator, sm_90).
//
// A CUtensorMap (make_tensor_map) describes the tensor and the size of a box; it is a `const
// __grid_constant__` parameter of the kernel. Coordinates are those of the first element of the
// box, the contiguous dimension first. They may be outside the tensor, but the first is at a
// multiple of 16 bytes, and those of a store are not negative: otherwise the hardware reports an
// illegal instruction. In shared memory a box starts at a multiple of 128 bytes, or of the swizzle
// pattern: 1024 bytes with swizzled rows of 128 bytes, 512 with 64, 256 with 32.
//
// One thread starts a copy. Loads signal an mbarrier when their bytes have arrived; stores are
// counted in groups per thread.
#pragma once
#include <cuda.h>

#include <cstdint>

#include "mbarrier_ptx.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper tma_prefetch_map include <cuda.h>
// Prefetches a tensor map. Needs sm_90.
__device__ __forceinline__ void tma_prefetch_map(const CUtensorMap& map) {
#if __CUDA_ARCH__ >= 900
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
#else
  __trap();
#endif
}

// @helper tma_load.1 needs mbarrier include <cuda.h>, <cstdint>
// Starts the load of a box of 1 dimension to shared memory; elements outside the tensor are zero.
// All bytes of the box count for the current phase of `full`, which has to expect them
// (mbarrier_arrive_expect_tx). Needs sm_90.
__device__ __forceinline__ void tma_load(void* box, const CUtensorMap& map, mbarrier& full,
                                         int c0) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3}], [%2];" ::"r"(uint32_t(__cvta_generic_to_shared(box))),
      "l"(&map), "r"(uint32_t(__cvta_generic_to_shared(&full))), "r"(c0)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_load.2 needs mbarrier include <cuda.h>, <cstdint>
// Starts the load of a box of 2 dimensions to shared memory; elements outside the tensor are zero.
// All bytes of the box count for the current phase of `full`, which has to expect them
// (mbarrier_arrive_expect_tx). Needs sm_90.
__device__ __forceinline__ void tma_load(void* box, const CUtensorMap& map, mbarrier& full, int c0,
                                         int c1) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4}], [%2];" ::"r"(uint32_t(__cvta_generic_to_shared(box))),
      "l"(&map), "r"(uint32_t(__cvta_generic_to_shared(&full))), "r"(c0), "r"(c1)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_load.3 needs mbarrier include <cuda.h>, <cstdint>
// Starts the load of a box of 3 dimensions to shared memory; elements outside the tensor are zero.
// All bytes of the box count for the current phase of `full`, which has to expect them
// (mbarrier_arrive_expect_tx). Needs sm_90.
__device__ __forceinline__ void tma_load(void* box, const CUtensorMap& map, mbarrier& full, int c0,
                                         int c1, int c2) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(uint32_t(__cvta_generic_to_shared(box))),
      "l"(&map), "r"(uint32_t(__cvta_generic_to_shared(&full))), "r"(c0), "r"(c1), "r"(c2)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_load.4 needs mbarrier include <cuda.h>, <cstdint>
// Starts the load of a box of 4 dimensions to shared memory; elements outside the tensor are zero.
// All bytes of the box count for the current phase of `full`, which has to expect them
// (mbarrier_arrive_expect_tx). Needs sm_90.
__device__ __forceinline__ void tma_load(void* box, const CUtensorMap& map, mbarrier& full, int c0,
                                         int c1, int c2, int c3) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(uint32_t(__cvta_generic_to_shared(box))),
      "l"(&map), "r"(uint32_t(__cvta_generic_to_shared(&full))), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_load.5 needs mbarrier include <cuda.h>, <cstdint>
// Starts the load of a box of 5 dimensions to shared memory; elements outside the tensor are zero.
// All bytes of the box count for the current phase of `full`, which has to expect them
// (mbarrier_arrive_expect_tx). Needs sm_90.
__device__ __forceinline__ void tma_load(void* box, const CUtensorMap& map, mbarrier& full, int c0,
                                         int c1, int c2, int c3, int c4) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(uint32_t(__cvta_generic_to_shared(box))),
      "l"(&map), "r"(uint32_t(__cvta_generic_to_shared(&full))), "r"(c0), "r"(c1), "r"(c2), "r"(c3),
      "r"(c4)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_store.1 include <cuda.h>, <cstdint>
// Starts the store of a box of 1 dimension from shared memory. Nothing is written outside the
// tensor, except up to the next multiple of 16 bytes where the contiguous dimension ends before
// one. Before it, the threads that wrote the box call fence_proxy_async, and then a barrier.
// Needs sm_90.
__device__ __forceinline__ void tma_store(const CUtensorMap& map, const void* box, int c0) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];" ::"l"(&map),
      "r"(uint32_t(__cvta_generic_to_shared(box))), "r"(c0)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_store.2 include <cuda.h>, <cstdint>
// Starts the store of a box of 2 dimensions from shared memory. Nothing is written outside the
// tensor, except up to the next multiple of 16 bytes where the contiguous dimension ends before
// one. Before it, the threads that wrote the box call fence_proxy_async, and then a barrier.
// Needs sm_90.
__device__ __forceinline__ void tma_store(const CUtensorMap& map, const void* box, int c0, int c1) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
          &map),
      "r"(uint32_t(__cvta_generic_to_shared(box))), "r"(c0), "r"(c1)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_store.3 include <cuda.h>, <cstdint>
// Starts the store of a box of 3 dimensions from shared memory. Nothing is written outside the
// tensor, except up to the next multiple of 16 bytes where the contiguous dimension ends before
// one. Before it, the threads that wrote the box call fence_proxy_async, and then a barrier.
// Needs sm_90.
__device__ __forceinline__ void tma_store(const CUtensorMap& map, const void* box, int c0, int c1,
                                          int c2) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(
          &map),
      "r"(uint32_t(__cvta_generic_to_shared(box))), "r"(c0), "r"(c1), "r"(c2)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_store.4 include <cuda.h>, <cstdint>
// Starts the store of a box of 4 dimensions from shared memory. Nothing is written outside the
// tensor, except up to the next multiple of 16 bytes where the contiguous dimension ends before
// one. Before it, the threads that wrote the box call fence_proxy_async, and then a barrier.
// Needs sm_90.
__device__ __forceinline__ void tma_store(const CUtensorMap& map, const void* box, int c0, int c1,
                                          int c2, int c3) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::
          "l"(&map),
      "r"(uint32_t(__cvta_generic_to_shared(box))), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_store.5 include <cuda.h>, <cstdint>
// Starts the store of a box of 5 dimensions from shared memory. Nothing is written outside the
// tensor, except up to the next multiple of 16 bytes where the contiguous dimension ends before
// one. Before it, the threads that wrote the box call fence_proxy_async, and then a barrier.
// Needs sm_90.
__device__ __forceinline__ void tma_store(const CUtensorMap& map, const void* box, int c0, int c1,
                                          int c2, int c3, int c4) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
      "[%1];" ::"l"(&map),
      "r"(uint32_t(__cvta_generic_to_shared(box))), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)
      : "memory");
#else
  __trap();
#endif
}

// @helper tma_store_commit
// Closes the group of this thread's new stores. Needs sm_90.
__device__ __forceinline__ void tma_store_commit() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#else
  __trap();
#endif
}

// @helper tma_store_wait_read
// Waits until all but the newest PENDING groups have read their boxes. The groups are this
// thread's; their boxes may then be overwritten. Needs sm_90.
template <int PENDING>
__device__ __forceinline__ void tma_store_wait_read() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
#else
  __trap();
#endif
}

// @helper tma_store_wait
// Waits until all but the newest PENDING groups of this thread have been written to global memory.
// Needs sm_90.
template <int PENDING>
__device__ __forceinline__ void tma_store_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(PENDING) : "memory");
#else
  __trap();
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
