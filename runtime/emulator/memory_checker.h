// Checks each memory access of a block: its alignment, its bounds, races with other threads, and
// conflicts with cp.async, TMA and wgmma.
//
// It owns what the checks need: the order of threads (ThreadClocks) and blocks (BlockFences), the
// accesses of each byte (Shadow), and the asynchronous work in shared memory (PendingCopies,
// AsyncProxy).
#pragma once
#include <cstdint>
#include <string>

#include "async_proxy.h"
#include "block_fences.h"
#include "fiber_stacks.h"
#include "machine_context.h"
#include "pending_copies.h"
#include "shadow.h"
#include "thread_clocks.h"

namespace emulate {

class MemoryChecker {
 public:
  MemoryChecker(MachineContext& context, const FiberStacks& stacks)
      : context_(context), stacks_(stacks) {}

  void beginLaunch();
  void beginBlock();

  // ---- accesses of the running thread
  // Checks and records an access. Does not return if it must not be made.
  void access(std::uintptr_t address, std::uint32_t bytes, enum access kind, const void* pc,
              std::uint32_t alignment);
  // Remembers that the running thread has copied a struct to this address: Shadow::wroteObject.
  void wroteObject(std::uintptr_t address, std::uint32_t bytes) {
    shadow_.wroteObject(address, bytes);
  }
  // Reports an address that is not a multiple of `alignment`, and stops.
  void requireAligned(std::uintptr_t address, std::uint32_t bytes, std::uint32_t alignment,
                      Site here);
  // These stop at a pointer to memory of another kind.
  void requireGlobal(const void* p, const void* pc);
  void requireShared(const void* p, const void* pc);
  // Records an access without further checks, of a thread or an agent of ThreadClocks.
  void record(const void* p, std::uint32_t bytes, enum access kind, unsigned agent, Site here) {
    shadow_.touch(reinterpret_cast<std::uintptr_t>(p), bytes, kind, agent, here);
  }

  // ---- accesses of TMA and wgmma, in the name of an agent of ThreadClocks. `what` is the
  // instruction: "tma_load".
  // The use of shared memory begins; AsyncProxy::endRead and endWrite end it.
  void beginAsyncShared(unsigned agent, std::uint32_t offset, std::uint32_t bytes, enum access kind,
                        const char* what, Site here);
  void asyncGlobal(unsigned agent, const void* p, std::uint32_t bytes, bool writes,
                   const char* what, Site here);

  ThreadClocks& clocks() { return clocks_; }
  BlockFences& fences() { return fences_; }
  PendingCopies& pendingCopies() { return pending_copies_; }
  AsyncProxy& asyncProxy() { return proxy_; }

 private:
  std::string accessText(std::uint32_t bytes, std::uintptr_t address) const;
  void checkPendingCopies(std::uintptr_t address, std::uint32_t bytes, enum access kind, Site here);
  bool checkAsyncProxy(std::uint32_t offset, std::uint32_t bytes, enum access kind, Site here);
  void checkFenced(std::uint32_t offset, const char* what, Site here);

  MachineContext& context_;
  const FiberStacks& stacks_;
  ThreadClocks clocks_;
  BlockFences fences_{clocks_};
  Shadow shadow_{clocks_, fences_};
  PendingCopies pending_copies_;
  AsyncProxy proxy_;
};

}  // namespace emulate
