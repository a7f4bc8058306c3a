// Describes layouts for the remarks of -Rtile.
#pragma once
#include <string>

#include "passes/ir/layout.h"

namespace tile2cu::passes {

// "8 elements a thread in vectors of 4 along dimension 1, each held by 2 threads, 1000 padded to
// 1024"
std::string layoutInWords(const ir::Layout &layout);

}  // namespace tile2cu::passes
