#include "allocations.h"

#include <cstdlib>
#include <map>
#include <new>

#include "runtime_state.h"
#include "tile2cu/emulator/options.h"

namespace emulate {

namespace {

// Disjoint intervals of forbidden addresses: begin -> end.
std::map<std::uintptr_t, std::uintptr_t>& intervals() {
  static auto& forever = *new std::map<std::uintptr_t, std::uintptr_t>;
  return forever;
}

struct Buffer {
  void* memory;
  std::size_t bytes;  // with both margins
};
std::map<void*, Buffer>& buffers() {
  static auto& forever = *new std::map<void*, Buffer>;
  return forever;
}

constexpr std::size_t MARGIN = 4096;

}  // namespace

void allow(const void* begin, std::size_t bytes) {
  auto& all = intervals();
  const auto first = reinterpret_cast<std::uintptr_t>(begin), last = first + bytes;
  auto it = all.upper_bound(first);
  if (it != all.begin()) --it;
  while (it != all.end() && it->first < last) {
    const auto [b, e] = *it;
    if (e <= first) {
      ++it;
      continue;
    }
    it = all.erase(it);
    if (b < first) all[b] = first;
    if (e > last) all[last] = e;
  }
}

void forbid(const void* begin, std::size_t bytes) {
  if (bytes == 0) return;
  allow(begin, bytes);
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  intervals()[first] = first + bytes;
}

bool forbidden(std::uintptr_t address, std::uint32_t bytes) {
  const auto& all = intervals();
  if (all.empty()) return false;
  auto it = all.upper_bound(address + bytes - 1);
  return it != all.begin() && std::prev(it)->second > address;
}

}  // namespace emulate

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  const std::size_t inside = (bytes + 255) / 256 * 256;
  const std::size_t whole = inside + 2 * emulate::MARGIN;
  void* memory = std::aligned_alloc(256, whole);
  if (memory == nullptr) return emulate::setLastError(cudaErrorMemoryAllocation);
  char* begin = static_cast<char*>(memory) + emulate::MARGIN;
  emulate::forbid(memory, emulate::MARGIN);
  emulate::forbid(begin + bytes, inside - bytes + emulate::MARGIN);
  emulate::buffers()[begin] = {memory, whole};
  *pointer = begin;
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  auto found = emulate::buffers().find(pointer);
  if (found == emulate::buffers().end()) return emulate::setLastError(cudaErrorInvalidValue);
  emulate::allow(found->second.memory, found->second.bytes);
  std::free(found->second.memory);
  emulate::buffers().erase(found);
  return cudaSuccess;
}
