// How a range(lower, upper, step) is counted.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// The bounds and the step of the loop, and how the index is computed from its variable.
struct CountedRange {
  ir::Value *lower, *upper, *step;
  ir::Compare compare;          // lt, or gt with a negative step
  ir::Value *offset = nullptr;  // the index is this plus (`isFalling`: minus) the loop's variable
  bool isFalling = false;
};

// A range has ceil((upper - lower) / step) iterations, whatever the three types are. All its values
// fit the type in which the loop counts; `index` is the type of the range. A step that is not a
// constant counts up: passes/simplify/check_steps.h ensures that, and handles a step of 0.
CountedRange countRange(Lowering &lowering, ir::Value *lower, ir::Value *upper, ir::Value *step,
                        ir::Scalar index);

}  // namespace tile2cu::frontend
