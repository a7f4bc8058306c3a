// The threads along the rows of a tile: which digits are one part of a thread's index, how many
// threads hold a row, and the rows that take all threads.
#pragma once
#include <optional>
#include <vector>

#include "passes/ir/layout.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Digits of one dimension that are one part of the thread's index: thread / below % extent.
struct ThreadRun {
  ir::Dim below = 1;
  int64_t extent = 1;
  unsigned digits = 1;
};
// The run that begins with digit `k`; none if that is a register.
std::optional<ThreadRun> threadRun(llvm::ArrayRef<ir::Digit> digits, unsigned k);

// How many threads a row has if each has one vector of it, with the formula of that number. Without
// a formula else.
ir::Dim threadsOfVectors(const ir::LayoutDim &row);

// Whether each thread has a vector along the dimension.
bool hasVectors(const ir::Layout &layout, unsigned dim);

// A tile of two dimensions whose rows take all threads of the program, one row at a time.
struct FullRow {
  ir::Dim threads;     // of a row, with their formula
  ir::LayoutDim rows;  // the dimension that counts the rows
  bool haveVectors;
};
// Those of the kernel's tiles. A single warp has none: its rows are written with the lane alone.
std::vector<FullRow> fullRows(const ir::Kernel &kernel);

}  // namespace tile2cu::passes
