// Lists and other text for messages and comments.
#pragma once
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "passes/ir/attribute.h"

namespace tile2cu::ir {

// "a", "a and b", "a, b and c"
std::string inWords(llvm::ArrayRef<std::string> names);

// "rn", "rz", "ru" or "rd": the end of the name of a function that rounds so, in the language and
// in CUDA.
llvm::StringRef suffixOf(Rounding rounding);

}  // namespace tile2cu::ir
