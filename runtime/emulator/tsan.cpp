// The entry points that -fsanitize=thread calls for every memory access, function and atomic
// operation. They replace those of ThreadSanitizer's library.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device_call.h"

namespace {

using emulate::access;
using emulate::Machine;

// Checks and records an access of the running thread. Accesses to its own stack and those of host
// code are not recorded.
__attribute__((always_inline)) inline void record(const void* p, std::size_t bytes, access kind,
                                                  const void* pc, std::uint32_t alignment) {
  Machine* machine = Machine::active;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (machine == nullptr || !machine->context.inKernel() || machine->context.onOwnStack(address))
    return;
  const emulate::DeviceCall device(*machine);
  device->memory.access(address, std::uint32_t(bytes), kind, pc, alignment);
}

// The same for the copy of a struct to `p`.
__attribute__((always_inline)) inline void recordObject(const void* p, std::size_t bytes,
                                                        const void* pc) {
  record(p, bytes, access::write, pc, 1);
  if (Machine* machine = Machine::active; machine && machine->context.inKernel()) {
    const emulate::DeviceCall device(*machine);
    device->memory.wroteObject(reinterpret_cast<std::uintptr_t>(p), std::uint32_t(bytes));
  }
}

}  // namespace

#define PC __builtin_return_address(0)

// A 16-byte access that the compiler makes is a copy of a struct. The GPU requires only the
// alignment of its members.
#define TILE2CU_ACCESSES(BYTES, ALIGNMENT)                                                         \
  void __tsan_read##BYTES(void* p) { record(p, BYTES, access::read, PC, ALIGNMENT); }              \
  void __tsan_write##BYTES(void* p) { record(p, BYTES, access::write, PC, ALIGNMENT); }            \
  void __tsan_volatile_read##BYTES(void* p) { record(p, BYTES, access::read, PC, ALIGNMENT); }     \
  void __tsan_volatile_write##BYTES(void* p) { record(p, BYTES, access::write, PC, ALIGNMENT); }   \
  void __tsan_unaligned_read##BYTES(const void* p) { record(p, BYTES, access::read, PC, 1); }      \
  void __tsan_unaligned_write##BYTES(void* p) { record(p, BYTES, access::write, PC, 1); }          \
  void __tsan_unaligned_volatile_read##BYTES(const void* p) {                                      \
    record(p, BYTES, access::read, PC, 1);                                                         \
  }                                                                                                \
  void __tsan_unaligned_volatile_write##BYTES(void* p) { record(p, BYTES, access::write, PC, 1); } \
  void __tsan_read_write##BYTES(void* p) { record(p, BYTES, access::write, PC, ALIGNMENT); }       \
  void __tsan_unaligned_read_write##BYTES(void* p) { record(p, BYTES, access::write, PC, 1); }

extern "C" {

void __tsan_init() {}
TILE2CU_ACCESSES(1, 1)
TILE2CU_ACCESSES(2, 2)
TILE2CU_ACCESSES(4, 4)
TILE2CU_ACCESSES(8, 8)
TILE2CU_ACCESSES(16, 8)
void __tsan_read_range(void* p, std::size_t bytes) { record(p, bytes, access::read, PC, 1); }
void __tsan_write_range(void* p, std::size_t bytes) { recordObject(p, bytes, PC); }
void __tsan_vptr_read(void** p) { record(p, sizeof(*p), access::read, PC, 8); }
void __tsan_vptr_update(void** p, void*) { record(p, sizeof(*p), access::write, PC, 8); }

void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  record(from, bytes, access::read, PC, 1);
  recordObject(to, bytes, PC);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  record(from, bytes, access::read, PC, 1);
  recordObject(to, bytes, PC);
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  record(to, bytes, access::write, PC, 1);
  return std::memset(to, value, bytes);
}

// Which functions the running thread is in: the line of a report may be that of a caller.
void __tsan_func_entry(void* pc) {
  if (Machine* machine = Machine::active) machine->context.fiber().calls.enter(pc);
}
void __tsan_func_exit() {
  if (Machine* machine = Machine::active) machine->context.fiber().calls.leave();
}

// std::atomic, which mostly host code uses: the operation itself, in the strongest order.
#define TILE2CU_ATOMICS(BITS, T)                                                                   \
  T __tsan_atomic##BITS##_load(const volatile T* p, int) {                                         \
    record(const_cast<const T*>(p), sizeof(T), access::atomic, PC, sizeof(T));                     \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##BITS##_store(volatile T* p, T value, int) {                                  \
    record(const_cast<const T*>(p), sizeof(T), access::atomic, PC, sizeof(T));                     \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  TILE2CU_ATOMIC_UPDATE(BITS, T, exchange, __atomic_exchange_n)                                    \
  TILE2CU_ATOMIC_UPDATE(BITS, T, fetch_add, __atomic_fetch_add)                                    \
  TILE2CU_ATOMIC_UPDATE(BITS, T, fetch_sub, __atomic_fetch_sub)                                    \
  TILE2CU_ATOMIC_UPDATE(BITS, T, fetch_and, __atomic_fetch_and)                                    \
  TILE2CU_ATOMIC_UPDATE(BITS, T, fetch_or, __atomic_fetch_or)                                      \
  TILE2CU_ATOMIC_UPDATE(BITS, T, fetch_xor, __atomic_fetch_xor)                                    \
  TILE2CU_ATOMIC_UPDATE(BITS, T, fetch_nand, __atomic_fetch_nand)                                  \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile T* p, T* expected, T value, int,      \
                                                    int) {                                         \
    record(const_cast<const T*>(p), sizeof(T), access::atomic, PC, sizeof(T));                     \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST,                \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile T* p, T* expected, T value, int, int) { \
    record(const_cast<const T*>(p), sizeof(T), access::atomic, PC, sizeof(T));                     \
    return __atomic_compare_exchange_n(p, expected, value, true, __ATOMIC_SEQ_CST,                 \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T* p, T expected, T value, int, int) {     \
    record(const_cast<const T*>(p), sizeof(T), access::atomic, PC, sizeof(T));                     \
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
    return expected;                                                                               \
  }
#define TILE2CU_ATOMIC_UPDATE(BITS, T, NAME, BUILTIN)                          \
  T __tsan_atomic##BITS##_##NAME(volatile T* p, T value, int) {                \
    record(const_cast<const T*>(p), sizeof(T), access::atomic, PC, sizeof(T)); \
    return BUILTIN(p, value, __ATOMIC_SEQ_CST);                                \
  }
TILE2CU_ATOMICS(8, std::uint8_t)
TILE2CU_ATOMICS(16, std::uint16_t)
TILE2CU_ATOMICS(32, std::uint32_t)
TILE2CU_ATOMICS(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
