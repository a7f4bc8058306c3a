// Helpers of the parts of reductions and of scans.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// argmax and argmin combine a value and an index.
bool isIndexed(const ir::Op *op);
// "value" or "index": where result `i` of a reduction or scan stands in the combined value.
std::string memberName(const ir::Op *op, unsigned i);
// Whether several threads have partial results of a reduction.
inline bool combinesThreads(const ir::Op *reduceAcross) {
  return reduceAcross->operand(0)->type.shape()[reduceAcross->getInt(ir::Attr::axis)] > 1;
}
Expr combiner(LoweringContext &ctx, ir::Op *op);  // the functor of a reduction or scan
Expr valueTypeOf(const LoweringContext &ctx, const ir::Op *op);  // the type it combines
// The type of the keys of a sort: tile2cu::sort_key<float>, indexed_key with indices.
Expr sortKeyOf(const ir::Op *op);
// Of reduce_thread: declared and set to the identity, before the loops.
void startPartial(LoweringContext &ctx, ir::Op *op);

}  // namespace tile2cu::emit
