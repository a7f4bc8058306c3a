// Texts as lines.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

std::vector<std::string> splitLines(const std::string &text);
// Each line with its end.
std::string joinLines(llvm::ArrayRef<std::string> lines);

// The variable that a line of the text assigns, or declares with a value; empty if there is none:
// `x = ...`, `if (c) x[i].value0 += ...`, `const float* const p = ...`,
// `tile2cu::as_vec<4>(&x[v]) = ...`; not `*p = ...`. The heads of loops declare variables of their
// own. What a function writes through a reference is not seen.
llvm::StringRef assignedName(llvm::StringRef line);

}  // namespace tile2cu::emit
