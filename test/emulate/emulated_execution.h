// How driver.cpp runs an emitted kernel without a GPU: on the emulator, whose reports are failures.
#pragma once
#include <string>

#include "buffers.h"

namespace emulate_test {

constexpr std::size_t KERNELS_OF_PROCESS = 1;

inline bool can_run(const Run&) { return true; }
inline bool is_lost() { return false; }

inline void set_emulator_options(const Kernel& kernel, std::size_t run) {
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

// What the emitted kernel does wrong.
inline Problem run_emitted(const Kernel& kernel, std::size_t number, const Data& expected,
                           const Data& got, int expected_status) {
  const Run& run = kernel.runs[number];
  for (auto& memory : got.memories) memory->forbid_margins();
  set_emulator_options(kernel, number);
  const int status = kernel.emulated(got.pointers.data(), run.scalars.data());
  const auto reports = emulate::take_reports();
  if (!reports.empty()) return {"report: " + reports.front().text};
  if (status != expected_status) return {"the launcher returned " + std::to_string(status)};
  return compare_all(run, expected, got);
}

}  // namespace emulate_test
