// What goes past the threads: TMA and wgmma. They use memory in the name of their warp's agents
// (shadow.h), from when they are started until somebody waits for them.
#include <string>

#include "findings.h"
#include "machine.h"

namespace emulate {

bool Machine::late() {
  switch (options_.order) {
    case order::in_order:
    case order::warp_last:
      return true;
    case order::reverse:
      return false;
    case order::random:
      return random_() % 2 == 0;
  }
  return true;
}

static std::string byteText(std::uint32_t offset) {
  return "byte " + std::to_string(offset) + " of shared memory";
}

// A thread's own access.
bool Machine::checkProxy(std::uint32_t offset, std::uint32_t bytes, enum access kind, Site here) {
  const bool writes = kind == access::write || kind == access::atomic;
  const AsyncProxy::Use* use = proxy_.conflict(offset, bytes, writes);
  if (use != nullptr && !known(report::kind::asynchronous, here, use->site)) {
    find(report::kind::asynchronous, {here, use->site},
         "thread " + std::to_string(current_) + (writes ? " writes " : " reads ") +
             byteText(offset) + " here, which the TMA copy or wgmma of {1} is still " +
             (use->writes > 0 ? "writing" : "reading"));
  }
  if (writes) proxy_.wrote(offset, bytes, current_, here);
  return use == nullptr;
}

void Machine::useShared(unsigned agent, std::uint32_t offset, std::uint32_t bytes, enum access kind,
                        const char* what, Site here) {
  const bool writes = kind == access::write;
  if (offset + bytes > shape_.smem_bytes) {
    find(report::kind::out_of_bounds, {here},
         std::string(what) + " of thread " + std::to_string(current_) + " uses " +
             std::to_string(bytes) + " bytes at " + byteText(offset) + "; the launch has " +
             std::to_string(shape_.smem_bytes));
    abandon(cudaErrorIllegalAddress);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(shared_begin) + offset;
  checkFlight(address, bytes, writes ? access::write : access::read, here);
  const AsyncProxy::Use* use = proxy_.conflict(offset, bytes, writes);
  if (use != nullptr && !known(report::kind::asynchronous, here, use->site)) {
    find(report::kind::asynchronous, {here, use->site},
         std::string(what) + (writes ? " writes " : " reads ") + byteText(offset) +
             ", which the TMA copy or wgmma of {1} is still " +
             (use->writes > 0 ? "writing" : "reading"));
  }
  for (std::uint32_t at = offset; at < offset + bytes; at += AsyncProxy::CHUNK) {
    if (writes) {
      proxy_.startWrite(at, here);
      continue;
    }
    proxy_.startRead(at, here);
    const AsyncProxy::Write* write = proxy_.unfenced(at);
    if (write != nullptr && !known(report::kind::asynchronous, here, write->site)) {
      find(report::kind::asynchronous, {here, write->site},
           std::string(what) + " reads " + byteText(at) + ", which thread " +
               std::to_string(write->thread) +
               " wrote at {1}; fence_async_proxy has to come between, in that thread");
    }
  }
  if (use != nullptr) return;
  shadow_.touch(address, bytes, kind, agent, here);
}

void Machine::useGlobal(unsigned agent, const void* p, std::uint32_t bytes, bool writes,
                        const char* what, Site here) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  last_pc_ = here.pc;
  if (forbidden(address, bytes)) {
    find(report::kind::out_of_bounds, {here},
         std::string(what) + " of thread " + std::to_string(current_) + " uses " +
             std::to_string(bytes) + " bytes outside every buffer");
    abandon(cudaErrorIllegalAddress);
  }
  shadow_.touch(address, bytes, writes ? access::write : access::read, agent, here);
}

// The block has ended: what is still on its way finds shared memory gone.
void Machine::endAsynchronous() {
  for (const auto& [id, load] : boxes_.loads) {
    find(report::kind::asynchronous, {load.site},
         "the block ends before the bytes of this tma_load have been waited for");
  }
  for (BoxCopies::Stores& stores : boxes_.stores) {
    for (BoxCopy& store : stores.all) {
      if (!store.read) {
        find(report::kind::asynchronous, {store.site},
             "the block ends before this tma_store has read its box (tma_store_wait_read)");
        readBox(store);
      }
      writeBox(store);
    }
  }
  for (const Warpgroup& group : warpgroups_) {
    if (group.products.empty()) continue;
    find(report::kind::asynchronous, {group.products.front()->site},
         "the block ends before this wgmma has been waited for");
  }
}

}  // namespace emulate
