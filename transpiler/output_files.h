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

// Puts each text in its file: first all of them beside their files, then each in its place by a
// rename, so that nobody sees half a file. A file that already has the text is not touched. On
// failure says what is wrong with which file in `problem`.
bool writeFiles(llvm::ArrayRef<OutputFile> files, std::string &problem);

// A make rule: `targets` depend on `prerequisites`. `phony` adds an empty rule for each
// prerequisite but the first.
std::string makeRule(llvm::ArrayRef<std::string> targets, llvm::ArrayRef<std::string> prerequisites,
                     bool phony);

}  // namespace tile2cu::transpiler
