// A text whose numbers may be ranges: of "combines 8" and "combines 32", "combines 8 to 32".
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace tile2cu::ir {

class NumberedText {
 public:
  // Without `ranges`, numbers are text, and texts are alike only if they are equal. Digits in a
  // name (x1, m16n8k16) or a decimal fraction are text as well.
  NumberedText(llvm::StringRef text, bool ranges);

  // Whether two texts differ in numbers alone.
  bool isLike(const NumberedText &other) const { return parts_ == other.parts_; }
  // Widens the ranges to the numbers of a text that is alike.
  void add(const NumberedText &other);
  std::string str() const;

 private:
  struct Range {
    uint64_t low, high;
  };
  std::vector<std::string> parts_;  // before, between and after the numbers
  std::vector<Range> numbers_;
};

}  // namespace tile2cu::ir
