// A CUDA thread as the emulator runs it: a fiber with a stack of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "site.h"
#include "stack_switch.h"

namespace emulate {

// An object that threads wait for, as a report of a deadlock describes it.
class Waitable {
 public:
  // "phase 0 of the barrier at byte 64 of shared memory lacks 1 of 2 arrivals"
  virtual std::string describe() const = 0;

 protected:
  ~Waitable() = default;
};

// The instrumented functions that a thread is in. Calls deeper than DEPTH are counted only.
class CallStack {
 public:
  void clear() { depth_ = 0; }
  void enter(const void* return_address) {
    if (depth_ < DEPTH) callers_[depth_] = return_address;
    ++depth_;
  }
  void leave() {
    if (depth_ > 0) --depth_;
  }
  // The return address of the innermost function, or null.
  const void* innermost() const {
    const int depth = depth_ < DEPTH ? depth_ : DEPTH;
    return depth > 0 ? callers_[depth - 1] : nullptr;
  }

 private:
  static constexpr int DEPTH = 48;
  int depth_ = 0;
  const void* callers_[DEPTH];
};

struct Fiber {
  StackContext where;
  std::uintptr_t stack = 0;  // the lowest address
  std::size_t stack_bytes = 0;
  CallStack calls;
  bool ended = false;
  const char* waits_in = nullptr;  // "__syncthreads"; null while the thread can run
  Site waits_at;
  const Waitable* waits_for = nullptr;
};

}  // namespace emulate
