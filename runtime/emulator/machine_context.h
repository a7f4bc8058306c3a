// The state that the units of an emulated multiprocessor share: the launch, the thread that runs,
// how a fatal error ends the launch, and when asynchronous work happens.
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "fiber.h"
#include "site.h"
#include "thread_set.h"
#include "tile2cu/emulator/launch.h"
#include "tile2cu/emulator/options.h"

namespace emulate {

inline constexpr unsigned MAX_THREADS = ThreadSet::SIZE;

class MachineContext {
 public:
  MachineContext() = default;
  MachineContext(const MachineContext&) = delete;
  MachineContext& operator=(const MachineContext&) = delete;

  // ---- the launch
  void beginLaunch(const launch_shape& shape);
  unsigned threads() const { return threads_; }  // of a block
  std::size_t sharedBytes() const { return shape_.smem_bytes; }
  unsigned clusterBlocks() const { return shape_.cluster; }
  const options& launchOptions() const { return options_; }
  std::mt19937_64& random() { return random_; }
  // Whether the next piece of asynchronous work happens as late as the waits allow, or at once.
  bool late();

  // ---- the running thread
  void setRunning(unsigned thread, Fiber& fiber) {
    thread_ = thread;
    fiber_ = &fiber;
  }
  unsigned thread() const { return thread_; }
  std::string threadText() const { return "thread " + std::to_string(thread_); }
  Fiber& fiber() { return *fiber_; }
  Site site(const void* pc) const { return {pc, fiber_->calls.innermost()}; }
  bool onOwnStack(std::uintptr_t address) const {
    return address - fiber_->stack < fiber_->stack_bytes;
  }
  // The last memory access that was checked: where a fault is reported.
  void setLastAccess(const void* pc) { last_access_ = pc; }
  Site lastAccess() const { return site(last_access_); }
  // Whether the kernel's own code runs, not the emulator's. Functions of the standard library that
  // both use may be the kernel's instrumented copies.
  bool inKernel() const { return in_kernel_; }
  void setInKernel(bool in_kernel) { in_kernel_ = in_kernel; }

  // ---- fatal errors
  cudaError_t error() const { return error_; }
  void setError(cudaError_t error) { error_ = error; }
  // Ends the launch with an error. The running fiber is not resumed.
  [[noreturn]] void stop(cudaError_t error);
  // Reports, then stops.
  [[noreturn]] void fail(enum report::kind kind, Site here, const std::string& text,
                         cudaError_t error = cudaErrorLaunchFailure);
  // The same for a barrier that the running thread uses in a way that is not allowed; `text`
  // continues "thread 3 ".
  [[noreturn]] void misuse(Site here, const std::string& text);
  // Calls `work` while no fiber runs. A stop() in it ends only `work`.
  template <class Work>
  void runOutsideFibers(Work work) {
    outside_fibers_ = true;
    try {
      work();
    } catch (cudaError_t) {  // stop() has recorded it
    }
    outside_fibers_ = false;
  }
  // The host thread's own stack while fibers run.
  StackContext& host() { return host_; }

 private:
  launch_shape shape_{};
  options options_;
  unsigned threads_ = 0;
  std::mt19937_64 random_;
  unsigned thread_ = 0;
  // Stands for the host thread until threads run: the emulator may call instrumented copies of
  // library functions.
  Fiber no_fiber_;
  Fiber* fiber_ = &no_fiber_;
  const void* last_access_ = nullptr;
  bool in_kernel_ = false, outside_fibers_ = false;
  cudaError_t error_ = cudaSuccess;
  StackContext host_;
};

}  // namespace emulate
