// Synchronization between the roles of a block (sm_90): mbarriers, which count arrivals and bytes
// of asynchronous copies, named barriers, and the registers that roles hand over to each other.
#pragma once
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper mbarrier include <cstdint>
// An mbarrier, in shared memory. A phase of it is complete when all expected arrivals and bytes
// have been counted; then the next phase starts.
struct mbarrier {
  uint64_t state;
};

// @helper mbarrier_init needs mbarrier
// Initializes a barrier whose phases expect `arrivals` arrivals each. One thread calls it, and then
// fence_mbarrier_init; all threads call __syncthreads() before its first use. Needs sm_90.
__device__ __forceinline__ void mbarrier_init(mbarrier& b, int arrivals) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(uint32_t(__cvta_generic_to_shared(&b))),
      "r"(arrivals)
      : "memory");
#else
  __trap();
#endif
}

// @helper fence_mbarrier_init
// Makes mbarriers that this thread initialized visible to other threads and to TMA. Needs sm_90.
__device__ __forceinline__ void fence_mbarrier_init() {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "fence.mbarrier_init.release.cluster;\n"
      "fence.proxy.async.shared::cta;" ::
          : "memory");
#else
  __trap();
#endif
}

// @helper mbarrier_arrive needs mbarrier
// Arrives once. Needs sm_90.
__device__ __forceinline__ void mbarrier_arrive(mbarrier& b) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(uint32_t(__cvta_generic_to_shared(&b)))
      : "memory");
#else
  __trap();
#endif
}

// @helper mbarrier_arrive_expect_tx needs mbarrier
// Arrives once; the current phase also waits for `bytes` bytes of asynchronous copies. Needs sm_90.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(mbarrier& b, int bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   uint32_t(__cvta_generic_to_shared(&b))),
               "r"(bytes)
               : "memory");
#else
  __trap();
#endif
}

// @helper mbarrier_wait needs mbarrier
// Waits until the phase of parity `phase` (0, 1, 0, ...) is complete. A new barrier is in phase 0,
// where a wait for phase 1 returns at once. Needs sm_90.
__device__ __forceinline__ void mbarrier_wait(mbarrier& b, int phase) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n.reg .pred complete;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
      "@!complete bra again;\n}" ::"r"(uint32_t(__cvta_generic_to_shared(&b))),
      "r"(phase)
      : "memory");
#else
  __trap();
#endif
}

// @helper named_barrier_sync
// Waits until THREADS threads have arrived at barrier `id` (1 to 15; __syncthreads() uses 0), with
// this function or with named_barrier_arrive. Called by whole warps.
template <int THREADS>
__device__ __forceinline__ void named_barrier_sync(int id) {
  static_assert(THREADS > 0 && THREADS % 32 == 0, "named_barrier_sync: whole warps");
  asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

// @helper named_barrier_arrive
// Arrives at barrier `id` without waiting. Called by whole warps.
template <int THREADS>
__device__ __forceinline__ void named_barrier_arrive(int id) {
  static_assert(THREADS > 0 && THREADS % 32 == 0, "named_barrier_arrive: whole warps");
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

// @helper warpgroup_reg_alloc
// Raises this warpgroup's registers to N per thread. Waits until other warpgroups have released
// enough. Called by all threads of the warpgroup. Needs sm_90a.
template <int N>
__device__ __forceinline__ void warpgroup_reg_alloc() {
  static_assert(N % 8 == 0 && N >= 24 && N <= 256, "warpgroup_reg_alloc: 24 to 256 in steps of 8");
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
#else
  __trap();
#endif
}

// @helper warpgroup_reg_dealloc
// Lowers this warpgroup's registers to N per thread. Other warpgroups can then acquire them. Called
// by all threads of the warpgroup. Needs sm_90a.
template <int N>
__device__ __forceinline__ void warpgroup_reg_dealloc() {
  static_assert(N % 8 == 0 && N >= 24 && N <= 256,
                "warpgroup_reg_dealloc: 24 to 256 in steps of 8");
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
#else
  __trap();
#endif
}

// @helper fence_proxy_async
// Makes this thread's writes to shared memory visible to TMA and wgmma (the async proxy). It also
// orders this thread's reads before later accesses of the async proxy. Needs sm_90.
__device__ __forceinline__ void fence_proxy_async() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#else
  __trap();
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
