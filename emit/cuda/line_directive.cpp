// #line directives.
#include "emit/cuda/printer.h"

namespace tile2cu::emit {

std::string lineDirective(size_t line, llvm::StringRef file) {
  std::string text = "#line " + std::to_string(line) + " \"";
  for (const char c : file) {
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text + "\"\n";
}

}  // namespace tile2cu::emit
