// The scheduler of a block: a fiber for each thread, and which one runs next (options::order).
//
// A thread runs until it waits or ends. Independent thread scheduling of real hardware (CUDA C++
// Programming Guide, "Independent Thread Scheduling") allows each of these orders, and more.
#pragma once
#include <vector>

#include "fiber.h"
#include "fiber_stacks.h"
#include "machine_context.h"
#include "thread_set.h"

namespace emulate {

class Scheduler {
 public:
  explicit Scheduler(MachineContext& context) : context_(context) {}

  // Each thread of the launch calls `body(argument)`.
  void beginLaunch(void (*body)(void*), void* argument);
  void beginBlock();
  // Runs threads until all of them wait or have ended, or the launch is stopped.
  void runThreads();
  bool canRun() const { return runnable_.any(); }
  bool allEnded() const { return ended_ == context_.threads(); }
  // Reports a deadlock if a thread still waits, and ends the launch.
  void endBlock();

  // Makes the running thread wait until resume(); reports call the place `waits_in`.
  void suspend(const char* waits_in, Site waits_at, const Waitable* waits_for = nullptr);
  void resume(unsigned thread) {
    fibers_[thread].waits_in = nullptr;
    fibers_[thread].waits_for = nullptr;
    runnable_.insert(thread);
  }
  void resumeAll();
  const FiberStacks& stacks() const { return stacks_; }

 private:
  static void enterFiber();
  void switchToNext();
  unsigned choose();  // the next thread, or MAX_THREADS if no thread can run
  void setThread(unsigned thread);
  void reportDeadlock();

  MachineContext& context_;
  FiberStacks stacks_;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  std::vector<Fiber> fibers_;
  ThreadSet runnable_;
  unsigned ended_ = 0;
};

// Threads as "threads 0-30, 32".
std::string ranges(const std::vector<unsigned>& threads);

}  // namespace emulate
