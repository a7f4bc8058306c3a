// Expressions of scalars, and of the threads of a program.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// The expression of a scalar that has been written, or of a constant.
Expr scalar(LoweringContext &ctx, const ir::Value *value);
// Remembers the expression of a scalar. Declares a variable where a name helps, or `mustName`.
void bindScalar(LoweringContext &ctx, const ir::Op *op, const ir::Value *value, Expr e,
                bool mustName = false);
// Whether an expression reads so much that a name for it helps the reader.
bool isLong(const Expr &e);
// The source of a cast that the usual arithmetic conversions make anyway: row * stride with an
// int64_t row.
const ir::Value *implicitSource(const ir::Op *op, unsigned operand);
// A sum or product of integers in which an operand is 0, because a thread has no part of a
// coordinate. It has the type of the operation. None: no operand is 0.
Expr withoutZero(const ir::Op *op, llvm::ArrayRef<Expr> operands);

// tile2cu::device_assert(!(i < n) || x < 2.0f, "scale.tile.cpp:8: small");
// Of --checks: tile2cu::check_value(n <= 8, "scale.tile.cpp:9: ...", n);
void writeAssert(LoweringContext &ctx, const ir::DeviceAssertOp &assertion, const Expr &condition,
                 const Expr &mask, const Expr &value = Expr{});
// printf("pid (%d, 0, 0) idx (%d) x: %g\n", int(blockIdx.x), index, x[i])
Expr printCall(LoweringContext &ctx, const ir::DevicePrintOp &print, const Expr &value,
               llvm::ArrayRef<Expr> indices);
// Whether this is the thread that does what a program does once.
Expr loneThread(LoweringContext &ctx);
// The barrier of the threads of a program: next to a producer, of those that compute.
Stmt barrierCall(const LoweringContext &ctx, llvm::StringRef note);

// ---- functors of reductions, scans and maps with a region (lower_functor.cpp)

// Writes those of the kernel, each in a context of its own, into `info.functors`.
void lowerFunctors(KernelInfo &info);
// SoftmaxCombine
Expr functorType(const LoweringContext &ctx, const ir::Op *op);
// SoftmaxCombine{}, with captured scalars between the braces.
Expr functorOf(LoweringContext &ctx, const ir::Op *op);
// The value of a map of these elements.
Expr mapped(LoweringContext &ctx, const ir::Op *map, llvm::ArrayRef<Expr> elements);

}  // namespace tile2cu::emit
