// Explains why an access is narrower than 16 bytes, in terms of the source: the value that is the
// cause, and what would help.
#pragma once
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/memory/global_access.h"

namespace tile2cu::passes {

// "1 element (4 bytes) at a time"
std::string amount(int64_t elements, int64_t bytes);

struct Narrowness {
  std::string reason;
  bool needsFact = false;  // a promise about a value that the kernel loads would widen it
};
// `possible` is the widest form of the access by itself, `axis` the vector axis of its tile's
// layout, `vector` the elements per instruction that were chosen.
Narrowness whyNarrow(const ir::Op *op, const Access &possible, const VectorAxis &axis,
                     int64_t vector, const ir::Kernel &kernel, const AxisAnalysis &analysis);

}  // namespace tile2cu::passes
