// The buffers of a run: their data, the margins around them, and the comparison of two executions.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "driver.h"
#include "elements.h"

#if defined(ON_GPU)
namespace emulate {
// Kernels cannot reach these buffers: they get copies, whose margins are compared.
inline void forbid(const void*, std::size_t) {}
inline void allow(const void*, std::size_t) {}
}  // namespace emulate
#elif defined(REFERENCE_ONLY)  // with -fsanitize=address: the reference alone stays in its buffers
#include <sanitizer/asan_interface.h>
namespace emulate {
inline void forbid(const void* begin, std::size_t size) {
  __asan_poison_memory_region(begin, size);
}
inline void allow(const void* begin, std::size_t size) {
  __asan_unpoison_memory_region(begin, size);
}
}  // namespace emulate
#else
#include "tile2cu/emulator/options.h"
#endif

namespace emulate_test {

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

inline double special(Generator& generator) {
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {NAN, inf, -inf, 0.0, -0.0, 1, -1, 1.5, -2.5, 3, 0.5, -7, 100, -0.25};
  return values[generator.below(std::size(values))];
}

inline double extreme(Generator& generator) {
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {NAN,    inf,   -inf,  0.0,  -0.0,  1e-40,  -1e-45,
                           2.5,    -0.75, 88,    -88,  127.5, -127.5, 10.05,
                           -10.05, 1e18,  -1e18, 1e30, -1e30, 3e38,   -3e38};
  return values[generator.below(std::size(values))];
}

inline void fill_element(const Buffer& buffer, long i, void* address, Generator& generator) {
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
  // All bytes, margins included, and how far into them the buffer begins.
  unsigned char* whole() const { return memory_; }
  long whole_size() const { return whole_; }
  long offset_of(long i) const { return element(i) - memory_; }
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

inline std::string text_of(Type type, const void* address) {
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

inline bool same(const Buffer& buffer, const void* expected, const void* got) {
  if (read_bits(buffer.type, expected) == read_bits(buffer.type, got)) return true;
  if (!is_float(buffer.type) || is_float8(buffer.type)) return false;
  const double e = read_float(buffer.type, expected), g = read_float(buffer.type, got);
  if (std::isnan(e) || std::isnan(g)) return std::isnan(e) && std::isnan(g);
  if (buffer.relative < 0) return false;
  return e == g || std::fabs(e - g) <= buffer.relative * std::fabs(e) + buffer.absolute;
}

// Returns what is wrong with the buffer, or an empty string.
inline std::string compare(const Buffer& buffer, const Memory& expected, const Memory& got) {
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

inline std::uint64_t seed_of(const char* name, std::size_t run) {
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
      pointers.push_back(pointer.buffer < 0 ? nullptr
                                            : memories[pointer.buffer]->element(pointer.offset));
  }
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<void*> pointers;
};

struct Problem {
  std::string text;               // empty: there is none
  bool is_of_an_element = false;  // a buffer differs
};

// What differs after a run.
inline Problem compare_all(const Run& run, const Data& expected, const Data& got) {
  for (std::size_t i = 0; i < run.buffers.size(); ++i) {
    const std::string problem = compare(run.buffers[i], *expected.memories[i], *got.memories[i]);
    if (!problem.empty()) return {problem, true};
  }
  return {};
}

}  // namespace emulate_test
