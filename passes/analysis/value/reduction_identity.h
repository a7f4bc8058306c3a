// The identity of a reduction or scan.
#pragma once
#include <cstdint>

#include "passes/ir/attribute.h"
#include "passes/ir/type.h"

namespace tile2cu::passes {

struct Identity {
  int64_t integer = 0;  // of integers and bool
  double real = 0;      // of floats
};

// `operand` 1: of the indices of argmax and argmin.
Identity identityOf(ir::ReduceKind kind, ir::Scalar scalar, unsigned operand = 0);

}  // namespace tile2cu::passes
