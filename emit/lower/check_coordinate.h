// That the text of an index says what the layout says: a wrong one is an error of the compiler, not
// a wrong kernel.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// The name that an index has for a register axis in `checkCoordinate`.
Symbol checkedRegister(unsigned axis);

// Compares `text`, an index along `dim` whose register axes have these names, with the layout's
// own coordinates, for several threads and registers.
void checkCoordinate(const LoweringContext &ctx, const ir::Layout &layout, unsigned dim,
                     const Expr &text);

}  // namespace tile2cu::emit
