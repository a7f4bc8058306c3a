// The checks of the emulator, the order in which threads run, and reports.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emulate {

// The thread that runs next when one waits or ends, and the next block.
enum class order {
  in_order,   // ascending
  reverse,    // descending
  random,     // drawn with options::seed
  warp_last,  // warp 0 only when no other warp can run, and the other warps descending
};

struct launch_shape;

struct options {
  enum order order = order::in_order;
  std::uint64_t seed = 1;
  bool races_between_blocks = true;  // off if blocks are ordered by more than atomics and fences
  bool races_of_one_store = true;    // off where elements of one store may share an address
  bool uninitialized = false;        // report reads of shared bytes that the block never wrote (of
                                     // structs only at -O0: optimized code may copy members)
  bool quiet = false;                // do not print reports
  int exit_code = 66;                // of a program with reports that were not taken; 0: unchanged
  int report_limit = 20;             // reports that are kept per launch
  int multiprocessors = 8;           // of the emulated device
  int compute_capability = 90;
  std::size_t stack_bytes = 256 << 10;  // of each thread
  std::size_t smem_limit = 227 << 10;   // the maximum per block on the emulated device
  // For tests of the host's side of launches.
  bool capturing = false;                                // the result of cudaStreamIsCapturing
  std::int64_t (*clock)() = nullptr;                     // nanoseconds for events; null: the host's
  void (*before_launch)(const launch_shape&) = nullptr;  // called for every valid launch
};

// The options of the next launch. Initially from the environment:
// TILE2CU_EMULATE="order=random,seed=7,quiet".
options& settings();

struct report {
  enum class kind {
    race,
    race_between_blocks,
    read_only,
    misaligned,
    out_of_bounds,
    uninitialized,
    deadlock,
    divergence,
    barrier,       // misuse of an mbarrier or a named barrier
    overflow,      // signed overflow, with -fsanitize=signed-integer-overflow
    asynchronous,  // TMA or wgmma: no fence_proxy_async, memory or accumulators in use, no wait
  };
  enum kind kind;
  std::string text;  // starts with file:line
};

// All reports since the last take_reports(). A program that ends with reports exits with
// options::exit_code, unless it has taken them.
const std::vector<report>& reports();
std::vector<report> take_reports();

// Bytes that kernels must not access until they are allowed again: the surroundings of a buffer.
void forbid(const void* begin, std::size_t bytes);
void allow(const void* begin, std::size_t bytes);

}  // namespace emulate
