#include "emit/cuda/text_lines.h"

#include <algorithm>

namespace tile2cu::emit {

std::vector<std::string> splitLines(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string joinLines(llvm::ArrayRef<std::string> lines) {
  std::string result;
  for (const std::string &line : lines) result += line + "\n";
  return result;
}

}  // namespace tile2cu::emit
