// The numbers that a value, or any element of a tile, can be, as far as constants in the kernel tell.
#pragma once
#include <optional>

#include "passes/ir/op.h"

namespace tile2cu::passes {

struct Range {
  int64_t low, high;  // both included
};

// Of integers and bools; nullopt if nothing is known. arange(0, 64) % 16: [0, 15].
std::optional<Range> rangeOf(const ir::Value *value);

// Whether no step of a `for` makes its variable smaller (greater), or takes it around the end of its type: in the body it is never
// less (greater) than where it began. `isUp` (`isDown`): what the caller knows of the step, that it is not negative (positive).
bool neverFalls(const ir::Op *loop, bool isUp = false);
bool neverRises(const ir::Op *loop, bool isDown = false);

// Whether lhs - rhs of two signed integers of one type fits that type, as far as their ranges tell.
bool differenceFits(const ir::Value *lhs, const ir::Value *rhs);

// Whether the sum of variable and step is a number of its type in each step of a `for` that counts towards its bound.
bool staysInType(const ir::Op *loop);

// Whether the distance from where a `for` begins to its bound is a value of its variable's type, if that is signed: always, at
// least if the loop has a step, or nobody knows.
enum class Distance { Fits, FitsIfRuns, Unknown };
Distance distanceOf(const ir::Op *loop);

// The outcome of a comparison, if it is the same for all numbers in the operands' ranges.
std::optional<bool> compareRanges(ir::OpKind kind, const ir::Value *lhs, const ir::Value *rhs);

}  // namespace tile2cu::passes
