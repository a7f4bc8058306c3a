#include "passes/rewrite/loop_surgery.h"

#include "passes/analysis/value/loop_info.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

template <class List>
void eraseIndexed(List &list, unsigned i) {
  T2C_ASSERT(list[i]->unused());
  list.erase(list.begin() + i);
  for (unsigned k = i; k < list.size(); ++k) list[k]->index = k;
}

void eraseHandedOn(Block &region, OpKind kind, unsigned i) {
  if (region.back() && region.back()->kind == kind) region.back()->eraseOperand(i);
}

}  // namespace

OneStepLater carryOneStep(Op *loop, Value *first, Value *value, const std::string &name) {
  Block &body = *loop->region();
  loop->addOperand(first);
  body.terminator()->addOperand(value);
  return {body.addArgument(value->type, name), loop->addResult(value->type, name)};
}

void eraseCarried(Op *loop, unsigned i) {
  eraseHandedOn(*loop->region(), OpKind::Yield, i);
  for (Op *exit : exitsOf(loop, true, true)) exit->eraseOperand(i);
  loop->eraseOperand(ForOp::kFirstInit + i);
  eraseIndexed(loop->region()->arguments, 1 + i);
  eraseIndexed(loop->results, i);
}

void eraseBranchResult(Op *branch, unsigned i) {
  for (auto &region : branch->regions) eraseHandedOn(*region, OpKind::Yield, i);
  eraseIndexed(branch->results, i);
}

void erasePassed(Op *loop, unsigned i) {
  eraseHandedOn(*loop->region(0), OpKind::Condition, 1 + i);
  for (Op *exit : exitsOf(loop, true, false)) exit->eraseOperand(i);
  eraseIndexed(loop->region(1)->arguments, i);
  eraseIndexed(loop->results, i);
}

void eraseHeadArgument(Op *loop, unsigned i) {
  eraseHandedOn(*loop->region(1), OpKind::Yield, i);
  for (Op *exit : exitsOf(loop, false, true)) exit->eraseOperand(i);
  loop->eraseOperand(i);
  eraseIndexed(loop->region(0)->arguments, i);
}

llvm::SmallVector<Value *, 4> inlineRegion(Block &region, Op *point,
                                           llvm::ArrayRef<Value *> arguments) {
  for (unsigned i = 0; i < arguments.size(); ++i)
    region.argument(i)->replaceAllUsesWith(arguments[i]);
  llvm::SmallVector<Value *, 4> handed;
  if (region.back() && region.back()->kind == OpKind::Yield) {
    handed.assign(region.back()->operands().begin(), region.back()->operands().end());
    region.back()->erase();
  }
  while (Op *op = region.front()) op->moveBefore(point);
  return handed;
}

}  // namespace tile2cu::passes
