#include "passes/cheap.h"

#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

bool isCheap(const Op *op) {
  if (op->numResults() != 1 || !op->result()->type.isTile()) return false;
  const Type &type = op->result()->type;
  bool isIndex = type.isPointer() || !isFloat(type.scalar());
  switch (op->kind) {
    case OpKind::Arange:
    case OpKind::Splat:
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Hint:
    case OpKind::AddPtr:
      return true;
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
    case OpKind::Shl:
    case OpKind::Shr:
    case OpKind::Minimum:
    case OpKind::Maximum:
    case OpKind::Not:
    case OpKind::Neg:
    case OpKind::Clamp:
    case OpKind::Select:
      return isIndex;
    case OpKind::Div:
    case OpKind::Rem:
      return isIndex && constantInt(op->operand(1));
    case OpKind::Cast: {
      const Type &source = op->operand(0)->type;
      return isIndex && !isFloat(source.scalar());
    }
    case OpKind::Lt:
    case OpKind::Le:
    case OpKind::Gt:
    case OpKind::Ge:
    case OpKind::Eq:
    case OpKind::Ne: {
      const Type &source = op->operand(0)->type;
      return source.isPointer() || !isFloat(source.scalar());
    }
    default:
      return false;
  }
}

bool isWrittenAtUse(const Op *op) {
  bool view =
      op->kind == OpKind::Permute || op->kind == OpKind::Reshape || op->kind == OpKind::Convert;
  return (view && !op->has("via")) || isCheap(op);
}

}  // namespace tile2cu::passes
