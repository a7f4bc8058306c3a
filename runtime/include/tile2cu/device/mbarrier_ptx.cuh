// Barriers between the roles of a block (sm_90): mbarriers, which count arrivals and bytes of
// asynchronous copies, named barriers, and the registers that roles take from each other.
#pragma once
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper barrier include <cstdint>
// An mbarrier, in shared memory. A phase of it is complete when all arrivals and all announced
// bytes are there; then the next one begins.
struct barrier {
  uint64_t state;
};

// @helper barrier_init needs barrier
// Prepares a barrier whose phases take `arrivals` arrivals each. By one thread; barrier_init_fence
// and a __syncthreads come before its use. sm_90.
__device__ __forceinline__ void barrier_init(barrier& b, int arrivals) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(uint32_t(__cvta_generic_to_shared(&b))),
      "r"(arrivals)
      : "memory");
#else
  __trap();
#endif
}

// @helper barrier_init_fence
// Lets other threads and asynchronous copies see the barriers that this thread has prepared. sm_90.
__device__ __forceinline__ void barrier_init_fence() {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "fence.mbarrier_init.release.cluster;\n"
      "fence.proxy.async.shared::cta;" ::
          : "memory");
#else
  __trap();
#endif
}

// @helper barrier_arrive needs barrier
// One arrival. sm_90.
__device__ __forceinline__ void barrier_arrive(barrier& b) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(uint32_t(__cvta_generic_to_shared(&b)))
      : "memory");
#else
  __trap();
#endif
}

// @helper barrier_expect needs barrier
// One arrival, and `bytes` bytes of asynchronous copies that this phase has to wait for as well.
// sm_90.
__device__ __forceinline__ void barrier_expect(barrier& b, int bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   uint32_t(__cvta_generic_to_shared(&b))),
               "r"(bytes)
               : "memory");
#else
  __trap();
#endif
}

// @helper barrier_wait needs barrier
// Waits until the current phase is not `phase` (0, 1, 0, ...) any more: until it is complete. A
// fresh barrier is in phase 0; waiting for phase 1 returns at once. sm_90.
__device__ __forceinline__ void barrier_wait(barrier& b, int phase) {
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
// Waits until THREADS threads have come to barrier `id` (1 to 15; 0 is that of __syncthreads) with
// this or with named_barrier_arrive. By whole warps.
template <int THREADS>
__device__ __forceinline__ void named_barrier_sync(int id) {
  static_assert(THREADS > 0 && THREADS % 32 == 0, "named_barrier_sync: whole warps");
  asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

// @helper named_barrier_arrive
// Comes to barrier `id` without waiting there. By whole warps.
template <int THREADS>
__device__ __forceinline__ void named_barrier_arrive(int id) {
  static_assert(THREADS > 0 && THREADS % 32 == 0, "named_barrier_arrive: whole warps");
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

// @helper registers_acquire
// Raises this warpgroup's registers to N a thread, once others have released them. By all its
// threads. sm_90a.
template <int N>
__device__ __forceinline__ void registers_acquire() {
  static_assert(N % 8 == 0 && N >= 24 && N <= 256, "registers_acquire: 24 to 256 in steps of 8");
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
#else
  __trap();
#endif
}

// @helper registers_release
// Lowers this warpgroup's registers to N a thread, for others to take. By all its threads. sm_90a.
template <int N>
__device__ __forceinline__ void registers_release() {
  static_assert(N % 8 == 0 && N >= 24 && N <= 256, "registers_release: 24 to 256 in steps of 8");
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
#else
  __trap();
#endif
}

// @helper fence_async_proxy
// Lets what goes past the threads (TMA, wgmma) see what this thread has written to shared memory,
// and comes after what it has read there. sm_90.
__device__ __forceinline__ void fence_async_proxy() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#else
  __trap();
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
