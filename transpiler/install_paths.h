// Where the files that belong to the program are.
#pragma once
#include <string>

namespace tile2cu::transpiler {

// The folder that holds tile2cu/tile.h: ../include beside an installed program, the source tree's
// otherwise.
std::string runtimeIncludeDir();

// That header, precompiled: ../lib/tile2cu/tile.h.pch beside the program. It may be missing.
std::string precompiledHeader();

}  // namespace tile2cu::transpiler
