// The innermost register axis of a layout, if neighbouring registers hold neighbouring elements:
// `v` in x[i][v].
#pragma once
#include <optional>

#include "passes/ir/layout.h"

namespace tile2cu::passes {

struct VectorAxis {
  unsigned axis;  // the register axis
  unsigned dim;   // the dimension along which it counts
  int64_t extent;
};
std::optional<VectorAxis> vectorAxis(const ir::Layout &layout);

}  // namespace tile2cu::passes
