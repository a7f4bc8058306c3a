#include "passes/analysis/layout/vector_axis.h"

#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;

std::optional<VectorAxis> vectorAxis(const Layout &layout) {
  if (layout.registerAxes().empty()) return std::nullopt;
  unsigned axis = layout.registerAxes().size() - 1;
  auto use = layout.axisUse(axis);
  int64_t extent = layout.registerAxes()[axis];
  // The number of elements of a vector is a power of two. The widest access has kMostAccessBytes
  // one-byte elements; a tile that interleaves two such rows has twice as many.
  const int64_t most = layout.rank() > 1 ? 2 * kMostAccessBytes : kMostAccessBytes;
  if (!use || use->digit != 0 || (extent & (extent - 1)) != 0 || extent > most) return std::nullopt;
  return VectorAxis{axis, use->dim, layout.registerAxes()[axis]};
}

}  // namespace tile2cu::passes
