// The operations that indices are computed from: a wrong result there is an access to other memory.
#pragma once
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::passes {

enum class IndexUse {
  Addresses,  // of accesses to global memory; divisors, which only make them smaller, are left out
  All,        // also their masks, and the indices of gather, scatter, extract and insert
};

// The operations on integers and pointers that these are computed from, also through loops and
// branches, in the order of the program. Those in functions of elements are left out.
std::vector<ir::Op *> indexArithmetic(ir::Kernel &kernel, IndexUse use);

// Whether the operation is inside of a function of elements (of map, reduce or scan).
bool isInFunctor(const ir::Op *op);

// The first of the operands that say where a part starts; 0 if the operation has no part.
unsigned firstStart(const ir::Op *op);

}  // namespace tile2cu::passes
