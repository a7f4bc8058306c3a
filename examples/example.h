// What the examples' main programs share: test data, and a comparison that ends in one line of text.
#pragma once

#include <tile2cu/buffer.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace example {

// `n` normally distributed numbers, the same ones in every run.
template <class T = float>
std::vector<T> normal(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> distribution;
  std::vector<T> numbers;
  for (std::size_t i = 0; i < n; ++i) numbers.push_back(static_cast<T>(distribution(generator)));
  return numbers;
}

// Counts what a kernel computed against numbers computed another way, in double precision.
class Comparison {
 public:
  // An error may be `tolerance` times the larger of 1 and the expected magnitude.
  Comparison(std::string name, double tolerance) : name_(std::move(name)), tolerance_(tolerance) {}

  // `status` is what a launcher returned.
  void launched(int status) {
    if (status != 0) fail("the launcher returned error " + std::to_string(status));
  }
  void near(std::size_t index, double got, double expected) {
    const double error = std::abs(got - expected) / std::max(1.0, std::abs(expected));
    if (error <= tolerance_) {  // false for NaN
      max_error_ = std::max(max_error_, error);
    } else {
      fail("element " + std::to_string(index) + " is " + std::to_string(got) + ", not " +
           std::to_string(expected));
    }
  }
  // Prints the verdict and gives the program's exit code.
  int finish() const {
    if (problem_.empty()) {
      std::printf("%s: OK (max error %.1e)\n", name_.c_str(), max_error_);
      return 0;
    }
    std::printf("%s: WRONG: %s\n", name_.c_str(), problem_.c_str());
    return 1;
  }

 private:
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  std::string name_;
  double tolerance_;
  double max_error_ = 0;
  std::string problem_;  // the first one
};

}  // namespace example
