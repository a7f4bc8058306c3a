// Warns of products of two `int` that addresses are made from, if one factor is computed from the
// number of the program and both grow with the problem: the product may pass the largest int, which
// C++ does not define.
//
//     int row = grid(rows);  load(x + row * stride)        warning: -Woffset
//     auto row = grid(rows);  load(x + row * stride)       row is int64_t
//
// A factor grows with the problem if it may be 2^16 or more. Sizes of tiles and constants are
// smaller.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult check_offsets(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
