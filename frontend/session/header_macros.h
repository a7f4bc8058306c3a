// Macros of the user that replace names in the headers of tile2cu.
#pragma once
#include <memory>
#include <string>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"

namespace tile2cu::frontend {

// Reports a macro of the command line or the source, as -DN=4, where a header in `runtimeInclude`
// uses its name for something else. It is a fatal error: of what Clang would say about the header,
// nothing helps.
std::unique_ptr<clang::PPCallbacks> headerMacros(clang::CompilerInstance &compiler,
                                                 std::string runtimeInclude);

}  // namespace tile2cu::frontend
