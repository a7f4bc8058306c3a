// Register axes of extent 1 that a kernel has no loop and no array for.
//
// A scalar variant has vectors of one element where the other variant has vectors of VEC. If both
// are instances of one template, the axis stays in both; in a kernel of its own it is dropped. Axes
// with the same digits are dropped together, in whatever layout they are.
#pragma once
#include <set>
#include <string>

#include "passes/analysis/layout/vector_axis.h"

namespace tile2cu::passes {

// Names the digits of the dimension that a register axis counts, and which of them it is. Axes of
// several layouts with the same key have the same name in the text.
std::string axisKey(const ir::Layout &layout, unsigned axis);

class UnitAxes {
 public:
  UnitAxes() = default;
  explicit UnitAxes(std::set<std::string> keys) : keys_(std::move(keys)) {}

  bool contain(const ir::Layout &layout, unsigned axis) const;
  // The vector axis of a layout, unless it is dropped.
  std::optional<VectorAxis> vectorAxis(const ir::Layout &layout) const;

 private:
  std::set<std::string> keys_;
};

}  // namespace tile2cu::passes
