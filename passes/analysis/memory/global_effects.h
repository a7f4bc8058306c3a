// How operations access global memory through pointers. Tensor copies are not among them: they have
// a tensor map.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

struct GlobalEffect {
  ir::Value *pointer = nullptr;  // or a tile of pointers
  bool reads = false, writes = false;
  // Whether the addresses are those of the pointer's elements. If not, they are any addresses of
  // the arrays that these point into.
  bool isOfElements = true;
};

// One for each pointer that the operation accesses memory through, not those in its regions.
llvm::SmallVector<GlobalEffect, 2> globalEffects(const ir::Op *op);

bool accessesGlobal(const ir::Op *op);
bool writesGlobal(const ir::Op *op);

// Whether the operation is ordered with all accesses of the program, whatever their addresses. Then
// it is not in one loop nest with any of them: a barrier separates them.
bool isOrderedWithAll(const ir::Op *op);

}  // namespace tile2cu::passes
