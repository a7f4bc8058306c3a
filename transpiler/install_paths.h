// Where the files that belong to the program are.
#pragma once
#include <string>

namespace tile2cu::transpiler {

// The folder that holds tile2cu/tile.h: ../include beside an installed program, the source tree's
// otherwise.
std::string runtimeIncludeDir();

}  // namespace tile2cu::transpiler
