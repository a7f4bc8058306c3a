// The length of an expression in which each use of a value repeats it, as a launcher's text does.
#pragma once
#include <cstdint>

#include "passes/ir/op.h"

namespace tile2cu::ir {

// Above this, a launcher's expression is refused: its text would be longer than people read.
constexpr int64_t kMostWrittenOut = 4096;

// The operations of the value, and again those of each operand for each use: a = a * a doubles the
// number. At most kMostWrittenOut + 1. The time is linear in the number of different operations.
int64_t writtenOut(const Value *value);

}  // namespace tile2cu::ir
