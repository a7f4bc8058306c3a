// --time-passes: how long each step of a run took.
#pragma once
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace tile2cu::transpiler {

class Stopwatch {
 public:
  // Adds the time since the last call (or since construction) to `step`.
  void lap(llvm::StringRef step) {
    Clock::time_point now = Clock::now();
    laps_.emplace_back(step.str(), now - last_);
    last_ = now;
  }

  // Drops the time since the last call: it belongs to no step.
  void skip() { last_ = Clock::now(); }

  void print(llvm::raw_ostream &out) const {
    Clock::duration total{};
    for (const auto &[step, time] : laps_) {
      out << llvm::format("%9.3f ms  ", milliseconds(time)) << step << '\n';
      total += time;
    }
    out << llvm::format("%9.3f ms  ", milliseconds(total)) << "total\n";
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double milliseconds(Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
  }
  Clock::time_point last_ = Clock::now();
  std::vector<std::pair<std::string, Clock::duration>> laps_;
};

}  // namespace tile2cu::transpiler
