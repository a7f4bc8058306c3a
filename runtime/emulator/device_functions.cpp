// The device functions that the emulator's headers call for every GPU: checked accesses, atomics,
// barriers, warp collectives and cp.async.
#include <cstring>
#include <string>

#include "device_call.h"
#include "tile2cu/emulator/async_copy_ptx.h"
#include "tile2cu/emulator/atomics.h"
#include "tile2cu/emulator/memory_ptx.h"

namespace emulate {

namespace {

void touch(const DeviceCall& device, const void* p, std::size_t bytes, access kind,
           const void* pc) {
  device->memory.access(reinterpret_cast<std::uintptr_t>(p), std::uint32_t(bytes), kind, pc,
                        std::uint32_t(bytes));
}

}  // namespace

#define PC __builtin_return_address(0)

void load_global(void* to, const void* p, std::size_t bytes, bool read_only) {
  const DeviceCall device;
  device->memory.requireGlobal(p, PC);
  touch(device, p, bytes, read_only ? access::read_only : access::read, PC);
  std::memcpy(to, p, bytes);
}

void load_volatile(void* to, const void* p, std::size_t bytes) {
  const DeviceCall device;
  device->memory.requireGlobal(p, PC);
  touch(device, p, bytes, access::volatile_read, PC);
  std::memcpy(to, p, bytes);
}

void store_global(void* p, const void* from, std::size_t bytes) {
  const DeviceCall device;
  device->memory.requireGlobal(p, PC);
  touch(device, p, bytes, access::write, PC);
  std::memcpy(p, from, bytes);
}

void load_shared(void* to, const void* p, std::size_t bytes) {
  const DeviceCall device;
  device->memory.requireShared(p, PC);
  touch(device, p, bytes, access::read, PC);
  std::memcpy(to, p, bytes);
}

void store_shared(void* p, const void* from, std::size_t bytes) {
  const DeviceCall device;
  device->memory.requireShared(p, PC);
  touch(device, p, bytes, access::write, PC);
  std::memcpy(p, from, bytes);
}

void atomic_access(const void* p, std::size_t bytes, const void* pc, bool reads, bool writes) {
  const DeviceCall device;
  if (device->context.onOwnStack(reinterpret_cast<std::uintptr_t>(p))) return;
  touch(device, p, bytes, access::atomic, pc);
  device->memory.fences().atomic(reinterpret_cast<std::uintptr_t>(p), device->context.thread(),
                                 reads, writes);
}

void thread_fence() {
  const DeviceCall device;
  device->memory.fences().fence(device->context.thread());
}

void block_barrier() {
  const DeviceCall device;
  device->barriers.sync(PC);
}

void warp_barrier(unsigned mask) {
  const DeviceCall device;
  device->warps.exchange(collective::sync, mask, 0, PC);
}

const std::uint64_t* exchange(collective kind, unsigned mask, std::uint64_t mine) {
  const DeviceCall device;
  return device->warps.exchange(kind, mask, mine, PC);
}

void cp_async(void* smem, const void* p, unsigned bytes, unsigned valid) {
  const DeviceCall device;
  device->memory.requireShared(smem, PC);
  if (valid > 0) device->memory.requireGlobal(p, PC);
  device->async_copies.start(smem, p, bytes, valid, PC);
}

void cp_async_commit() {
  const DeviceCall device;
  device->async_copies.commit();
}

void cp_async_wait(unsigned pending) {
  const DeviceCall device;
  device->async_copies.wait(pending);
}

unsigned lane() { return runningMachine().context.thread() % 32; }

[[noreturn]] static void stop(Site here, const std::string& what) {
  const DeviceCall device;
  device->context.fail(report::kind::out_of_bounds, here, device->context.threadText() + what);
}

void trap() { stop(runningMachine().context.site(PC), " executes __trap()"); }

void wrong_assumption(const char* condition) {
  stop(runningMachine().context.site(PC),
       std::string(" is compiled for ") + condition + ", which is not so");
}

}  // namespace emulate
