// Register axes of extent 1 that a kernel has no loop and no array for.
//
// A scalar variant has vectors of one element where the other variant has vectors of VEC. If both
// are instances of one template, the axis stays in both; in a kernel of its own it is dropped. Axes
// with the same digits are dropped together, in whatever layout they are.
//
// Rows that take all threads of a block are such an axis, too: the threads hold one row at a time.
// A kernel that shares its template with one of shorter rows divides the thread's index (row = i *
// ROWS_PER_STEP + threadIdx.x / BLOCK_K); in another one, the thread's index is the column.
#pragma once
#include <set>
#include <string>

#include "passes/analysis/layout/vector_axis.h"

namespace tile2cu::passes {

// Names the digits of the dimension that a register axis counts, and which of them it is. Axes of
// several layouts with the same key have the same name in the text.
std::string axisKey(const ir::Layout &layout, unsigned axis);

// The key of rows of so many threads, with vectors or without, and that of all rows.
std::string fullRowKey(const ir::Dim &threads, bool haveVectors);
inline constexpr char kAllFullRows[] = "full rows";

class UnitAxes {
 public:
  UnitAxes() = default;
  explicit UnitAxes(std::set<std::string> keys) : keys_(std::move(keys)) {}

  bool contain(const ir::Layout &layout, unsigned axis) const;
  bool containFullRow(const ir::Dim &threads, bool haveVectors) const;
  // The vector axis of a layout, unless it is dropped.
  std::optional<VectorAxis> vectorAxis(const ir::Layout &layout) const;

 private:
  std::set<std::string> keys_;
};

}  // namespace tile2cu::passes
