// The text that a model learns: each byte is a token.
#pragma once
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "parameters.h"

namespace llm {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The sequences of a text, in the memory that kernels read. Sequence i of all steps is window
// (i * 7919) % windows of the text, so that the sequences of a step come from all of it.
class Text {
 public:
  Text(const std::string& bytes, const Sizes& sizes)
      : sizes_(sizes),
        tokens_(shuffled(bytes, sizes.length, 0)),
        targets_(shuffled(bytes, sizes.length, 1)) {
    if (steps() == 0) throw std::runtime_error("the text is shorter than the tokens of a step");
  }

  // Of step `step`, from 0: u16 [rows]. Targets are the tokens that follow.
  const uint16_t* tokens(int64_t step) const { return tokens_.data() + first_of(step); }
  const uint16_t* targets(int64_t step) const { return targets_.data() + first_of(step); }

 private:
  int64_t steps() const { return int64_t(tokens_.size()) / sizes_.rows(); }
  int64_t first_of(int64_t step) const { return step % steps() * sizes_.rows(); }

  // All windows, each `shift` bytes further.
  static std::vector<uint16_t> shuffled(const std::string& bytes, int64_t length, int64_t shift) {
    const int64_t windows = bytes.empty() ? 0 : (int64_t(bytes.size()) - 1) / length;
    std::vector<uint16_t> tokens;
    for (int64_t i = 0; i < windows; ++i) {
      const int64_t first = i * 7919 % windows * length + shift;
      for (int64_t t = first; t < first + length; ++t) {
        tokens.push_back(static_cast<unsigned char>(bytes[t]));
      }
    }
    return tokens;
  }

  Sizes sizes_;
  tl::buffer<uint16_t> tokens_, targets_;
};

}  // namespace llm
