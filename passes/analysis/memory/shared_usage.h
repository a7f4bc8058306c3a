// Shared memory of a kernel: its size, and the lifetimes of its buffers.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::passes {

// The first and last operation that accesses a buffer, in program order.
struct BufferInterval {
  int first = -1, last = -1;
  ir::Location loc;  // of the first operation
  bool overlaps(const BufferInterval &other) const {
    return first <= other.last && other.first <= last;
  }
};

// One for each shared buffer of the kernel.
std::vector<BufferInterval> lifetimesOf(ir::Kernel &kernel);

// Chooses the slot and the stack of each large buffer (SharedBuffer::slot, SharedBuffer::stack),
// large ones first: buffers with disjoint lifetimes share a slot.
void placeBuffers(ir::Kernel &kernel, const std::vector<BufferInterval> &intervals);

// The bytes of all buffers and barriers: sizeof(Smem) of the emitted text, with the gaps that
// alignment makes.
int64_t sharedBytes(const ir::Kernel &kernel);
// The same if no buffer had more than `most` stages. `sum` becomes the list of the large buffers
// and their bytes, as text.
int64_t totalBytes(const ir::Kernel &kernel, int most, std::string *sum = nullptr);
// The total bytes if addresses were assigned now, and the buffers of `kept` shared their memory
// with no other buffer.
int64_t sharedBytesIfKept(ir::Kernel &kernel, const std::set<int64_t> &kept);

}  // namespace tile2cu::passes
