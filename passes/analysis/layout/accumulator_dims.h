// The dimensions of an MMA accumulator (mma_plan.h makes its layout), recognized by their digits,
// so in slices of it as well: matrices of 16 rows and 8 columns, of which a thread holds two
// neighbours in each of two rows, 8 apart (lane / 4 * 8 ..., lane % 4 * 2 ...).
#pragma once
#include <optional>

#include "passes/ir/layout.h"

namespace tile2cu::passes {

// A dimension that a reshape made of both begins as the faster one does.
bool areMmaRows(const ir::LayoutDim &dim);
bool areMmaColumns(const ir::LayoutDim &dim);

// The digit of warps; of extent 1 where there is none. None where there are several.
std::optional<ir::Digit> onlyWarpsOf(const ir::LayoutDim &dim);
// The columns of an accumulator, alone, that several warps share; null: none.
const ir::LayoutDim *dividedColumns(const ir::Layout &layout);

}  // namespace tile2cu::passes
