#include "memory_checker.h"

#include <cstdio>

#include "allocations.h"
#include "builtins.h"
#include "findings.h"

namespace emulate {

namespace {

std::string byteText(std::uint32_t offset) {
  return "byte " + std::to_string(offset) + " of shared memory";
}

}  // namespace

void MemoryChecker::beginLaunch() {
  clocks_.beginLaunch();
  fences_.beginLaunch();
  const options& checks = context_.launchOptions();
  shadow_.beginLaunch(
      {checks.races_between_blocks, checks.races_of_one_store, checks.uninitialized});
}

void MemoryChecker::beginBlock() {
  clocks_.beginBlock(context_.threads());
  fences_.beginBlock();
  pending_copies_.beginBlock();
  proxy_.beginBlock(context_.threads());
  shadow_.beginBlock();
}

// ---- accesses of the running thread

void MemoryChecker::access(std::uintptr_t address, std::uint32_t bytes, enum access kind,
                           const void* pc, std::uint32_t alignment) {
  context_.setLastAccess(pc);
  const Site here = context_.site(pc);
  if (address % alignment != 0) requireAligned(address, bytes, alignment, here);
  if (in_shared(address)) {
    const long offset = long(address - reinterpret_cast<std::uintptr_t>(shared_begin));
    if (offset < 0 || std::size_t(offset) + bytes > context_.sharedBytes()) {
      if (!isKnown(report::kind::out_of_bounds, here, {})) {
        addFinding(report::kind::out_of_bounds, {here},
                   accessText(bytes, address) + ", byte " + std::to_string(offset) +
                       " of shared memory; the launch has " +
                       std::to_string(context_.sharedBytes()));
      }
      return;
    }
    checkPendingCopies(address, bytes, kind, here);
    if (!checkAsyncProxy(std::uint32_t(offset), bytes, kind, here)) return;
  } else if (forbidden(address, bytes)) {
    if (!isKnown(report::kind::out_of_bounds, here, {})) {
      addFinding(report::kind::out_of_bounds, {here},
                 accessText(bytes, address) + ", outside every buffer");
    }
    return;
  }
  shadow_.touch(address, bytes, kind, context_.thread(), here);
}

// "thread 3 accesses 16 bytes at 0x7f...".
std::string MemoryChecker::accessText(std::uint32_t bytes, std::uintptr_t address) const {
  char text[80];
  std::snprintf(text, sizeof(text), "thread %u accesses %u bytes at %#lx", context_.thread(), bytes,
                static_cast<unsigned long>(address));
  return text;
}

void MemoryChecker::requireAligned(std::uintptr_t address, std::uint32_t bytes,
                                   std::uint32_t alignment, Site here) {
  if (address % alignment == 0) return;
  context_.fail(
      report::kind::misaligned, here,
      accessText(bytes, address) + ", which is not a multiple of " + std::to_string(alignment),
      cudaErrorMisalignedAddress);
}

void MemoryChecker::requireGlobal(const void* p, const void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (!in_shared(address) && !stacks_.contains(address)) return;
  context_.fail(report::kind::out_of_bounds, context_.site(pc),
                context_.threadText() + " accesses global memory through a pointer to " +
                    (in_shared(address) ? "shared" : "local") + " memory",
                cudaErrorIllegalAddress);
}

void MemoryChecker::requireShared(const void* p, const void* pc) {
  if (in_shared(reinterpret_cast<std::uintptr_t>(p))) return;
  context_.fail(report::kind::out_of_bounds, context_.site(pc),
                context_.threadText() + " accesses shared memory through a pointer to other memory",
                cudaErrorIllegalAddress);
}

void MemoryChecker::checkPendingCopies(std::uintptr_t address, std::uint32_t bytes,
                                       enum access kind, Site here) {
  const PendingCopies::Word* pending = pending_copies_.find(address, bytes);
  if (pending == nullptr || isKnown(report::kind::race, here, pending->site)) return;
  addFinding(report::kind::race, {here, pending->site},
             "race in shared memory, byte " +
                 std::to_string(address - reinterpret_cast<std::uintptr_t>(shared_begin)) + ": " +
                 context_.threadText() + (kind == access::read ? " reads" : " writes") +
                 " it here, and the asynchronous copy to it that thread " +
                 std::to_string(pending->thread) + " started at {1} has not been waited for");
}

// Returns false where asynchronous work conflicts with the access.
bool MemoryChecker::checkAsyncProxy(std::uint32_t offset, std::uint32_t bytes, enum access kind,
                                    Site here) {
  const bool writes = kind == access::write || kind == access::atomic;
  const AsyncProxy::Use* use = proxy_.conflict(offset, bytes, writes);
  if (use != nullptr && !isKnown(report::kind::asynchronous, here, use->site)) {
    addFinding(report::kind::asynchronous, {here, use->site},
               context_.threadText() + (writes ? " writes " : " reads ") + byteText(offset) +
                   " here, which the TMA copy or wgmma of {1} is still " +
                   (use->writes > 0 ? "writing" : "reading"));
  }
  if (writes) proxy_.wrote(offset, bytes, context_.thread(), here);
  return use == nullptr;
}

// ---- accesses of TMA and wgmma

void MemoryChecker::beginAsyncShared(unsigned agent, std::uint32_t offset, std::uint32_t bytes,
                                     enum access kind, const char* what, Site here) {
  const bool writes = kind == access::write;
  if (offset + bytes > context_.sharedBytes()) {
    context_.fail(report::kind::out_of_bounds, here,
                  std::string(what) + " of " + context_.threadText() + " uses " +
                      std::to_string(bytes) + " bytes at " + byteText(offset) +
                      "; the launch has " + std::to_string(context_.sharedBytes()),
                  cudaErrorIllegalAddress);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(shared_begin) + offset;
  checkPendingCopies(address, bytes, writes ? access::write : access::read, here);
  const AsyncProxy::Use* use = proxy_.conflict(offset, bytes, writes);
  if (use != nullptr && !isKnown(report::kind::asynchronous, here, use->site)) {
    addFinding(report::kind::asynchronous, {here, use->site},
               std::string(what) + (writes ? " writes " : " reads ") + byteText(offset) +
                   ", which the TMA copy or wgmma of {1} is still " +
                   (use->writes > 0 ? "writing" : "reading"));
  }
  for (std::uint32_t at = offset; at < offset + bytes; at += AsyncProxy::CHUNK) {
    if (writes) {
      proxy_.startWrite(at, here);
    } else {
      proxy_.startRead(at, here);
      checkFenced(at, what, here);
    }
  }
  if (use != nullptr) return;
  shadow_.touch(address, bytes, kind, agent, here);
}

void MemoryChecker::checkFenced(std::uint32_t offset, const char* what, Site here) {
  const AsyncProxy::Write* write = proxy_.unfenced(offset);
  if (write == nullptr || isKnown(report::kind::asynchronous, here, write->site)) return;
  addFinding(report::kind::asynchronous, {here, write->site},
             std::string(what) + " reads " + byteText(offset) + ", which thread " +
                 std::to_string(write->thread) +
                 " wrote at {1}; fence_proxy_async has to come between, in that thread");
}

void MemoryChecker::asyncGlobal(unsigned agent, const void* p, std::uint32_t bytes, bool writes,
                                const char* what, Site here) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  context_.setLastAccess(here.pc);
  if (forbidden(address, bytes)) {
    context_.fail(report::kind::out_of_bounds, here,
                  std::string(what) + " of " + context_.threadText() + " uses " +
                      std::to_string(bytes) + " bytes outside every buffer",
                  cudaErrorIllegalAddress);
  }
  shadow_.touch(address, bytes, writes ? access::write : access::read, agent, here);
}

}  // namespace emulate
