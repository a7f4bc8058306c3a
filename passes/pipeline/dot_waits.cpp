#include "passes/pipeline/dot_waits.h"

namespace tile2cu::passes {
using namespace ir;

bool onlyAddsToCarried(const Op *dot, const Block &body) {
  const Value *acc = dot->operand(0), *sum = dot->result();
  const Op *end = body.terminator();
  return acc && acc->isArgument() && acc->owner == &body && acc->index > 0 &&
         acc->users.size() == 1 && sum->users.size() == 1 && end && end->kind == OpKind::Yield &&
         end->operand(acc->index - 1) == sum;
}

bool isStoredIn(Block &block, int64_t buffer) {
  bool found = false;
  walk(block, [&](Op *op) {
    found |= op->has(Attr::buffer) && op->getInt(Attr::buffer) == buffer &&
             op->kind != OpKind::SharedLoad;
  });
  return found;
}

Op *waitFor(Builder &b, llvm::ArrayRef<Value *> sums) {
  Op *wait = b.create(OpKind::DotWait, {}, {});
  for (Value *each : sums) each->replaceAllUsesWith(wait->addResult(each->type, each->name));
  wait->setOperands(sums);
  return wait;
}

}  // namespace tile2cu::passes
