#include "passes/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// What masked-off elements are.
Value *other(Op &load) {
  if (Value *given = load.operand(2)) return given;
  Builder builder = Builder::before(&load);
  const Type &type = load.result()->type;
  return constantLike(builder, type, Const{type.scalar(), 0, 0});
}

Outcome replace(Op &op, Value *value) {
  op.result()->replaceAllUsesWith(value);
  op.erase();
  return Outcome::Erased;
}

// Where the mask stands among the operands.
std::optional<unsigned> maskIndex(OpKind kind) {
  switch (kind) {
    case OpKind::Load:
    case OpKind::DeviceAssert:
      return 1;
    case OpKind::Store:
    case OpKind::AtomicAdd:
      return 2;
    default:
      return std::nullopt;
  }
}

bool isZero(const Const &constant) {
  return constant.same({constant.type, 0, 0});  // -0.0 is another number
}

}  // namespace

Outcome simplifyMemory(Op &op) {
  bool isPromise =
      op.kind == OpKind::Require || op.kind == OpKind::Assume || op.kind == OpKind::DeviceAssert;
  if (isPromise && constantBool(op.operand(0)) == true) {
    op.erase();
    return Outcome::Erased;
  }
  auto index = maskIndex(op.kind);
  if (!index) return Outcome::Same;
  Value *mask = op.operand(*index);
  auto known = mask ? constantBool(mask) : true;
  if (known == false) {
    if (op.kind == OpKind::Load) return replace(op, other(op));
    if (op.numResults() > 0 && !op.result()->unused()) return Outcome::Same;
    op.erase();
    return Outcome::Erased;
  }
  if (mask && known == true) {
    op.setOperand(*index, nullptr);
    return Outcome::Changed;
  }
  // Zero is what masked-off elements are anyway; without a mask there are none.
  if (op.kind != OpKind::Load || !op.operand(2)) return Outcome::Same;
  auto rest = constantOf(op.operand(2));
  if (mask && !(rest && isZero(*rest))) return Outcome::Same;
  op.setOperand(2, nullptr);
  return Outcome::Changed;
}

}  // namespace tile2cu::passes
