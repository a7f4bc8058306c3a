#include "passes/ir/text/prose.h"

namespace tile2cu::ir {

std::string inWords(llvm::ArrayRef<std::string> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

llvm::StringRef suffixOf(Rounding rounding) {
  return rounding == Rounding::TowardZero ? "rz" : wordOf(rounding);
}

}  // namespace tile2cu::ir
