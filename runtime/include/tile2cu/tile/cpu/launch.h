// Reference of launches: a probe determines the grid, then the programs run on the host's cores.
#pragma once

#include <atomic>
#include <climits>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "program.h"

namespace tl::cpu {

inline constexpr int kSuccess = 0;
inline constexpr int kInvalidValue = 1;

// Restores the program state of the thread when a launch ends, also by an exception.
class ProgramScope {
 public:
  explicit ProgramScope(const Program& program) : saved_(current) { current = program; }
  ProgramScope(const ProgramScope&) = delete;
  ProgramScope& operator=(const ProgramScope&) = delete;
  ~ProgramScope() { current = saved_; }

 private:
  Program saved_;
};

// The number of threads for `programs` programs: the host's cores, or TILE2CU_THREADS (1 is useful
// in a debugger).
inline unsigned threadCount(std::int64_t programs) {
  const char* text = std::getenv("TILE2CU_THREADS");
  const long wanted = text != nullptr ? std::strtol(text, nullptr, 10)
                                      : static_cast<long>(std::thread::hardware_concurrency());
  const long most = programs < 256 ? static_cast<long>(programs) : 256;
  return static_cast<unsigned>(wanted < 1 ? 1 : (wanted < most ? wanted : most));
}

// Runs body once for each program, with ids in order, x fastest. An exception in a program ends the
// launch and is rethrown to the caller.
inline int runPrograms(Mode mode, const Ids& count, const std::function<void()>& body) {
  // The emitted launcher refuses the same numbers.
  std::int64_t total = 1;
  for (const std::int64_t n : count)
    if (n == 0) return kSuccess;
  for (const std::int64_t n : count)
    if (n < 0 || n > INT_MAX || (total *= n) > INT_MAX) return kInvalidValue;

  const Order order = orderFromEnvironment();
  const Check check = checkFromEnvironment();
  std::atomic<std::int64_t> next{0};
  std::mutex error_lock;
  std::exception_ptr error;
  auto work = [&] {
    try {
      for (std::int64_t k = next++; k < total; k = next++) {
        const std::int64_t i = inOrder(order, k, total);
        const Ids id = {i % count[0], i / count[0] % count[1], i / (count[0] * count[1])};
        const ProgramScope scope(Program{mode, id, count, order, check});
        body();
      }
    } catch (...) {
      next = total;
      const std::lock_guard lock(error_lock);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < threadCount(total); ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  try {
    if (error) std::rethrow_exception(error);
  } catch (const RequirementFailed&) {
    return kInvalidValue;
  }
  return kSuccess;
}

inline void mustBeHost() {
  if (current.mode != Mode::kOutside)
    fail("a kernel launches another: call a __tile__ function instead");
}

template <class... P>
int launch(void (*kernel)(P...), const P&... arguments) {
  mustBeHost();
  Ids count = {};
  try {
    const ProgramScope scope(Program{Mode::kProbe, {}, {}});
    kernel(arguments...);
    fail("the kernel has no grid: call grid(...) first in it, or launch it with tl::launch_grid");
  } catch (const GridFound& found) {
    count = found.count;
  } catch (const RequirementFailed&) {
    return kInvalidValue;
  }
  return runPrograms(Mode::kRun, count, [&] { kernel(arguments...); });
}

template <class... P>
int launchGrid(void (*kernel)(P...), std::int64_t x, std::int64_t y, std::int64_t z,
               const P&... arguments) {
  mustBeHost();
  return runPrograms(Mode::kExplicit, {x, y, z}, [&] { kernel(arguments...); });
}

}  // namespace tl::cpu
