// What is known of the values of index tiles: their range, and how they move from one iteration of a loop to the next.
#pragma once
#include <optional>

#include "passes/ir/op.h"

namespace tile2cu::passes {

struct Range {
  int64_t low, high;
};

// The values an index tile can take, if its operations and constants alone tell.
std::optional<Range> rangeOf(const ir::Value *value, int depth = 0);

// Whether the addresses of this tile of pointers in two different iterations of `loop` are always different: it moves by
// a constant step, at least as far as the tile reaches.
bool disjointIterations(const ir::Value *pointer, const ir::Op *loop);

}  // namespace tile2cu::passes
