// Takes out declarations of numbers that nobody reads.
#pragma once
#include <string>

#include "llvm/ADT/StringMap.h"

namespace tile2cu::emit {

// `text` without those lines of `declarations` (whole line -> variable) whose block mentions the
// variable nowhere below, and without the comments that stood above such a line alone. What only
// such lines mention goes, too. The time is linear in the length of the text.
std::string dropUnused(const std::string &text, const llvm::StringMap<std::string> &declarations);

}  // namespace tile2cu::emit
