#include "passes/simplify/substitute_constants.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// Whether a cast keeps every integer of its source.
bool keepsIntegers(const Op *op) {
  if (!op || op->kind != OpKind::Cast || op->result()->type.isTile()) return false;
  const Scalar from = op->operand(0)->type.scalar(), to = op->result()->type.scalar();
  if (!isInteger(from) || !isInteger(to)) return false;
  if (isSigned(from) && !isSigned(to)) return false;
  return bitWidth(to) > bitWidth(from) || from == to;
}

std::optional<Dim> constantBehindCasts(const Value *value) {
  while (keepsIntegers(value->definition)) value = value->definition->operand(0);
  return constantDim(value);
}

struct State {
  Kernel &kernel;
  Op *promise;
  bool isForAll;  // whether it holds in the whole kernel

  bool isReached(const Op *user) const {
    if (isForAll) return true;
    const Op *at = ancestorIn(*promise->parent, user);
    return at && isBefore(promise, at);
  }

  // Puts the constant in the place of `value`, except in `kept`.
  void substitute(Value *value, const Dim &constant, const Op *kept) {
    const Scalar type = value->type.scalar();
    if (isSigned(type) ? !llvm::isIntN(bitWidth(type), constant)
                       : constant < 0 || !llvm::isUIntN(bitWidth(type), constant))
      return;  // the promise cannot hold
    Value *made = nullptr;
    for (Op *user : std::vector<Op *>(value->users)) {
      if (user == kept || !isReached(user)) continue;
      if (!made) made = Builder::before(kernel.body.front()).constant(type, constant);
      for (unsigned i = 0; i < user->numOperands(); ++i)
        if (user->operand(i) == value) user->setOperand(i, made);
    }
  }

  void use(Value *condition) {
    Op *op = condition->definition;
    if (!op || op->numOperands() != 2 || op->operand(0)->type.isTile()) return;
    if (op->kind == OpKind::And && condition->type.scalar() == Scalar::Bool) {
      use(op->operand(0));
      use(op->operand(1));
      return;
    }
    if (op->kind != OpKind::Eq || !isInteger(op->operand(0)->type.scalar())) return;
    for (unsigned i : {0u, 1u}) {
      const auto constant = constantBehindCasts(op->operand(1 - i));
      if (!constant || constantBehindCasts(op->operand(i))) continue;
      const Op *kept = op;
      for (Value *value = op->operand(i);; value = kept->operand(0)) {
        substitute(value, *constant, kept);
        kept = value->definition;
        if (!keepsIntegers(kept)) break;
      }
    }
  }
};

}  // namespace

llvm::LogicalResult substitute_constants(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    std::vector<Op *> promises;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Require || op->kind == OpKind::Assume) promises.push_back(op);
    });
    for (Op *op : promises) {
      const bool isForAll = !op->parentOp() && (op->kind == OpKind::Require || isAlwaysReached(op));
      State{kernel, op, isForAll}.use(op->operand(0));
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
