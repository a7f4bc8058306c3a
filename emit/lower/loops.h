// The heads of loops, and what is known of values after loops and branches.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// ---- the head of a `for` (lower_for.cpp)

// How a `for` begins, and its variable's value where the text counts something else.
struct LoopHead {
  For loop;
  Expr index;
};
struct Range {
  Expr begin, end, step;
};

// Whether the text has to count something that cannot wrap around.
bool isCounted(const ir::ForOp &loop);
LoopHead usualHead(LoweringContext &ctx, const ir::ForOp &loop, const Symbol &var,
                   const Range &range);
LoopHead countedHead(LoweringContext &ctx, const ir::ForOp &loop, const Symbol &var,
                     const Range &range);
// The bound as a number that is computed once, under this name.
Expr namedBound(LoweringContext &ctx, const ir::Value *value, const std::string &name);

// ---- carried values (lower_control.cpp)

// Assigns the next values to all variables at once: a value that reads another of the variables is
// saved first.
void assignCarried(LoweringContext &ctx, llvm::ArrayRef<Storage> targets,
                   llvm::ArrayRef<ir::Value *> values);
// Assigns the values that are read after a loop where the loop is left. Null: the variable has the
// value already.
void assignAtExit(LoweringContext &ctx, const LoopVariables &loop,
                  llvm::ArrayRef<ir::Value *> values);
// Assigns the results of a branch at the end of one of its sides.
void assignResults(LoweringContext &ctx, llvm::ArrayRef<Storage> results, const ir::Op &yield);

// ---- changes (loops.cpp)

// The sides of a branch, one of which runs. After the branch all changes that they return count.
struct Sides {
  Names::Place start = 0;
  std::vector<unsigned> changed = {};
};
void endSide(LoweringContext &ctx, Sides &sides, const ir::Block &side);
void endSides(LoweringContext &ctx, const Sides &sides);
// In the body of a loop, its variables have the values of an unknown iteration.
void startLoop(LoweringContext &ctx, LoopVariables &variables);
// The body may change no other variable from before the loop, because the text of the body runs
// again.
void endLoop(LoweringContext &ctx, const LoopVariables &variables);

}  // namespace tile2cu::emit
