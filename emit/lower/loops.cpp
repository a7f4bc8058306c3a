#include "emit/lower/loops.h"

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// Whether what follows the branch is not reached from this side of it.
static bool isLeft(const Block &side) {
  const Op *end = side.empty() ? nullptr : side.back();
  return end && end->is(Exit);
}

void endSide(LoweringContext &ctx, Sides &sides, const Block &side) {
  const std::vector<unsigned> changed = ctx.names.takeBack(sides.start);
  if (!isLeft(side))
    llvm::append_range(sides.changed, changed);
  else if (!ctx.loops.empty())
    llvm::append_range(ctx.loops.back().changedAtExits, changed);
}

void endSides(LoweringContext &ctx, const Sides &sides) { ctx.names.change(sides.changed); }

std::vector<Symbol> LoopVariables::symbols() const {
  std::vector<Symbol> all;
  for (const std::vector<Storage> *part : {&next, &results})
    for (const Storage &storage : *part) all.push_back(storage.name);
  return all;
}

void startLoop(LoweringContext &ctx, LoopVariables &variables) {
  for (const Symbol &symbol : variables.symbols()) ctx.names.change(symbol);
  variables.start = ctx.names.place();
  variables.outside = ctx.names.count();
}

void endLoop(LoweringContext &ctx, const LoopVariables &variables) {
  std::vector<unsigned> changed = ctx.names.changedSince(variables.start);
  llvm::append_range(changed, variables.changedAtExits);
  llvm::erase_if(changed, [&](unsigned variable) { return variable >= variables.outside; });
  T2C_ASSERT(!ctx.names.areOthers(changed, variables.symbols()));
  for (const Symbol &symbol : variables.symbols()) ctx.names.change(symbol);
}

}  // namespace tile2cu::emit
