// Removes dead code. cse_dce and canonicalize run it, and other passes call it.
#pragma once
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Removes pure operations and loads without a live use, values that a loop carries only for
// themselves, results of branches that nothing reads, and branches and loops without effect.
// Operations that write, assert, assume or return stay.
void removeDeadCode(ir::Block &body);

// The operations for which `isRoot` holds and everything that they depend on: operations, and
// values (of a loop or branch only the results that are needed).
struct Needed {
  llvm::DenseSet<const ir::Op *> ops;
  llvm::SetVector<const ir::Value *> values;  // the nearest to the roots first
};
Needed neededBy(ir::Block &body, llvm::function_ref<bool(const ir::Op &)> isRoot);
// Removes everything else.
void keepNeeded(ir::Block &body, llvm::function_ref<bool(const ir::Op &)> isRoot);

}  // namespace tile2cu::passes
