// The rules of canonicalize, by family.
#pragma once
#include "passes/analysis/integer/constant_fold.h"

namespace tile2cu::passes {

// A value that can replace the result; if it is new, it is created before `op`. Null if there is
// none.
ir::Value *simplifyArithmetic(ir::Op &op);
ir::Value *simplifyShape(ir::Op &op);
ir::Value *simplifyDots(ir::Op &op);
ir::Value *simplifyViews(ir::Op &op);

enum class Outcome : uint8_t { Same, Changed, Erased };
Outcome simplifyMemory(ir::Op &op);
Outcome simplifyStoredViews(ir::Op &op);
Outcome simplifySplit(ir::Op &op);
Outcome simplifySort(ir::Op &op);
// May also erase the operations after `op`.
Outcome simplifyControl(ir::Op &op);

// A constant of this type: a scalar, or a splat of one.
ir::Value *constantLike(ir::Builder &builder, const ir::Type &type, const Const &constant);
inline ir::Value *boolLike(ir::Builder &builder, const ir::Type &type, bool value) {
  return constantLike(builder, type, Const::ofBool(value));
}
std::optional<bool> constantBool(const ir::Value *value);

}  // namespace tile2cu::passes
