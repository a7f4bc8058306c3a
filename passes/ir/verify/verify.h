// Checks that a module obeys the rules of its level. Run between passes: a violation is a bug of
// the pass before.
//
//   structure   definitions come before uses and are visible there, users lists are exact,
//   terminators end their blocks types       number, shapes and element types of every operation's
//   operands, results, regions and yields layouts     at the tile level none; at the placed level
//   every tile has one that fits its shape, and tiles that are
//               combined element by element have the same digits
#pragma once
#include <optional>
#include <string>

#include "llvm/Support/LogicalResult.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::ir {

enum class Level : uint8_t {
  Tile,    // no layouts
  Placed,  // every tile has a layout
  Thread,  // loops over registers, shared memory, barriers
};

// The level that the module's types and operations show: thread if any op is of that level, placed
// if any type has a layout.
Level levelOf(const Module &module);

struct Violation {
  const Op *op = nullptr;  // null for a kernel
  std::string message;
};

// The first violation. Without a level, structure and types only.
std::optional<Violation> findViolation(const Module &module, std::optional<Level> level);

// The same at the level that the module is at. `level` is the level that it was at before, and becomes that: where the two are the
// same, as after most passes, one look at each operation is enough.
std::optional<Violation> findViolationAtItsLevel(const Module &module, Level &level);

// A violation is an internal failure: the process ends with the text of the operation. (parse.h has checked structure and
// types of what users write as text.)
llvm::LogicalResult verify(const Module &module, Level level, Diagnostics &diagnostics);

}  // namespace tile2cu::ir
