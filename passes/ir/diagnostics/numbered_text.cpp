#include "passes/ir/diagnostics/numbered_text.h"

#include <algorithm>

#include "llvm/ADT/StringExtras.h"

namespace tile2cu::ir {

// Whether digits next to this character are not a number of their own.
static bool isOfName(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

NumberedText::NumberedText(llvm::StringRef text, bool ranges) : parts_(1) {
  if (!ranges) {
    parts_.front() = text.str();
    return;
  }
  for (size_t at = 0; at < text.size();) {
    const llvm::StringRef word = text.drop_front(at).take_while(isOfName);
    // A full stop may end a sentence.
    const llvm::StringRef number = word.ends_with(".") ? word.drop_back() : word;
    uint64_t value = 0;
    if (!number.empty() && llvm::all_of(number, llvm::isDigit) && !number.getAsInteger(10, value)) {
      numbers_.push_back({value, value});
      parts_.emplace_back();
      at += number.size();
      continue;
    }
    const size_t size = std::max<size_t>(word.size(), 1);
    parts_.back() += text.substr(at, size);
    at += size;
  }
}

void NumberedText::add(const NumberedText &other) {
  for (size_t i = 0; i < numbers_.size(); ++i) {
    numbers_[i].low = std::min(numbers_[i].low, other.numbers_[i].low);
    numbers_[i].high = std::max(numbers_[i].high, other.numbers_[i].high);
  }
}

std::string NumberedText::str() const {
  std::string text = parts_.front();
  for (size_t i = 0; i < numbers_.size(); ++i) {
    text += std::to_string(numbers_[i].low);
    if (numbers_[i].high != numbers_[i].low) text += " to " + std::to_string(numbers_[i].high);
    text += parts_[i + 1];
  }
  return text;
}

}  // namespace tile2cu::ir
