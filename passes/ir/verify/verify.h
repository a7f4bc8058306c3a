// Checks that a module obeys the rules of its level. Run between passes: a violation is a bug of
// the pass before.
//
//   structure   definitions come before uses and are visible there, users lists are exact,
//               terminators end their blocks
//   types       number, shapes and element types of every operation's operands, results, regions
//               and yields
//   layouts     at the tile level none; at the placed level every tile has one that fits its shape,
//               and tiles that are combined element by element have the same digits
#pragma once
#include <optional>
#include <string>

#include "passes/ir/module.h"

namespace tile2cu::ir {

struct Violation {
  const Op *op = nullptr;  // null for a kernel
  std::string message;
};

// The first violation. Without a level, structure and types only.
std::optional<Violation> findViolation(const Module &module, std::optional<Level> level);

// The first operation that uses what a dot or an asynchronous copy in flight still reads or writes
// (dots_in_flight.h, copies_in_flight.h). The kernel obeys all other rules.
std::optional<Violation> findAsyncViolation(const Kernel &kernel);

// A violation of the module's own level is an internal failure: the process ends with the text of
// the operation. (IrSource has checked what users write as text.)
void verify(const Module &module);
// The same for asynchronous work alone, which is cheap.
void verifyAsync(const Kernel &kernel);

}  // namespace tile2cu::ir
