// Parts of a long function as functions of their own: what stands behind its loop, its matrix products, its copies.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile2cu::emit {

// A variable of the function around that a part mentions.
struct Local {
  std::string name, parameter;  // row_max, float (&row_max)[HALVES]
};

struct Part {
  std::string name;        // epilogue, multiply_scores
  std::string comment;     // whole lines
  std::string parameters;  // of a lambda: int at
  std::string body;
  std::vector<Local> locals;
};

// The role of the section that becomes a function last of all.
inline constexpr const char *kPrologue = "start_copies";

// `body`, the statements of a function that has `above` lines besides, with parts taken out of it until no more than `limit` lines
// are left, or no part is. Steps of loops are parts only where `isTooLong` holds for what is left. `define` writes a part's function
// and gives its call up to the arguments of its own: without the parenthesis that closes it. The text is as the emitter writes it,
// not formatted: a statement, a loop's head or a closing brace a line.
std::string outline(const std::string &body, size_t above, size_t limit,
                    llvm::function_ref<bool(const std::string &)> isTooLong,
                    llvm::function_ref<std::string(const Part &)> define);

// About as many lines as there will be when they are formatted.
size_t countLines(const std::string &text);

}  // namespace tile2cu::emit
