// Runs of loops over registers in a long function, which may become functions of their own; and what
// outline_functions and this have in common.
#pragma once
#include <string>
#include <vector>

#include "emit/transform/text_scopes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "passes/target/tunables.h"

namespace tile2cu::emit {

// A part with fewer lines is not worth a function with its parameters.
inline size_t fewestLines() { return passes::tunables().outlined_lines; }
// The same where the function is too long even without all larger parts.
inline size_t fewestLinesAtLast() { return passes::tunables().outlined_lines_at_last; }

// The begin or end of a section.
inline bool isMark(llvm::StringRef line) { return line.starts_with("//@"); }

struct Range {
  size_t begin, end;  // lines
};

inline llvm::ArrayRef<std::string> slice(const Lines &lines, Range range) {
  return llvm::ArrayRef(lines).slice(range.begin, range.end - range.begin);
}

// Lines that may become a function.
struct Candidate {
  Range range;             // that the call replaces
  Lines before;            // declarations that stay in front of the call
  std::string statements;  // the function's
  std::string name, comment, parameters;
  bool isLambda = false;
  bool isInKept = false;                  // inside a branch that could not be taken
  std::vector<Declaration> outside = {};  // variables of the function around that it may mention
};

// Loops over registers behind each other, with the tiles that they make and the words about them.
std::vector<Candidate> findRuns(const Lines &lines);

}  // namespace tile2cu::emit
