// The paths of the files that belong to the program.
#pragma once
#include <string>

namespace tile2cu::transpiler {

// The folder that holds tile2cu/tile.h: ../include relative to an installed program, otherwise that
// of the source tree.
std::string runtimeIncludeDir();

// The folder of Clang's own headers, ../lib/tile2cu/clang, in packages that have them. Empty
// otherwise: the front end knows where they were when it was built.
std::string clangResourceDir();

// The precompiled header: ../lib/tile2cu/tile.h.pch next to the program. It may be missing.
std::string precompiledHeader();

}  // namespace tile2cu::transpiler
