// Divisions that are rounded up.
#pragma once
#include "passes/ir/op.h"

namespace tile2cu::passes {

// The operation that computes an integer scalar or tile, without conversions; null for arguments.
const ir::Op *throughCasts(const ir::Value *value);

// Whether the operation casts to an integer type that has all values of the operand's type, which
// is an integer type or bool.
bool isWidening(const ir::Op *op);

// Whether `value` is cdiv(a, b), written out as a / b + (a % b > 0).
bool isCdiv(const ir::Value *value, const ir::Value *&a, const ir::Value *&b);

}  // namespace tile2cu::passes
