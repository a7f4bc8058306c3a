// Finds dot operands that TMA can load into shared memory. Applies to Hopper (sm_90a), in the
// variant of a kernel that the launcher takes for aligned arguments.
//
//   %x = load %pointers, %mask   ==>   %x_map = tensor_map %x, %K, %M, %stride
//                                      %x = tensor_load %x_map, %k, %row
//
// The tensor maps stand at the head of the kernel.
//
// The tile has to be a box of a strided array (strided_box.h): a load from a descriptor, or
// pointers with a bound for each dimension. Either all loads that feed the dots of a kernel are
// promoted, or none, because the producer warp must not wait for the other warps. Their
// coordinates, and the loops and branches around them, must therefore not depend on tiles or on
// memory that the kernel writes.
//
// Stores of such boxes become tensor_store if the kernel does not access the memory that they write
// in any other way.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult promote_to_tma(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
