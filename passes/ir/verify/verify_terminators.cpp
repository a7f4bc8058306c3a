#include "fmt/format.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {

static llvm::SmallVector<Type, 4> typesOf(llvm::ArrayRef<std::unique_ptr<Value>> values) {
  llvm::SmallVector<Type, 4> types;
  for (auto &value : values) types.push_back(value->type);
  return types;
}

// break, continue: the loop is the first owner that is not an `if`.
static std::string checkJump(const Op &op) {
  const Op *owner = op.parentOp();
  if (!owner || owner->kind != OpKind::If) return "is in a region that is not an `if`";
  const Op *loop = owner;
  while (loop && loop->kind == OpKind::If) loop = loop->parentOp();
  if (!loop || (loop->kind != OpKind::For && loop->kind != OpKind::While))
    return "is outside of a loop";
  bool isBreak = op.kind == OpKind::Break;
  llvm::SmallVector<Type, 4> want;
  if (isBreak || loop->kind == OpKind::For)
    want = typesOf(loop->results);
  else
    want = typesOf(loop->region(0)->arguments);
  if (op.numOperands() != want.size())
    return "passes a different number of values than the loop carries";
  for (unsigned i = 0; i < want.size(); ++i)
    if (op.operand(i)->type != want[i])
      return fmt::format("value {} is not of the carried type", i);
  return "";
}

std::string checkTerminator(const Op &op) {
  const Op *owner = op.parentOp();
  switch (op.kind) {
    case OpKind::Return:
      return !owner || owner->kind == OpKind::If ? ""
                                                 : "`return` is in a region that is not an `if`";
    case OpKind::Yield:
      return owner ? "" : "a `yield` is at the end of a kernel";
    case OpKind::Condition:
      if (!owner || owner->kind != OpKind::While || op.numOperands() == 0)
        return "`condition` belongs to `while`";
      return op.operand(0)->type == Type(Scalar::Bool) ? "" : "the condition is not a scalar bool";
    case OpKind::Break:
    case OpKind::Continue:
      return checkJump(op);
    default:
      T2C_UNREACHABLE("the terminator has no rule");
  }
}

}  // namespace tile2cu::ir
