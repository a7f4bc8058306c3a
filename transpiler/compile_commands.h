// -p <build dir>: the flags of a source file from compile_commands.json.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace tile2cu::transpiler {

// The flags that the build in `buildDir` gives `file`, without the compiler, the file and its
// output; relative paths are made absolute. Nothing, with `problem` set, if the database cannot be
// read or does not know the file.
std::optional<std::vector<std::string>> flagsFromBuild(llvm::StringRef buildDir,
                                                       llvm::StringRef file, std::string &problem);

}  // namespace tile2cu::transpiler
