// The stacks of the fibers of a block: the local memory of its threads.
#pragma once
#include <cstddef>
#include <cstdint>

namespace emulate {

class FiberStacks {
 public:
  // Makes room for `threads` stacks of at least `bytes`. A page that cannot be accessed lies below
  // each of them, so that a stack overflow is a fault.
  void reserve(unsigned threads, std::size_t bytes);
  char* of(unsigned thread) const { return arena_ + thread * stride_ + GUARD; }
  std::size_t bytesOfEach() const { return stride_ - GUARD; }
  // Whether an address lies in the stack of any thread.
  bool contains(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(arena_) < arena_bytes_;
  }

 private:
  static constexpr std::size_t GUARD = 4096;
  char* arena_ = nullptr;
  std::size_t arena_bytes_ = 0, stride_ = GUARD;
};

}  // namespace emulate
