// Conversions that are implicit in C++ and explicit in the IR: element types and shapes.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// `value` as `type`: converts the elements, splats scalars, and broadcasts dimensions of 1 as NumPy
// does.
ir::Value *convert(Lowering &lowering, ir::Value *value, const ir::Type &type);
// A pointer keeps its constness: after `const float* p = out`, p is another name of out. Where two
// values are merged (in the arms of an `if`, or on the paths through a loop) they need one type.
ir::Value *convertExactly(Lowering &lowering, ir::Value *value, const ir::Type &type);
ir::Value *convertElement(Lowering &lowering, ir::Value *value, ir::Scalar to);
// Only the shape.
ir::Value *stretch(Lowering &lowering, ir::Value *value, llvm::ArrayRef<ir::Dim> shape);
// value != 0, element by element; bool stays.
ir::Value *toBool(Lowering &lowering, ir::Value *value);

// The type in which an operator computes on two elements. A double scalar next to a tile of floats
// is weak.
ir::Scalar meetingType(const ir::Type &a, const ir::Type &b);

// An element-wise operation on operands of one type; constants are folded.
ir::Value *arithmetic(Lowering &lowering, ir::OpKind kind, ir::Value *lhs, ir::Value *rhs);
ir::Value *arithmetic(Lowering &lowering, ir::OpKind kind, ir::Value *source);

// pointer + offset, or pointer - offset; the offset is an integer of any type or a bool, and takes
// the shape of the pointer.
ir::Value *offsetPointer(Lowering &lowering, ir::Value *pointer, ir::Value *offset,
                         bool negative = false);

// nullptr, for a tile in all its elements.
ir::Value *nullPointer(Lowering &lowering, const ir::Type &type);
bool isNullPointer(const ir::Value *value);

// Whether the pointer points to pointers.
bool holdsPointers(const ir::Type &pointer);
// The loaded value; if it is an address, the pointer that it is.
ir::Value *asPointer(Lowering &lowering, ir::Value *loaded);

// The value of a scalar constant of type bool or integer (not of a splat).
std::optional<int64_t> scalarConstant(const ir::Value *value);

}  // namespace tile2cu::frontend
