// Kernels in tests: any lambda, on any block.
#pragma once
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tile2cu/device.cuh"

namespace device_tests {

inline void call(const std::function<void()>* body) { (*body)(); }

// Runs `body` in every thread of every block.
inline cudaError_t launch(dim3 grid, dim3 block, const std::function<void()>& body,
                          std::size_t smem_bytes = 16 << 10) {
  return emulate::launch(call, grid, block, smem_bytes, nullptr, &body);
}

// The same in one block, which must succeed and report nothing.
inline void onBlock(unsigned threads, const std::function<void()>& body) {
  EXPECT_EQ(launch(1, threads, body), cudaSuccess);
  for (const emulate::report& report : emulate::take_reports()) ADD_FAILURE() << report.text;
}

// "races_test.cpp:41": the line of `file` that ends with the comment `marker`.
inline std::string lineOf(const std::string& file, const std::string& marker) {
  std::ifstream text(file);
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    if (line.ends_with("// " + marker)) {
      return file.substr(file.rfind('/') + 1) + ":" + std::to_string(number);
    }
  }
  return "no line with " + marker;
}

// The only report; empty, with a failure, if there is another number of them.
inline std::string soleReport(enum emulate::report::kind kind) {
  const std::vector<emulate::report> reports = emulate::take_reports();
  for (const emulate::report& report : reports) {
    if (reports.size() != 1 || report.kind != kind) ADD_FAILURE() << report.text;
  }
  if (reports.empty()) ADD_FAILURE() << "nothing was reported";
  return reports.size() == 1 ? reports[0].text : "";
}

// Reports are expected: not printed, schedule as asked; undone at the end of the scope.
class Quietly {
 public:
  explicit Quietly(emulate::order order = emulate::order::in_order, unsigned seed = 1) {
    emulate::settings().quiet = true;
    emulate::settings().order = order;
    emulate::settings().seed = seed;
  }
  ~Quietly() { emulate::settings() = before_; }

 private:
  emulate::options before_ = emulate::settings();
};

inline constexpr emulate::order ALL_ORDERS[] = {emulate::order::in_order, emulate::order::reverse,
                                                emulate::order::random, emulate::order::warp_last};

}  // namespace device_tests
