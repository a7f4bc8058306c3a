// Runs the kernels of one generated file, by the reference and as emitted, on the same data:
//
//   driver [--only KERNEL] [--fuzz] [--record FILE]
//
// The emitted kernels run on the emulator, or on a GPU (-DON_GPU). Each emulated kernel runs in a process of its own, so
// that a crash is one failure; those for a GPU share one until a kernel ends it. A line for each failure; the last line says
// "N passed, N failed" and counts runs: a kernel with its arguments. With --fuzz the programs are random (test/fuzz): a
// kernel that the reference cannot run (it crashes, takes too long or writes outside of its buffers) is skipped, the
// launchers have to return the same status, whatever it is, and each kernel has a line: SAME, SKIP or FAIL. --record
// appends what the reference reads and writes in each run to a file (record.h).
#include "driver.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <random>
#include <string>

#include "buffers.h"
#include "record.h"
#if defined(ON_GPU)
#include "gpu_execution.h"
#elif !defined(REFERENCE_ONLY)
#include "emulated_execution.h"
#else
namespace emulate_test {
constexpr std::size_t KERNELS_OF_PROCESS = 1;
bool can_run(const Run&) { return true; }
bool is_lost() { return false; }
}  // namespace emulate_test
#endif

using namespace emulate_test;

namespace {

// Whether the reference gives other results when its programs, and the elements of a store, run in
// another order.
bool depends_on_order(const Kernel& kernel, std::size_t number) {
  const Run& run = kernel.runs[number];
  const Data forward(kernel, number);
  kernel.reference(forward.pointers.data(), run.scalars.data());
  for (const char* order : {"reversed", "shuffled"}) {
    const Data other(kernel, number);
    setenv("TILE2CU_ORDER", order, 1);
    kernel.reference(other.pointers.data(), run.scalars.data());
    unsetenv("TILE2CU_ORDER");
    if (!compare_all(run, forward, other).text.empty()) return true;
  }
  return false;
}

// Whether rounding explains all that differs: the reference, which rounds each operation in other
// directions, then changes each of these elements by half as much at least. It does so where a
// program subtracts numbers that nearly cancel out. A fault that changes an element which the
// program computes well, or changes one by more, remains a failure; so does any difference in a
// buffer whose elements have to be exact.
bool is_rounding(const Kernel& kernel, std::size_t number, const Data& expected, const Data& got) {
  const Run& run = kernel.runs[number];
  std::vector<std::unique_ptr<Data>> others;
  for (const int direction : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    others.push_back(std::make_unique<Data>(kernel, number));
    std::fesetround(direction);
    kernel.reference(others.back()->pointers.data(), run.scalars.data());
    std::fesetround(FE_TONEAREST);
  }
  for (std::size_t b = 0; b < run.buffers.size(); ++b) {
    const Buffer& buffer = run.buffers[b];
    if (!got.memories[b]->margins_intact()) return false;
    for (long i = 0; i < buffer.size; ++i) {
      const auto* const right = expected.memories[b]->element(i);
      const auto* const wrong = got.memories[b]->element(i);
      if (same(buffer, right, wrong)) continue;
      if (!is_float(buffer.type) || buffer.relative < 0) return false;
      const double value = read_float(buffer.type, right);
      double furthest = 0;
      for (const auto& other : others) {
        const double rounded = read_float(buffer.type, other->memories[b]->element(i));
        furthest = std::max(furthest, std::fabs(rounded - value));
      }
      // Comparisons with NaN are false.
      if (!(std::fabs(read_float(buffer.type, wrong) - value) <= 2 * furthest)) return false;
    }
  }
  return true;
}

bool fuzz = false;
const char* record = nullptr;  // the file of --record
constexpr int SECONDS = 120;   // for the runs of a kernel
// Of CPU time, for one run of a random kernel. The reference of a sane one takes milliseconds.
constexpr int FUZZ_REFERENCE_SECONDS = 3, FUZZ_EMULATED_SECONDS = 10;

// The messages of a child process to its parent, one byte each.
enum class Event : char {
  began = 'b',  // a kernel
  reference = 'r',
  emulated = 'e',
  passed = 'p',
  failed = 'f',
  skipped = 's',
  left_out = 'l',  // not for this GPU
};

void tell(int pipe_end, Event event) {
  if (write(pipe_end, &event, 1) != 1) _exit(2);
}

// Ends the process (SIGXCPU) when it has used more CPU seconds from now on.
void limit_cpu_time(int seconds) {
  rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit) != 0) std::abort();
  limit.rlim_cur = rlim_t(std::clock() / CLOCKS_PER_SEC + 1 + seconds);
  setrlimit(RLIMIT_CPU, &limit);
}

[[noreturn]] void skip(const Kernel& kernel, std::size_t number, const char* reason, int pipe_end) {
  std::printf("SKIP %s(%s): %s\n", kernel.name, kernel.runs[number].name, reason);
  std::fflush(stdout);
  tell(pipe_end, Event::skipped);
  _exit(0);
}

// Returns what is wrong with the run, or an empty string.
std::string run_once(const Kernel& kernel, std::size_t number, int pipe_end) {
  const Run& run = kernel.runs[number];
  const Data expected(kernel, number), got(expected, run);
#if !defined(REFERENCE_ONLY)
  if (run.launcher_refuses) {
    tell(pipe_end, Event::emulated);
    return run_emitted(kernel, number, expected, got, 1 /* cudaErrorInvalidValue */).text;
  }
#endif
#if defined(REFERENCE_ONLY)
  for (auto& memory : expected.memories) memory->forbid_margins();
#endif

  tell(pipe_end, Event::reference);
  if (fuzz) limit_cpu_time(FUZZ_REFERENCE_SECONDS);
  const int expected_status = kernel.reference(expected.pointers.data(), run.scalars.data());
  if (expected_status != run.expected_status && !fuzz) {
    return "the reference returned " + std::to_string(expected_status);
  }
  for (auto& memory : expected.memories) {
    if (memory->margins_intact()) continue;
    const char* const problem = "the reference wrote outside a buffer";
    if (!fuzz) return problem;
    skip(kernel, number, problem, pipe_end);
  }
  if (record != nullptr) write_record(record, kernel, number, got, expected);
#if defined(REFERENCE_ONLY)
  return "";
#else
  tell(pipe_end, Event::emulated);
  if (fuzz) limit_cpu_time(FUZZ_EMULATED_SECONDS);
  const Problem problem = run_emitted(kernel, number, expected, got, expected_status);
  if (fuzz && problem.is_of_an_element && is_rounding(kernel, number, expected, got)) {
    skip(kernel, number, "rounding errors of the reference are larger than the tolerance",
         pipe_end);
  }
  return problem.text;
#endif
}

struct Counts {
  int passed = 0, failed = 0, skipped = 0, left_out = 0;
  bool in_reference = false;
};

// Reads what the child process tells; the counts of runs of each kernel that it began.
std::vector<Counts> listen(int pipe_end) {
  std::vector<Counts> result;
  for (Event event; ::read(pipe_end, &event, 1) == 1;) {
    if (event == Event::began) {
      result.emplace_back();
      continue;
    }
    Counts& counts = result.back();
    if (event == Event::passed) ++counts.passed;
    if (event == Event::failed) ++counts.failed;
    if (event == Event::skipped) ++counts.skipped;
    if (event == Event::left_out) ++counts.left_out;
    counts.in_reference = event == Event::reference;
  }
  return result;
}

// Runs a kernel with all of its arguments, and tells of each run.
void run_kernel(const Kernel& kernel, int pipe_end) {
  alarm(SECONDS);
  for (std::size_t i = 0; i < kernel.runs.size(); ++i) {
    if (!can_run(kernel.runs[i])) {
      tell(pipe_end, Event::left_out);
      continue;
    }
    const std::string problem = run_once(kernel, i, pipe_end);
    if (!problem.empty() && fuzz && depends_on_order(kernel, i)) {
      skip(kernel, i, "the reference depends on the order of programs or elements", pipe_end);
    }
    if (!problem.empty()) {
      std::printf("FAIL %s(%s): %s\n", kernel.name, kernel.runs[i].name, problem.c_str());
      std::fflush(stdout);
    }
    tell(pipe_end, problem.empty() ? Event::passed : Event::failed);
    if (is_lost()) _exit(3);
  }
}

// Counts the runs of the last kernel that a process began. If it did not end, it failed there.
void finish(const Kernel& kernel, Counts& counts, int status) {
  const std::size_t done = std::size_t(counts.passed + counts.failed + counts.left_out);
  if (counts.skipped == 0 && done < kernel.runs.size()) {
    const bool skip = fuzz && counts.in_reference;
    std::printf("%s %s(%s): the process ended with %s %d\n", skip ? "SKIP" : "FAIL", kernel.name,
                kernel.runs[done].name, WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    (skip ? counts.skipped : counts.failed) += int(kernel.runs.size() - done);
  } else if (fuzz && counts.skipped == 0 && counts.failed == 0) {
    std::printf("SAME %s\n", kernel.name);
  }
}

// In a child process: the counts come back through a pipe, one byte a run. Returns the counts of each kernel that began;
// the first one always does.
std::vector<Counts> run_kernels(const Kernel* const* kernels, std::size_t count) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    for (std::size_t i = 0; i < count; ++i) {
      tell(ends[1], Event::began);
      run_kernel(*kernels[i], ends[1]);
    }
    std::fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  std::vector<Counts> counts = listen(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (counts.empty()) std::abort();
  for (std::size_t i = 0; i < counts.size(); ++i) finish(*kernels[i], counts[i], status);
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else if (std::strcmp(argv[i], "--fuzz") == 0) {
      fuzz = true;
    } else if (std::strcmp(argv[i], "--record") == 0 && i + 1 < argc) {
      record = argv[++i];
    } else {
      std::fprintf(stderr, "usage: %s [--only KERNEL] [--fuzz] [--record FILE]\n", argv[0]);
      return 2;
    }
  }
  setenv("TILE2CU_THREADS", "1", 1);
  std::vector<const Kernel*> chosen;
  for (const Kernel& kernel : kernels) {
    if (only.empty() || only == kernel.name) chosen.push_back(&kernel);
  }
  int passed = 0, failed = 0;
  for (std::size_t next = 0; next < chosen.size();) {
    const std::size_t count = std::min(KERNELS_OF_PROCESS, chosen.size() - next);
    const std::vector<Counts> counts = run_kernels(&chosen[next], count);
    for (const Counts& kernel : counts) passed += kernel.passed, failed += kernel.failed;
    next += counts.size();
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0 || passed == 0;
}
