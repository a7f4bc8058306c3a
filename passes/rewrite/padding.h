// Masks for padding: elements that a layout holds past the end of a tile (1000 columns in 1024),
// and for parts of a tile.
#pragma once
#include "passes/ir/builder.h"

namespace tile2cu::passes {

// A bool tile of `type`'s shape and layout that is true for elements of the tile and false for
// padding (along `axis` only, if it is not -1). Null if there is no padding.
ir::Value *validMask(ir::Builder &b, const ir::Type &type, int axis = -1);

// The coordinate along `axis` of each element, as an i32 tile of `type`'s shape and layout.
ir::Value *coordinateTile(ir::Builder &b, const ir::Type &type, unsigned axis);

// Whether the coordinate along `axis` is one of the `extent` from `start`, a scalar, on.
ir::Value *isInPart(ir::Builder &b, const ir::Type &type, unsigned axis, ir::Value *start,
                    const ir::Dim &extent);

// The identity of a reduction or scan of this kind; `operand` 1: of the indices of argmax and
// argmin.
ir::Value *identityOf(ir::Builder &b, ir::ReduceKind kind, ir::Scalar scalar, unsigned operand = 0);

}  // namespace tile2cu::passes
