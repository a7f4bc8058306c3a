// The tiles of a kernel, with the threads that hold their elements, and its accesses to global
// memory. Taken from the IR whose tiles have layouts; its operations are gone when the page is
// written, so that everything is copied here.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "passes/ir/layout.h"
#include "passes/ir/module.h"

namespace tile2cu::page {

struct Tile {
  std::string name;     // the user's, or that of the operation
  std::string element;  // f32
  unsigned bytes;       // of an element
  ir::Location loc;
  ir::LayoutRef layout;
};

// The distance in memory of neighbours along a dimension, in elements: a product of scalars of the
// program and an integer.
struct Stride {
  int64_t factor = 0;
  std::vector<std::string> names;
};

struct Access {
  std::string op;    // load, store, atomic, async_copy
  std::string name;  // of the tile that is loaded or stored
  unsigned bytes;    // of an element
  int64_t vector;    // elements that one instruction moves
  ir::Location loc;
  ir::LayoutRef layout;
  std::optional<std::vector<Stride>> strides;  // nothing: the addresses are no such sum
};

struct PlacedKernel {
  const ir::Kernel *kernel;
  std::vector<Tile> tiles;
  std::vector<Access> accesses;
};

// `module` is of level Placed.
std::vector<PlacedKernel> placedKernels(const ir::Module &module);

// The rule of which this is the layout: blockedLayout(*ruleOf(layout)) has the same digits. Nothing
// if there is none, as for the accumulators of tensor cores.
std::optional<ir::BlockedSpec> ruleOf(const ir::Layout &layout);

}  // namespace tile2cu::page
