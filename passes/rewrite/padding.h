// Elements that a layout holds past the end of a tile (1000 columns in 1024): how passes keep them out.
#pragma once
#include "passes/ir/builder.h"

namespace tile2cu::passes {

// A bool tile of `type`'s shape and layout that is true for elements of the tile and false for padding; null if there is none
// (along `axis` only, if it is not -1).
ir::Value *validMask(ir::Builder &b, const ir::Type &type, int axis = -1);

// The coordinate along `axis` of each element, as an i32 tile of `type`'s shape and layout.
ir::Value *coordinateTile(ir::Builder &b, const ir::Type &type, unsigned axis);

// The value that does not change the result of a reduction or scan of this kind; `operand` 1: of argmax and argmin's indices.
ir::Value *identityOf(ir::Builder &b, llvm::StringRef kind, ir::Scalar scalar,
                      unsigned operand = 0);

}  // namespace tile2cu::passes
