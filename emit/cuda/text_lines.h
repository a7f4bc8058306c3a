// Texts as lines.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

namespace tile2cu::emit {

std::vector<std::string> splitLines(const std::string &text);
// Each line with its end.
std::string joinLines(llvm::ArrayRef<std::string> lines);

}  // namespace tile2cu::emit
