// Runs the kernels of one generated file, by the reference and on the emulator, on the same data:
//
//   driver [--only KERNEL] [--fuzz]
//
// Each kernel runs in a process of its own, so that a crash is one failure. A line for each failure; the last line says
// "N passed, N failed" and counts runs: a kernel with its arguments. With --fuzz the programs are random (test/fuzz): a
// kernel that the reference cannot run (it crashes, takes too long or writes outside of its buffers) is skipped, the
// launchers have to return the same status, whatever it is, and each kernel has a line: SAME, SKIP or FAIL.
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

#include "elements.h"

#if defined(REFERENCE_ONLY)  // with -fsanitize=address: the reference alone stays in its buffers
#include <sanitizer/asan_interface.h>
namespace emulate {
void forbid(const void* begin, std::size_t size) { __asan_poison_memory_region(begin, size); }
void allow(const void* begin, std::size_t size) { __asan_unpoison_memory_region(begin, size); }
}  // namespace emulate
#else
#include "tile2cu/emulator/options.h"
#endif

using namespace emulate_test;

namespace {

// Bytes before and after a buffer. Where the sanitizer looks for accesses outside of the buffers,
// the guards are so large that a wrong row ends in them.
#if defined(REFERENCE_ONLY)
constexpr long GUARD = 4 << 20;
#else
constexpr long GUARD = 512;
#endif
constexpr unsigned char GUARD_BYTE = 0xa5;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}
  long below(long n) { return long(engine_() % std::uint64_t(n)); }
  double fraction() { return double(engine_() >> 11) * 0x1p-53; }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

double special(Generator& generator) {
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {NAN, inf, -inf, 0.0, -0.0, 1, -1, 1.5, -2.5, 3, 0.5, -7, 100, -0.25};
  return values[generator.below(std::size(values))];
}

double extreme(Generator& generator) {
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {NAN,    inf,   -inf,  0.0,  -0.0,  1e-40,  -1e-45,
                           2.5,    -0.75, 88,    -88,  127.5, -127.5, 10.05,
                           -10.05, 1e18,  -1e18, 1e30, -1e30, 3e38,   -3e38};
  return values[generator.below(std::size(values))];
}

void fill_element(const Buffer& buffer, long i, void* address, Generator& generator) {
  const Type type = buffer.type;
  const int sign = is_signed(type) && generator.below(2) == 0 ? -1 : 1;
  double value = 0;
  switch (buffer.domain) {
    case Domain::out:
      if (type == Type::boolean) return write_bits(type, address, 1);
      return write_bits(type, address, generator.bits());
    case Domain::bits:
      if (!is_float(type) || is_float8(type)) {
        return write_bits(type, address,
                          type == Type::boolean ? generator.below(2) : generator.bits());
      }
      value = sign * std::ldexp(1 + generator.fraction(), int(generator.below(24)) - 12);
      break;
    case Domain::small:
      value = type == Type::boolean ? generator.below(2)
                                    : double(generator.below(17)) - (is_signed(type) ? 8 : 0);
      break;
    case Domain::nonzero:
      value = sign * double(1 + generator.below(is_signed(type) ? 8 : 16));
      break;
    case Domain::positive:
      value = double(1 + generator.below(16));
      break;
    case Domain::shift:
      value = double(generator.below(7));
      break;
    case Domain::unit:
      value = 8 * generator.fraction() - 4;
      break;
    case Domain::open:
      value = 16 * generator.fraction() + 0x1p-10;
      break;
    case Domain::sine:
      value = 2 * generator.fraction() - 1;
      break;
    case Domain::special:
      value = special(generator);
      break;
    case Domain::extreme:
      value = extreme(generator);
      break;
    case Domain::ties:
      value = double(generator.below(4));
      break;
    case Domain::nans:
      value = generator.below(5) == 0 ? NAN : double(generator.below(4));
      break;
    case Domain::sparse:
      value = generator.below(40) == 0 ? 1 : 0;
      break;
    case Domain::zero:
      break;
    case Domain::below:
      value = double(generator.below(buffer.parameter));
      break;
    case Domain::ones: {
      const double values[] = {1, 1, 1, 1, 1, 1, is_signed(type) ? -1.0 : 1.0, 2};
      value = values[generator.below(8)];
      break;
    }
    case Domain::distinct:
      value = double(i);  // shuffled below
      break;
    case Domain::starts:
      value = double(generator.below(buffer.parameter + 1));  // sorted below
      break;
  }
  write_number(type, address, value);
}

// A buffer with both margins; the emulator knows that kernels stay out of them.
class Memory {
 public:
  explicit Memory(const Buffer& buffer)
      : buffer_(buffer), bytes_(buffer.size * bytes_of(buffer.type)) {
    const long shift = buffer.shift * bytes_of(buffer.type);
    whole_ = (2 * GUARD + shift + bytes_ + 255) / 256 * 256;
    memory_ = static_cast<unsigned char*>(std::aligned_alloc(256, whole_));
    std::memset(memory_, GUARD_BYTE, whole_);
    begin_ = memory_ + GUARD + shift;
  }
  Memory(const Memory& other) : Memory(other.buffer_) {
    std::memcpy(memory_, other.memory_, whole_);
  }
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (forbidden_) emulate::allow(memory_, whole_);
    std::free(memory_);
  }

  void forbid_margins() {
    forbidden_ = true;
    emulate::forbid(memory_, begin_ - memory_);
    emulate::forbid(begin_ + bytes_, memory_ + whole_ - begin_ - bytes_);
  }
  void fill(std::uint64_t seed) {
    Generator generator(seed);
    for (long i = 0; i < buffer_.size; ++i) fill_element(buffer_, i, element(i), generator);
    if (buffer_.domain == Domain::starts) sort_starts();
    if (buffer_.domain == Domain::distinct) shuffle(generator);
  }
  unsigned char* element(long i) const { return begin_ + i * bytes_of(buffer_.type); }
  bool margins_intact() const {
    for (const unsigned char* p = memory_; p < memory_ + whole_; ++p) {
      if ((p < begin_ || p >= begin_ + bytes_) && *p != GUARD_BYTE) return false;
    }
    return true;
  }

 private:
  void shuffle(Generator& generator) {
    for (long i = buffer_.size - 1; i > 0; --i) {
      const long j = generator.below(i + 1);
      const auto a = read_bits(buffer_.type, element(i)), b = read_bits(buffer_.type, element(j));
      write_bits(buffer_.type, element(i), b);
      write_bits(buffer_.type, element(j), a);
    }
  }
  // They are ints.
  void sort_starts() {
    int* const starts = reinterpret_cast<int*>(begin_);
    std::sort(starts, starts + buffer_.size);
    starts[0] = 0;
    starts[buffer_.size - 1] = int(buffer_.parameter);
  }

  const Buffer& buffer_;
  long bytes_, whole_;
  unsigned char *memory_, *begin_;
  bool forbidden_ = false;
};

std::string text_of(Type type, const void* address) {
  char text[80];
  if (is_float(type)) {
    std::snprintf(text, sizeof(text), "%.9g (0x%llx)", read_float(type, address),
                  static_cast<unsigned long long>(read_bits(type, address)));
  } else if (is_signed(type)) {
    const int unused = 64 - 8 * bytes_of(type);
    std::snprintf(text, sizeof(text), "%lld",
                  static_cast<long long>(read_bits(type, address) << unused) >> unused);
  } else {
    std::snprintf(text, sizeof(text), "%llu",
                  static_cast<unsigned long long>(read_bits(type, address)));
  }
  return text;
}

bool same(const Buffer& buffer, const void* expected, const void* got) {
  if (read_bits(buffer.type, expected) == read_bits(buffer.type, got)) return true;
  if (!is_float(buffer.type) || is_float8(buffer.type)) return false;
  const double e = read_float(buffer.type, expected), g = read_float(buffer.type, got);
  if (std::isnan(e) || std::isnan(g)) return std::isnan(e) && std::isnan(g);
  if (buffer.relative < 0) return false;
  return e == g || std::fabs(e - g) <= buffer.relative * std::fabs(e) + buffer.absolute;
}

// Returns what is wrong with the buffer, or an empty string.
std::string compare(const Buffer& buffer, const Memory& expected, const Memory& got) {
  if (!got.margins_intact()) return std::string(buffer.name) + ": written outside the buffer";
  long wrong = 0;
  std::string first;
  for (long i = 0; i < buffer.size; ++i) {
    if (same(buffer, expected.element(i), got.element(i))) continue;
    if (wrong++ == 0) {
      first = std::string(buffer.name) + "[" + std::to_string(i) + "] is " +
              text_of(buffer.type, got.element(i)) + ", not " +
              text_of(buffer.type, expected.element(i));
    }
  }
  if (wrong > 1)
    first += "; " + std::to_string(wrong) + " of " + std::to_string(buffer.size) + " differ";
  return first;
}

std::uint64_t seed_of(const char* name, std::size_t run) {
  std::uint64_t hash = 1469598103934665603u + run;
  for (; *name != 0; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 1099511628211u;
  return hash;
}

// The buffers of a run, filled, and the pointers into them.
struct Data {
  Data(const Kernel& kernel, std::size_t number) {
    const Run& run = kernel.runs[number];
    std::uint64_t seed = seed_of(kernel.name, number);
    for (const Buffer& buffer : run.buffers) {
      memories.push_back(std::make_unique<Memory>(buffer));
      memories.back()->fill(seed++);
    }
    point_into(run);
  }
  Data(const Data& other, const Run& run) {
    for (const auto& memory : other.memories) memories.push_back(std::make_unique<Memory>(*memory));
    point_into(run);
  }
  void point_into(const Run& run) {
    for (const Pointer& pointer : run.pointers)
      pointers.push_back(memories[pointer.buffer]->element(pointer.offset));
  }
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<void*> pointers;
};

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
    for (std::size_t i = 0; i < run.buffers.size(); ++i) {
      if (!compare(run.buffers[i], *forward.memories[i], *other.memories[i]).empty()) return true;
    }
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
constexpr int SECONDS = 120;  // for the runs of a kernel
// Of CPU time, for one run of a random kernel. The reference of a sane one takes milliseconds.
constexpr int FUZZ_REFERENCE_SECONDS = 3, FUZZ_EMULATED_SECONDS = 10;

// The messages of a child process to its parent, one byte each.
enum class Event : char {
  reference = 'r',
  emulated = 'e',
  passed = 'p',
  failed = 'f',
  skipped = 's'
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

#if !defined(REFERENCE_ONLY)
void emulator_options(const Kernel& kernel, std::size_t run) {
  auto& options = emulate::settings();
  options = {};
  const emulate::order orders[] = {emulate::order::in_order, emulate::order::random,
                                   emulate::order::reverse, emulate::order::warp_last};
  options.compute_capability = kernel.runs[run].compute_capability;
  if (options.compute_capability < 90) options.smem_limit = 163 << 10;
  options.order = orders[(run + seed_of(kernel.name, 0)) % 4];
  options.seed = run + 1;
  options.races_between_blocks = kernel.races_between_blocks;
  options.races_of_one_store = kernel.races_of_one_store;
  options.uninitialized = true;
  options.quiet = true;
  options.exit_code = 0;
}

struct Problem {
  std::string text;               // empty: there is none
  bool is_of_an_element = false;  // a buffer differs
};

// What the emulated kernel does wrong.
Problem run_emulated(const Kernel& kernel, std::size_t number, const Data& expected,
                     const Data& got, int expected_status) {
  const Run& run = kernel.runs[number];
  for (auto& memory : got.memories) memory->forbid_margins();
  emulator_options(kernel, number);
  const int status = kernel.emulated(got.pointers.data(), run.scalars.data());
  const auto reports = emulate::take_reports();
  if (!reports.empty()) return {"report: " + reports.front().text};
  if (status != expected_status) return {"the launcher returned " + std::to_string(status)};
  for (std::size_t i = 0; i < run.buffers.size(); ++i) {
    const std::string problem = compare(run.buffers[i], *expected.memories[i], *got.memories[i]);
    if (!problem.empty()) return {problem, true};
  }
  return {};
}
#endif

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
    return run_emulated(kernel, number, expected, got, 1 /* cudaErrorInvalidValue */).text;
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
#if defined(REFERENCE_ONLY)
  return "";
#else
  tell(pipe_end, Event::emulated);
  if (fuzz) limit_cpu_time(FUZZ_EMULATED_SECONDS);
  const Problem problem = run_emulated(kernel, number, expected, got, expected_status);
  if (fuzz && problem.is_of_an_element && is_rounding(kernel, number, expected, got)) {
    skip(kernel, number, "rounding errors of the reference are larger than the tolerance",
         pipe_end);
  }
  return problem.text;
#endif
}

struct Counts {
  int passed = 0, failed = 0, skipped = 0;
  bool in_reference = false;
};

// Reads what the child process tells; the counts of runs.
Counts listen(int pipe_end) {
  Counts counts;
  for (Event event; ::read(pipe_end, &event, 1) == 1;) {
    if (event == Event::passed) ++counts.passed;
    if (event == Event::failed) ++counts.failed;
    if (event == Event::skipped) ++counts.skipped;
    counts.in_reference = event == Event::reference;
  }
  return counts;
}

void run_child(const Kernel& kernel, int pipe_end) {
  alarm(SECONDS);
  for (std::size_t i = 0; i < kernel.runs.size(); ++i) {
    const std::string problem = run_once(kernel, i, pipe_end);
    if (!problem.empty() && fuzz && depends_on_order(kernel, i)) {
      skip(kernel, i, "the reference depends on the order of programs or elements", pipe_end);
    }
    if (!problem.empty()) {
      std::printf("FAIL %s(%s): %s\n", kernel.name, kernel.runs[i].name, problem.c_str());
      std::fflush(stdout);
    }
    tell(pipe_end, problem.empty() ? Event::passed : Event::failed);
  }
  std::fflush(stdout);
  _exit(0);
}

// In a child process: the counts come back through a pipe, one byte a run.
Counts run_kernel(const Kernel& kernel) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(kernel, ends[1]);
  }
  close(ends[1]);
  Counts counts = listen(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const std::size_t done = std::size_t(counts.passed + counts.failed);
  if (counts.skipped == 0 && done < kernel.runs.size()) {
    const bool skip = fuzz && counts.in_reference;
    std::printf("%s %s(%s): the process ended with %s %d\n", skip ? "SKIP" : "FAIL", kernel.name,
                kernel.runs[done].name, WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    (skip ? counts.skipped : counts.failed) += int(kernel.runs.size() - done);
  } else if (fuzz && counts.skipped == 0 && counts.failed == 0) {
    std::printf("SAME %s\n", kernel.name);
  }
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
    } else {
      std::fprintf(stderr, "usage: %s [--only KERNEL] [--fuzz]\n", argv[0]);
      return 2;
    }
  }
  setenv("TILE2CU_THREADS", "1", 1);
  Counts counts;
  for (const Kernel& kernel : kernels) {
    if (!only.empty() && only != kernel.name) continue;
    const Counts here = run_kernel(kernel);
    counts.passed += here.passed;
    counts.failed += here.failed;
  }
  std::printf("%d passed, %d failed\n", counts.passed, counts.failed);
  return counts.failed != 0 || counts.passed == 0;
}
