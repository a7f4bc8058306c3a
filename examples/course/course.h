// What the tests of the lessons share. A test checks values that the task computed on the CPU, and
// then what tile2cu said and wrote about it. It reports the first problem, in one sentence.
#pragma once

#include <tile2cu/buffer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace course {

// `count` multiples of 1/8 from -1 to 1, which are exact in 16 bits too. They differ by seed.
inline std::vector<float> numbers(int count, int seed = 0) {
  std::vector<float> result(count);
  for (int i = 0; i < count; ++i) result[i] = float((i * 7 + seed * 5) % 17 - 8) / 8;
  return result;
}

template <class T>
std::vector<T> converted(const std::vector<float>& values) {
  std::vector<T> result;
  for (const float value : values) result.push_back(static_cast<T>(value));
  return result;
}

class Lesson {
 public:
  // The arguments are the file of the CUDA text and the file of the remarks.
  Lesson(int argc, char** argv)
      : cuda_(argc > 1 ? read(argv[1]) : ""), remarks_(argc > 2 ? read(argv[2]) : "") {
    if (cuda_.empty()) fail("there is no CUDA text to check");
  }

  // `status` is what a launcher returned.
  void launched(int status) {
    if (status != 0) fail("the launcher returned error " + std::to_string(status));
  }
  // The error may be `tolerance` times the larger of 1 and |expected|. `where` names the element.
  void near(const std::string& where, double got, double expected, double tolerance = 0) {
    if (std::abs(got - expected) <= tolerance * std::max(1.0, std::abs(expected))) return;
    unequal(where, got, "", expected);
  }
  void at_least(const std::string& what, double got, double expected) {
    if (got < expected) unequal(what, got, "at least ", expected);
  }
  void at_most(const std::string& what, double got, double expected) {
    if (got > expected) unequal(what, got, "at most ", expected);
  }
  // A remark has to contain `fragment`; otherwise `problem` says what is wrong.
  void remark(const std::string& fragment, const std::string& problem) {
    if (remarks_.find(fragment) == std::string::npos) fail(problem);
  }
  void no_remark(const std::string& fragment, const std::string& problem) {
    if (remarks_.find(fragment) != std::string::npos) fail(problem);
  }
  // The same for the CUDA text.
  void cuda(const std::string& fragment, const std::string& problem) {
    if (cuda_.find(fragment) == std::string::npos) fail(problem);
  }
  void no_cuda(const std::string& fragment, const std::string& problem) {
    if (cuda_.find(fragment) != std::string::npos) fail(problem);
  }

  // Prints the verdict and returns the program's exit code.
  int finish() const {
    std::printf("%s%s\n", problem_.empty() ? "done" : "WRONG: ", problem_.c_str());
    return problem_.empty() ? 0 : 1;
  }

 private:
  static std::string read(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void unequal(const std::string& what, double got, const char* relation, double expected) {
    std::ostringstream text;
    text << what << " is " << got << ", expected " << relation << expected;
    fail(text.str());
  }
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  std::string cuda_, remarks_;
  std::string problem_;  // the first one
};

}  // namespace course
