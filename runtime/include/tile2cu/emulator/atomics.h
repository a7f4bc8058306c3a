// CUDA's atomic functions. Only one fiber runs at a time, so plain arithmetic is enough; the access
// is recorded as atomic: it races only with plain accesses.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cuda.h"
#include "float16.h"

namespace emulate {

// Records an atomic access of `bytes` bytes, aligned to `bytes`, by the source line of `pc`. It
// reads and writes, but for an atomic load or store.
void atomic_access(const void* p, std::size_t bytes, const void* pc, bool reads = true,
                   bool writes = true);

template <class T, class Update>
__attribute__((noinline, no_sanitize("thread"))) T atomic(T* p, Update update) {
  atomic_access(p, sizeof(T), __builtin_return_address(0));
  const T old = *p;
  *p = update(old);
  return old;
}

}  // namespace emulate

// One function, and the same in the scope of the system and of the block.
#define TILE2CU_ATOMIC(NAME, T, EXPRESSION)                                \
  __forceinline__ T NAME(T* p, T value) {                                  \
    return emulate::atomic(p, [value](T old) -> T { return EXPRESSION; }); \
  }                                                                        \
  __forceinline__ T NAME##_system(T* p, T value) {                         \
    return emulate::atomic(p, [value](T old) -> T { return EXPRESSION; }); \
  }                                                                        \
  __forceinline__ T NAME##_block(T* p, T value) {                          \
    return emulate::atomic(p, [value](T old) -> T { return EXPRESSION; }); \
  }
#define TILE2CU_INTEGER_ATOMICS(T)                        \
  TILE2CU_ATOMIC(atomicMax, T, old < value ? value : old) \
  TILE2CU_ATOMIC(atomicMin, T, value < old ? value : old) \
  TILE2CU_ATOMIC(atomicAnd, T, (old & value))             \
  TILE2CU_ATOMIC(atomicOr, T, old | value)                \
  TILE2CU_ATOMIC(atomicXor, T, old ^ value)               \
  TILE2CU_ATOMIC(atomicExch, T, (void(old), value))
TILE2CU_INTEGER_ATOMICS(int)
TILE2CU_INTEGER_ATOMICS(unsigned)
TILE2CU_INTEGER_ATOMICS(unsigned long long)
TILE2CU_ATOMIC(atomicMax, long long, old < value ? value : old)
TILE2CU_ATOMIC(atomicMin, long long, value < old ? value : old)
TILE2CU_ATOMIC(atomicExch, float, (void(old), value))
TILE2CU_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
TILE2CU_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
TILE2CU_ATOMIC(atomicAdd, int, int(unsigned(old) + unsigned(value)))
TILE2CU_ATOMIC(atomicAdd, unsigned, old + value)
TILE2CU_ATOMIC(atomicAdd, unsigned long long, old + value)
TILE2CU_ATOMIC(atomicAdd, float, old + value)
TILE2CU_ATOMIC(atomicAdd, double, old + value)
TILE2CU_ATOMIC(atomicAdd, __half, old + value)
TILE2CU_ATOMIC(atomicAdd, __nv_bfloat16, old + value)
TILE2CU_ATOMIC(atomicSub, int, int(unsigned(old) - unsigned(value)))
TILE2CU_ATOMIC(atomicSub, unsigned, old - value)
#undef TILE2CU_INTEGER_ATOMICS
#undef TILE2CU_ATOMIC

#define TILE2CU_ATOMIC_CAS(NAME, T)                                                  \
  __forceinline__ T NAME(T* p, T expected, T value) {                                \
    return emulate::atomic(                                                          \
        p, [expected, value](T old) -> T { return old == expected ? value : old; }); \
  }
TILE2CU_ATOMIC_CAS(atomicCAS, unsigned short)
TILE2CU_ATOMIC_CAS(atomicCAS, int)
TILE2CU_ATOMIC_CAS(atomicCAS, unsigned)
TILE2CU_ATOMIC_CAS(atomicCAS, unsigned long long)
TILE2CU_ATOMIC_CAS(atomicCAS_system, int)
TILE2CU_ATOMIC_CAS(atomicCAS_block, int)
TILE2CU_ATOMIC_CAS(atomicCAS_system, unsigned)
TILE2CU_ATOMIC_CAS(atomicCAS_block, unsigned)
TILE2CU_ATOMIC_CAS(atomicCAS_system, unsigned long long)
TILE2CU_ATOMIC_CAS(atomicCAS_block, unsigned long long)
#undef TILE2CU_ATOMIC_CAS
