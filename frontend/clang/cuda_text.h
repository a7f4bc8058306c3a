// The text of cuda(...), which becomes the body of a __device__ function.
#pragma once
#include <string>

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::frontend {

// The problem of a text as the body of a function with these parameters; empty if there is none.
// The text is not parsed: its braces, strings, comments and directives have to end in it, so that
// what stands after it in the emitted file means what it says. It has to use its parameters, and to
// return if the function `returns` something.
std::string problemOf(llvm::StringRef text, llvm::ArrayRef<std::string> parameters, bool returns,
                      const clang::LangOptions &language);

// Its rows as the emitted file has them: indented by two columns, directives by none. Rows stay
// where they are if a string goes over several of them.
std::string rowsOf(llvm::StringRef text, const clang::LangOptions &language);

}  // namespace tile2cu::frontend
