#include "fiber_stacks.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace emulate {

void FiberStacks::reserve(unsigned threads, std::size_t bytes) {
  const std::size_t stride = ((bytes + 4095) & ~std::size_t{4095}) + GUARD;
  if (stride == stride_ && arena_bytes_ >= threads * stride) return;
  if (arena_ != nullptr) munmap(arena_, arena_bytes_);
  stride_ = stride;
  arena_bytes_ = threads * stride;
  void* memory = mmap(nullptr, arena_bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("tile2cu emulator: stacks");
    std::abort();
  }
  arena_ = static_cast<char*>(memory);
  for (unsigned t = 0; t < threads; ++t) mprotect(arena_ + t * stride_, GUARD, PROT_NONE);
}

}  // namespace emulate
