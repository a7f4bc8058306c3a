// Removes what nobody needs; a part of cse_dce and canonicalize, and a helper of other passes.
#pragma once
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Removes pure operations and loads without a live use, values that loops carry for themselves only, results of branches that
// nobody reads, and branches and loops without effect. What writes, asserts, assumes or returns stays.
void removeDeadCode(ir::Block &body);

// What the operations for which `isRoot` holds rest on, with themselves: operations, and values (of a loop or branch only those
// of its results that are needed).
struct Needed {
  llvm::DenseSet<const ir::Op *> ops;
  llvm::SetVector<const ir::Value *> values;  // the nearest to the roots first
};
Needed neededBy(ir::Block &body, llvm::function_ref<bool(const ir::Op &)> isRoot);
// Removes everything else.
void keepNeeded(ir::Block &body, llvm::function_ref<bool(const ir::Op &)> isRoot);

}  // namespace tile2cu::passes
