// Texts for a terminal.
#pragma once
#include "llvm/Support/raw_ostream.h"

namespace tile2cu::transpiler {

// `text` in lines of at most `width` columns, each after the first indented to `indent`.
void printWrapped(llvm::raw_ostream &out, llvm::StringRef text, unsigned indent,
                  unsigned width = 100);

}  // namespace tile2cu::transpiler
