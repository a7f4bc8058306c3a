// Finds operands of matrix products that bulk copies (TMA) can bring to shared memory: for Hopper (sm_90a), in the variant of a
// kernel that the launcher takes for aligned arguments.
//
//   %x = load %pointers, %mask      ==>     %x_map = tensor_map %x, %K, %M, %stride      at the head of the kernel
//                                           %x = tensor_load %x_map, %k, %row
//
// The tile has to be a box of a strided array (strided_box.h): a descriptor's load, or pointers with a bound for each dimension. All
// loads that feed products of a kernel are promoted, or none: the warp that starts the copies shall not wait for the others. So where they
// begin, and the loops and branches around them, must not depend on tiles or on memory that the kernel writes.
//
// Stores that are such boxes become tensor_store, if the kernel touches what they write in no other way.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult promote_to_tma(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
