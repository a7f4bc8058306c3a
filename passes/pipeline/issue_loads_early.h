// Moves small loads to the start of an iteration, before it waits for its TMA loads.
//
//     for %k = ... {                                      for %k = ... {
//       %w = tensor_load %map, %k, ...                      %s = load %scales, ...
//       ...                                          ->     %w = tensor_load %map, %k, ...
//       %s = load %scales, ...                              ...
//       %x = mul %w, %s                                     %x = mul %w, %s
//
// Such a load (a scale for each column, say) takes as long as the TMA loads, but its own iteration
// issues it. Issued early, it is in flight while the iteration waits for the TMA loads and works on
// their tiles. Loads of data that the kernel may write stay where they are, and so do loads whose
// addresses depend on other loads of the iteration.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult issue_loads_early(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
