// Moves small loads to the start of a step, before it waits for its bulk copies.
//
//     for %k = ... {                                      for %k = ... {
//       %w = tensor_load %map, %k, ...                      %s = load %scales, ...
//       ...                                          ->     %w = tensor_load %map, %k, ...
//       %s = load %scales, ...                              ...
//       %x = mul %w, %s                                     %x = mul %w, %s
//
// Such a load (a scale of each column, say) takes as long as the copies would, but is started by its own step: so it is on its way
// while the step waits for them and works on what they brought. Loads of data that the kernel may write, and those that rest on
// other loads of the step, stay.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult issue_loads_early(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
