// Transfer functions of AxisInfo (axis_info.h): from the operands of an operation to its result.
//
// All rules follow from one question, `divisibilityAt`: what divides the elements at multiples of
// `position`? At the start of a run it is the run's divisibility. Inside a run that counts up by
// one, it is what also divides the distance from the start. Triton's clamps express the same:
//
//    arange(0, 1024)            runs of 1024, first elements divisible by 2^20
//    + x, runs of 8 equal       runs of 8, which start inside the long run at 8, 16, 24, ...:
//                               divisible by 8, not 2^20
#pragma once
#include "passes/analysis/integer/axis_info.h"
#include "passes/analysis/integer/integers.h"

namespace tile2cu::passes {

// The largest power of two that divides `value`, at most kMaxDivisibility.
int64_t powerOfTwoIn(int64_t value);
// The increment of a contiguous run: 1, or for pointers the size of an element.
int64_t unitOf(const ir::Type &type);
int64_t divisibilityAt(const AxisInfo &info, unsigned dim, int64_t position, int64_t unit);
// A number that divides every element.
int64_t divisibilityOfAll(const AxisInfo &info);

// No information.
AxisInfo unknownInfo(const ir::Type &type);
AxisInfo constantInfo(const ir::Type &type, int64_t value);
// The information that holds for both.
AxisInfo joinInfo(const AxisInfo &a, const AxisInfo &b, int64_t unit);

// The information about the operands of an operation.
using OperandInfos = llvm::ArrayRef<const AxisInfo *>;

// C++ division rounds negative numbers toward zero, so the rule needs signs, from `integers`.
AxisInfo elementwiseInfo(const ir::Op &op, OperandInfos operands, const Integers &integers);
// The information about the results of an operation that moves elements: arange, splat, views,
// join, split, cat, flip, slice.
AxisInfo shapeInfo(const ir::Op &op, OperandInfos operands);

}  // namespace tile2cu::passes
