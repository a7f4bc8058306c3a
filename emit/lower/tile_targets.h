// Which variable or array a tile is written into, where that is one from before.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

struct LoopNest;

// The carried value that `outer`, a result of the loop nest or branch `op`, may be written over:
// the loop's next value of it, read by nobody later. A break or continue that hands on the old
// value is such a reader. `nest`: how `op` is written, if it is a loop nest.
ir::Value *carriedTarget(LoweringContext &ctx, const LoopNest *nest, ir::Op *op, ir::Value *outer,
                         std::vector<ir::Op *> &readers);
// The variable of a branch's result that `outer`, a result of the loop nest or dot, becomes at the
// end of its side: nobody reads it before.
const Storage *branchVariable(const LoweringContext &ctx, const ir::Op *op, const ir::Value *outer);

}  // namespace tile2cu::emit
