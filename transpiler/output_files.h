// Writes the results of a run: all of them, or none.
#pragma once
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::transpiler {

struct OutputFile {
  std::string path;  // "-" is standard output
  std::string text;
};

// Writes each text to its file. All texts are first written to temporary files next to their
// destinations and then renamed, so that no reader sees an incomplete file. A file that already has
// the text is not touched. On failure, `problem` gets the reason and the file.
bool writeFiles(llvm::ArrayRef<OutputFile> files, std::string &problem);

// A make rule: `targets` depend on `prerequisites`. `phony` adds an empty rule for each
// prerequisite but the first.
std::string makeRule(llvm::ArrayRef<std::string> targets, llvm::ArrayRef<std::string> prerequisites,
                     bool phony);

}  // namespace tile2cu::transpiler
