// Conditions on the sizes of an emitted kernel, as static_asserts: the text is for no others,
// and whoever changes a size or gives other template arguments is told so.
#pragma once
#include "emit/kernel/kernel_group.h"

namespace tile2cu::emit {

// static_assert(BLOCK_M % ROWS_PER_STEP == 0 && BLOCK_M == NUM_WARPS * 16); with one assertion for
// each size on the left:
//   * Each quotient of numbers in the text and in the derivations of numbers has no remainder.
//     (BLOCK_K + 15) / 16 is no such quotient, it rounds up.
//   * The conditions of the text (KernelText::conditions).
// Those with a number that is not in `declared` are left out, and those that the derivations imply.
// Each holds in all kernels of the group.
Stmts assertSizes(const KernelGroup &group, const SymbolSet &declared);

}  // namespace tile2cu::emit
