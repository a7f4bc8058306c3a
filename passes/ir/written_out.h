// The length of an expression in which each use of a value repeats it, as a launcher's text does.
#pragma once
#include <cstdint>

#include "passes/ir/op.h"

namespace tile2cu::ir {

// Above this, a launcher's expression is refused: its text would be longer than people read.
constexpr int64_t kMostWrittenOut = 4096;

// Operations of the value and, for each operand, of that: a = a * a doubles it. At most
// kMostWrittenOut + 1. Takes time that grows with the operations that there are.
int64_t writtenOut(const Value *value);

}  // namespace tile2cu::ir
