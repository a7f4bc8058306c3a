// The accumulators of MMA instructions in layouts. An accumulator is a matrix of 16 rows and 8
// columns, a fragment of which each thread holds: two neighbouring columns of two rows, 8 apart.
//
//     acc[i][j][e]     row = i * 16 + e / 2 * 8 + lane / 4, column = j * 8 + lane % 4 * 2 + e % 2
//
// This is PTX's own order. `e` stands for two register axes of the layout: the half e / 2 of the
// rows, and the column e % 2 of the pair. Elements smaller than 32 bits are packed in pairs, as the
// registers of mma hold them: acc[i][j][h][v].
#pragma once
#include "emit/cuda/builder.h"
#include "passes/analysis/layout/accumulator_dims.h"
#include "passes/ir/type.h"

namespace tile2cu::emit {

// Whether the first two digits of a dimension are the rows or the columns of one accumulator.
inline bool areOfMma(const ir::LayoutDim &dim) {
  return passes::areMmaRows(dim) || passes::areMmaColumns(dim);
}

// A register axis of accumulators. Half: two rows, 8 apart; Pair: two columns; Rows, Columns:
// the accumulators of a warp. None in other layouts.
enum class MmaAxis : uint8_t { None, Half, Pair, Rows, Columns };
MmaAxis mmaAxis(const ir::Layout &layout, unsigned axis);
inline bool isInFragment(MmaAxis axis) { return axis == MmaAxis::Half || axis == MmaAxis::Pair; }

// Whether the last two register axes are the half and the pair.
bool hasFragments(const ir::Layout &layout);
// Whether such a fragment of this type is an array of four elements.
bool hasWholeFragments(const ir::Type &type);

// The indices that an element e of a fragment has along the two axes, and the element at two such
// indices.
Expr halfOf(const Expr &element);
Expr columnOf(const Expr &element);
Expr elementAt(const Expr &half, const Expr &column);

}  // namespace tile2cu::emit
