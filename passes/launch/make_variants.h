// Finds what a launcher has to check so that accesses become wide, and makes the variant for when the check fails.
//
// The kernel is analysed as if every pointer were 16-byte aligned and every integer divisible by 16; facts without which no
// access gets narrower are dropped again. What is left becomes Kernel::facts; a copy without facts becomes
// Kernel::scalarVariant. A kernel whose accesses gain nothing keeps one variant.
//
// Where the targets are Hopper (sm_90a) and others, a kernel with products gets a third, Kernel::hopperVariant, with the same facts:
// from here on it is written for Hopper alone, and the other two for the other targets. drop_unused_variants takes those away
// again that came to nothing.
//
// An integer that only bounds a mask (`offsets < n`) is not asked about where a prefix mask does (whole vectors inside,
// single elements on the edge); where row strides must be divisible anyway, it is, and the mask is one per vector.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult make_variants(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
