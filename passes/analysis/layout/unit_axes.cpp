#include "passes/analysis/layout/unit_axes.h"

#include "fmt/format.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::passes {
using namespace ir;

std::string axisKey(const Layout &layout, unsigned axis) {
  const auto use = layout.axisUse(axis);
  if (!use) return "unused " + std::to_string(layout.registerAxes()[axis]);
  std::string key = layout.dim(use->dim).size.str() + ":";
  for (const Digit &digit : layout.dim(use->dim).digits)
    key += fmt::format("{}/{}*{} ", int(digit.unit), digit.stride.str(), digit.extent);
  return key + "#" + std::to_string(use->digit);
}

bool UnitAxes::contain(const Layout &layout, unsigned axis) const {
  if (keys_.empty() || !keys_.contains(axisKey(layout, axis))) return false;
  T2C_ASSERT(layout.registerAxes()[axis] == 1);
  return true;
}

std::string fullRowKey(const Dim &threads, bool haveVectors) {
  return (haveVectors ? "full row of vectors " : "full row ") + threads.str();
}

bool UnitAxes::containFullRow(const Dim &threads, bool haveVectors) const {
  return keys_.contains(kAllFullRows) || keys_.contains(fullRowKey(threads, haveVectors));
}

std::optional<VectorAxis> UnitAxes::vectorAxis(const Layout &layout) const {
  const auto vector = passes::vectorAxis(layout);
  return vector && !contain(layout, vector->axis) ? vector : std::nullopt;
}

}  // namespace tile2cu::passes
