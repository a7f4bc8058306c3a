// Lists and other text for messages and comments.
#pragma once
#include <string>

#include "llvm/ADT/ArrayRef.h"

namespace tile2cu::ir {

// "a", "a and b", "a, b and c"
std::string inWords(llvm::ArrayRef<std::string> names);

}  // namespace tile2cu::ir
