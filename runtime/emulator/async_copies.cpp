#include "async_copies.h"

#include <cstring>

#include "builtins.h"
#include "findings.h"
#include "machine.h"

namespace emulate {

// ---- which copies are on their way

void AsyncCopies::beginBlock(unsigned threads) {
  words_.resize(SMEM_ROOM / 4);
  if (queues_.size() < threads) queues_.resize(threads);
  if (on_their_way_ == 0) return;
  // Copies of the previous block that nobody waited for.
  for (Queue& queue : queues_) queue = {};
  words_.assign(words_.size(), Flight{});
  on_their_way_ = 0;
}

AsyncCopies::Flight* AsyncCopies::word(const unsigned char* p) {
  return &words_[std::size_t(p - shared_begin) / 4];
}

void AsyncCopies::start(unsigned thread, const AsyncCopy& copy) {
  queues_[thread].copies.push_back(copy);
  ++queues_[thread].open;
  ++on_their_way_;
  for (std::uint32_t byte = 0; byte < copy.bytes; byte += 4) {
    Flight& flight = *word(copy.to + byte);
    flight = {flight.copies + 1, thread, copy.site};
  }
}

void AsyncCopies::commit(unsigned thread) {
  Queue& queue = queues_[thread];
  queue.group_sizes.push_back(queue.open);
  queue.open = 0;
}

bool AsyncCopies::next(unsigned thread, unsigned pending, AsyncCopy& copy) {
  Queue& queue = queues_[thread];
  while (queue.group_sizes.size() > pending) {
    if (queue.group_sizes.front() == 0) {
      queue.group_sizes.pop_front();
      continue;
    }
    --queue.group_sizes.front();
    copy = queue.copies.front();
    queue.copies.pop_front();
    --on_their_way_;
    for (std::uint32_t byte = 0; byte < copy.bytes; byte += 4) --word(copy.to + byte)->copies;
    return true;
  }
  return false;
}

const AsyncCopies::Flight* AsyncCopies::find(std::uintptr_t address, std::uint32_t bytes) const {
  if (on_their_way_ == 0) return nullptr;
  const std::uintptr_t first = address - reinterpret_cast<std::uintptr_t>(shared_begin);
  for (std::uintptr_t w = first / 4; w <= (first + bytes - 1) / 4 && w < words_.size(); ++w) {
    if (words_[w].copies > 0) return &words_[w];
  }
  return nullptr;
}

// ---- in the machine

// The destination counts as written from the start of the copy, which finds those who still use
// what was there, until the wait, which finds those who use it without a barrier after the wait.
void Machine::startCopy(void* to, const void* from, std::uint32_t bytes, std::uint32_t valid,
                        const void* pc) {
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  const auto destination = reinterpret_cast<std::uintptr_t>(to);
  if (valid > 0) {
    access(source, valid, access::read, pc, bytes);
  } else if (source % bytes != 0) {
    find(report::kind::misaligned, {site(pc)},
         accessText(bytes, source) + ", which is not a multiple of " + std::to_string(bytes));
    abandon(cudaErrorMisalignedAddress);
  }
  access(destination, bytes, access::write, pc, bytes);
  const std::uintptr_t offset = destination - reinterpret_cast<std::uintptr_t>(shared_begin);
  if (offset >= shape_.smem_bytes) return;  // reported
  AsyncCopy copy = {static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes,
                    valid, site(pc)};
  std::memcpy(copy.seen, from, valid);
  copies_.start(current_, copy);
}

void Machine::waitForCopies(unsigned pending) {
  AsyncCopy copy;
  while (copies_.next(current_, pending, copy)) {
    const auto to = reinterpret_cast<std::uintptr_t>(copy.to);
    last_pc_ = copy.site.pc;
    if (copy.valid > 0) {
      shadow_.touch(reinterpret_cast<std::uintptr_t>(copy.from), copy.valid, access::read, current_,
                    copy.site);
      if (std::memcmp(copy.seen, copy.from, copy.valid) != 0 &&
          !known(report::kind::race, copy.site, {})) {
        find(report::kind::race, {copy.site},
             "the global memory that the asynchronous copy of thread " + std::to_string(current_) +
                 " started to read here changes before the thread waits for it");
      }
    }
    shadow_.touch(to, copy.bytes, access::write, current_, copy.site);
    std::memcpy(copy.to, copy.from, copy.valid);
    std::memset(copy.to + copy.valid, 0, copy.bytes - copy.valid);
  }
}

void Machine::checkFlight(std::uintptr_t address, std::uint32_t bytes, enum access kind,
                          Site here) {
  const AsyncCopies::Flight* flight = copies_.find(address, bytes);
  if (flight == nullptr || known(report::kind::race, here, flight->site)) return;
  find(report::kind::race, {here, flight->site},
       "race in shared memory, byte " +
           std::to_string(address - reinterpret_cast<std::uintptr_t>(shared_begin)) + ": thread " +
           std::to_string(current_) + (kind == access::read ? " reads" : " writes") +
           " it here, and the asynchronous copy to it that thread " +
           std::to_string(flight->thread) + " started at {1} has not been waited for");
}

}  // namespace emulate
