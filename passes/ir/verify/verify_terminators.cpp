#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {

static llvm::SmallVector<Type, 4> typesOf(llvm::ArrayRef<std::unique_ptr<Value>> values) {
  llvm::SmallVector<Type, 4> types;
  for (auto &value : values) types.push_back(value->type);
  return types;
}

std::string checkTerminator(const Op &op) {
  const Op *owner = op.parentOp();
  switch (op.kind) {
    case OpKind::Return:
      return !owner || owner->kind == OpKind::If ? ""
                                                 : "`return` stands in a region that is no `if`";
    case OpKind::Yield:
      return owner ? "" : "`yield` ends a kernel";
    case OpKind::Condition:
      if (!owner || owner->kind != OpKind::While || op.numOperands() == 0)
        return "`condition` belongs to `while`";
      return op.operand(0)->type == Type(Scalar::Bool) ? "" : "the condition is not a scalar bool";
    default:
      break;
  }
  // break, continue: the loop is the first owner that is no `if`.
  if (!owner || owner->kind != OpKind::If) return "stands in a region that is no `if`";
  const Op *loop = owner;
  while (loop && loop->kind == OpKind::If) loop = loop->parentOp();
  if (!loop || (loop->kind != OpKind::For && loop->kind != OpKind::While))
    return "stands outside of a loop";
  bool isBreak = op.kind == OpKind::Break;
  llvm::SmallVector<Type, 4> want;
  if (isBreak || loop->kind == OpKind::For)
    want = typesOf(loop->results);
  else
    want = typesOf(loop->region(0)->arguments);
  if (op.numOperands() != want.size())
    return "hands over another number of values than the loop carries";
  for (unsigned i = 0; i < want.size(); ++i)
    if (op.operand(i)->type != want[i])
      return "value " + std::to_string(i) + " is not of the carried type";
  return "";
}

}  // namespace tile2cu::ir
