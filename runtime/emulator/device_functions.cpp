// The checked accesses and the synchronisation that the emulator's headers call.
#include <cstring>

#include "findings.h"
#include "machine.h"
#include "tile2cu/emulator/async_copy_ptx.h"
#include "tile2cu/emulator/atomics.h"
#include "tile2cu/emulator/memory_ptx.h"

namespace emulate {

Machine& runningMachine() {
  if (Machine::active == nullptr) {
    std::fprintf(stderr, "tile2cu emulator: a device function was called outside a launch\n");
    std::abort();
  }
  return *Machine::active;
}

void Machine::requireGlobal(const void* p, const void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (!in_shared(address) && !inStacks(address)) return;
  find(report::kind::out_of_bounds, {site(pc)},
       "thread " + std::to_string(current_) + " accesses global memory through a pointer to " +
           (in_shared(address) ? "shared" : "local") + " memory");
  abandon(cudaErrorIllegalAddress);
}

void Machine::requireShared(const void* p, const void* pc) {
  if (in_shared(reinterpret_cast<std::uintptr_t>(p))) return;
  find(report::kind::out_of_bounds, {site(pc)},
       "thread " + std::to_string(current_) +
           " accesses shared memory through a pointer to other memory");
  abandon(cudaErrorIllegalAddress);
}

namespace {

Machine& machine() { return runningMachine(); }

void touch(Machine& m, const void* p, std::size_t bytes, access kind, const void* pc) {
  m.access(reinterpret_cast<std::uintptr_t>(p), std::uint32_t(bytes), kind, pc,
           std::uint32_t(bytes));
}

}  // namespace

#define PC __builtin_return_address(0)

void load_global(void* to, const void* p, std::size_t bytes, bool read_only) {
  Machine& m = machine();
  const Inside inside(m);
  m.requireGlobal(p, PC);
  touch(m, p, bytes, read_only ? access::read_only : access::read, PC);
  std::memcpy(to, p, bytes);
}

void load_volatile(void* to, const void* p, std::size_t bytes) {
  Machine& m = machine();
  const Inside inside(m);
  m.requireGlobal(p, PC);
  touch(m, p, bytes, access::volatile_read, PC);
  std::memcpy(to, p, bytes);
}

void store_global(void* p, const void* from, std::size_t bytes) {
  Machine& m = machine();
  const Inside inside(m);
  m.requireGlobal(p, PC);
  touch(m, p, bytes, access::write, PC);
  std::memcpy(p, from, bytes);
}

void load_shared(void* to, const void* p, std::size_t bytes) {
  Machine& m = machine();
  const Inside inside(m);
  m.requireShared(p, PC);
  touch(m, p, bytes, access::read, PC);
  std::memcpy(to, p, bytes);
}

void store_shared(void* p, const void* from, std::size_t bytes) {
  Machine& m = machine();
  const Inside inside(m);
  m.requireShared(p, PC);
  touch(m, p, bytes, access::write, PC);
  std::memcpy(p, from, bytes);
}

void atomic_access(const void* p, std::size_t bytes, const void* pc) {
  Machine& m = machine();
  const Inside inside(m);
  if (m.onOwnStack(reinterpret_cast<std::uintptr_t>(p))) return;
  touch(m, p, bytes, access::atomic, pc);
  m.atomic(p);
}

void thread_fence() {
  Machine& m = machine();
  const Inside inside(m);
  m.fence();
}

void block_barrier() {
  Machine& m = machine();
  const Inside inside(m);
  m.blockBarrier(PC);
}

void warp_barrier(unsigned mask) {
  Machine& m = machine();
  const Inside inside(m);
  m.exchange(collective::sync, mask, 0, PC);
}

const std::uint64_t* exchange(collective kind, unsigned mask, std::uint64_t mine) {
  Machine& m = machine();
  const Inside inside(m);
  return m.exchange(kind, mask, mine, PC);
}

void cp_async(void* smem, const void* p, unsigned bytes, unsigned valid) {
  Machine& m = machine();
  const Inside inside(m);
  m.requireShared(smem, PC);
  if (valid > 0) m.requireGlobal(p, PC);
  m.startCopy(smem, p, bytes, valid, PC);
}

void cp_async_commit() {
  Machine& m = machine();
  const Inside inside(m);
  m.commitCopies();
}

void cp_async_wait(unsigned pending) {
  Machine& m = machine();
  const Inside inside(m);
  m.waitForCopies(pending);
}

unsigned lane() { return machine().thread() % 32; }

namespace {
[[noreturn]] void stop(Site site, const std::string& what) {
  Machine& m = machine();
  const Inside inside(m);
  find(report::kind::out_of_bounds, {site}, "thread " + std::to_string(m.thread()) + what);
  m.abandon(cudaErrorLaunchFailure);
}
}  // namespace

void trap() { stop(machine().site(PC), " executes __trap()"); }

void wrong_assumption(const char* condition) {
  stop(machine().site(PC), std::string(" is compiled for ") + condition + ", which is not so");
}

}  // namespace emulate
