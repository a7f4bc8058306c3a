// Reference of programs: the program that this thread runs, and how it ends.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "elementwise.h"

namespace tl::cpu {

using Ids = std::array<std::int64_t, 3>;

inline constexpr int kNumSms = 4;

enum class Mode {
  kOutside,  // not in a launch
  kProbe,    // determines the grid: runs to the first grid(...), and must not access memory
  kRun,      // a program of a launch whose kernel calls grid(...)
  kExplicit  // a program of launch_grid
};

// In which order programs run, and the elements of each store and reduction: TILE2CU_ORDER. A
// kernel whose results change has a race, or elements of one store that share an address, or a
// combine that is not commutative.
enum class Order {
  kForward,
  kReversed,  // from the last to the first; a scan combines partial results
  kShuffled   // shuffles programs and the elements of stores; reductions as kForward
};

inline Order orderFromEnvironment() {
  const char* text = std::getenv("TILE2CU_ORDER");
  if (text == nullptr) return Order::kForward;
  return text[0] == 'r' ? Order::kReversed : text[0] == 's' ? Order::kShuffled : Order::kForward;
}

// Which elements of one store may not have one address: TILE2CU_CHECK.
enum class Check {
  kNothing,
  kValues,    // elements with different values: the result depends on which of them is written
  kAddresses  // all: it shows kernels that break the compiler's assumption that rows do not overlap
};

inline Check checkFromEnvironment() {
  const char* text = std::getenv("TILE2CU_CHECK");
  if (text == nullptr) return Check::kNothing;
  if (std::strcmp(text, "values") == 0) return Check::kValues;
  return std::strcmp(text, "addresses") == 0 ? Check::kAddresses : Check::kNothing;
}

// The one of `size` items whose turn comes after `k` others. Shuffled, the middle one is the first,
// and each one is about 0.62 * size after the one before it.
inline std::int64_t inOrder(Order order, std::int64_t k, std::int64_t size) {
  if (order == Order::kForward) return k;
  if (order == Order::kReversed) return size - 1 - k;
  std::int64_t step = size / 100 * 62 + size % 100 * 62 / 100;
  while (std::gcd(step, size) != 1) ++step;
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>((static_cast<Wide>(k) * step + size / 2) % size);
}

struct Program {
  Mode mode = Mode::kOutside;
  Ids id = {};
  Ids count = {};
  Order order = Order::kForward;
  Check check = Check::kNothing;
};

inline thread_local Program current;

// The exception that ends a probe.
struct GridFound {
  Ids count;
};
// The exception that ends a launch.
struct RequirementFailed {};

[[noreturn]] inline void fail(const char* what, const char* detail = "") {
  if (current.mode == Mode::kRun || current.mode == Mode::kExplicit) {
    std::fprintf(stderr, "tile2cu: program (%lld, %lld, %lld): %s%s\n",
                 static_cast<long long>(current.id[0]), static_cast<long long>(current.id[1]),
                 static_cast<long long>(current.id[2]), what, detail);
  } else {
    std::fprintf(stderr, "tile2cu: %s%s\n", what, detail);
  }
  std::fflush(nullptr);
  std::abort();
}

// The element that a store of `size` elements writes after `k` others.
inline int inOrder(int k, int size) { return static_cast<int>(inOrder(current.order, k, size)); }

inline void mustBeLaunched() {
  if (current.mode == Mode::kOutside) {
    fail(
        "a kernel was called outside a launch: call the object that instantiate(kernel) returns, "
        "or "
        "tl::launch(kernel, arguments...)");
  }
}

inline Ids grid(std::int64_t x, std::int64_t y, std::int64_t z) {
  mustBeLaunched();
  if (current.mode == Mode::kProbe) throw GridFound{{x, y, z}};
  return current.id;
}

inline std::int64_t programId(int axis) {
  mustBeLaunched();
  if (current.mode == Mode::kProbe) {
    fail(
        "a kernel that uses program_id or num_programs without grid has no grid of its own: call "
        "tl::launch_grid(kernel, x, y, z, arguments...)");
  }
  if (axis < 0 || axis > 2) fail("the axis of program_id and num_programs must be 0, 1 or 2");
  return current.id[static_cast<unsigned>(axis)];
}

inline std::int64_t numPrograms(int axis) {
  programId(axis);
  return current.count[static_cast<unsigned>(axis)];
}

struct Slice {
  std::int64_t first;
  std::int64_t step;
};

inline Slice persistentSlice(std::int64_t n) {
  mustBeLaunched();
  if (current.mode == Mode::kProbe) throw GridFound{{n < kNumSms ? n : kNumSms, 1, 1}};
  return {current.id[0], current.count[0]};
}

// Stops the probe at a load or store: a kernel must call grid first.
inline void mustRun() {
  if (current.mode == Mode::kProbe)
    fail(
        "grid(...) must come first in a kernel: it is missing, or a load or store comes before it");
}

inline void assumption(bool holds, const char* what) {
  if (!holds) fail("a false assumption: ", what);
}

// A false requirement ends the launch: in the probe, or if it stands after the grid, in the first
// program, since its condition is the same in all of them.
inline void require(bool condition) {
  if (condition) return;
  mustBeLaunched();
  throw RequirementFailed{};
}

inline void checkAssumption(bool condition) { assumption(condition, "assume(...)"); }

inline void checkAligned(const volatile void* pointer, int bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  assumption(address % static_cast<unsigned>(bytes) == 0, "assume_aligned<N>(pointer)");
}

template <class T>
void checkDivisible(const T& value, int n) {
  assumption(static_cast<std::int64_t>(value) % n == 0, "the value is not a multiple of N");
}

template <class C>
void deviceAssert(const C& condition, const char* message) {
  zip<C>(
      [message](bool holds) {
        if (!holds) fail("assertion failed: ", message);
        return holds;
      },
      condition);
}

template <class C, class M>
void deviceAssert(const C& condition, const char* message, const M& mask) {
  deviceAssert(condition | !mask, message);
}

}  // namespace tl::cpu
