// Macros of the command line whose names the emitted file uses for other things.
#pragma once
#include <string>

#include "emit/file_text.h"

namespace tile2cu::emit {

// `#undef` for the macros of tile2cu's command line whose names are identifiers of the file: in
// these pieces, in the device helpers that it carries (`helpers`), or in those that it includes.
// The file never uses such a macro, but nvcc may get the same command line. A macro that a
// preprocessor line of the file asks for stays. Empty if there is none.
std::string undefineMacros(const EmitOptions &options, const Pieces &pieces,
                           llvm::StringRef helpers, bool includesHelpers);

}  // namespace tile2cu::emit
