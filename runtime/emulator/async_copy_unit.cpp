#include "async_copy_unit.h"

#include <cstring>

#include "builtins.h"
#include "findings.h"

namespace emulate {

void AsyncCopyUnit::beginBlock() {
  if (queues_.size() < context_.threads()) queues_.resize(context_.threads());
  if (in_flight_ == 0) return;
  for (Queue& queue : queues_) queue = {};  // copies that the previous block did not wait for
  in_flight_ = 0;
}

// The destination counts as written twice: at the start, which finds threads that still use its old
// contents, and at the wait, which finds threads that use it without a barrier after the wait.
void AsyncCopyUnit::start(void* to, const void* from, std::uint32_t bytes, std::uint32_t valid,
                          const void* pc) {
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  const auto destination = reinterpret_cast<std::uintptr_t>(to);
  if (valid > 0)
    memory_.access(source, valid, access::read, pc, bytes);
  else
    memory_.requireAligned(source, bytes, bytes, context_.site(pc));
  memory_.access(destination, bytes, access::write, pc, bytes);
  const std::uintptr_t offset = destination - reinterpret_cast<std::uintptr_t>(shared_begin);
  if (offset >= context_.sharedBytes()) return;  // access() has reported it
  Copy copy = {static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes,
               valid, context_.site(pc)};
  std::memcpy(copy.seen, from, valid);
  Queue& queue = queues_[context_.thread()];
  queue.copies.push_back(copy);
  ++queue.open;
  ++in_flight_;
  memory_.pendingCopies().start(copy.to, copy.bytes, context_.thread(), copy.site);
}

void AsyncCopyUnit::commit() {
  Queue& queue = queues_[context_.thread()];
  queue.group_sizes.push_back(queue.open);
  queue.open = 0;
}

void AsyncCopyUnit::wait(unsigned pending) {
  Copy copy;
  while (takeOldest(pending, copy)) complete(copy);
}

// Takes the oldest copy that has to complete for at most `pending` committed groups to be left;
// returns false if there is none.
bool AsyncCopyUnit::takeOldest(unsigned pending, Copy& copy) {
  Queue& queue = queues_[context_.thread()];
  while (queue.group_sizes.size() > pending) {
    if (queue.group_sizes.front() == 0) {
      queue.group_sizes.pop_front();
      continue;
    }
    --queue.group_sizes.front();
    copy = queue.copies.front();
    queue.copies.pop_front();
    --in_flight_;
    memory_.pendingCopies().complete(copy.to, copy.bytes);
    return true;
  }
  return false;
}

void AsyncCopyUnit::complete(const Copy& copy) {
  context_.setLastAccess(copy.site.pc);
  if (copy.valid > 0) {
    memory_.record(copy.from, copy.valid, access::read, context_.thread(), copy.site);
    if (std::memcmp(copy.seen, copy.from, copy.valid) != 0 &&
        !isKnown(report::kind::race, copy.site, {})) {
      addFinding(report::kind::race, {copy.site},
                 "the global memory that the asynchronous copy of " + context_.threadText() +
                     " started to read here changes before the thread waits for it");
    }
  }
  memory_.record(copy.to, copy.bytes, access::write, context_.thread(), copy.site);
  std::memcpy(copy.to, copy.from, copy.valid);
  std::memset(copy.to + copy.valid, 0, copy.bytes - copy.valid);
}

}  // namespace emulate
