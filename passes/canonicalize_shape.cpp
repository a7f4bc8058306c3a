#include "llvm/ADT/STLExtras.h"
#include "passes/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

Op *definedBy(Value *value, OpKind kind) {
  return value->definition && value->definition->kind == kind ? value->definition : nullptr;
}

// op(splat a, splat b) -> splat(op(a, b)): one computation instead of one for each element.
Value *computeOnce(Op &op) {
  if (op.numResults() != 1 || !op.result()->type.isTile()) return nullptr;
  llvm::SmallVector<Value *, 3> scalars;
  for (Value *value : op.operands()) {
    if (value->type.isTile() && !definedBy(value, OpKind::Splat)) return nullptr;
    scalars.push_back(value->type.isTile() ? value->definition->operand(0) : value);
  }
  if (scalars.empty()) return nullptr;
  Builder builder = Builder::before(&op);
  const Type &type = op.result()->type;
  Op *scalar = builder.create(op.kind, scalars, {type.elementType()}, op.result()->name);
  scalar->attributes = op.attributes;
  return builder.splat(scalar->result(), type.shape(), type.layout());
}

Value *splatLike(Op &op, Value *scalar) {
  Builder builder = Builder::before(&op);
  const Type &type = op.result()->type;
  Value *splat = builder.splat(scalar, type.shape(), type.layout());
  splat->name = op.result()->name;
  return splat;
}

// The same operation on the operand of its operand.
Value *skip(Op &op, Op *inner) {
  Builder builder = Builder::before(&op);
  Op *made = builder.create(op.kind, {inner->operand(0)}, {op.result()->type}, op.result()->name);
  made->attributes = op.attributes;
  return made->result();
}

Value *permute(Op &op) {
  auto order = op.getInts("order");
  bool isIdentity = true;
  for (unsigned d = 0; d < order.size(); ++d) isIdentity &= order[d] == d;
  if (isIdentity && op.operand(0)->type == op.result()->type) return op.operand(0);
  Op *inner = definedBy(op.operand(0), OpKind::Permute);
  if (!inner) return nullptr;
  auto first = inner->getInts("order");
  for (int64_t &d : order) d = first[d];
  Value *direct = skip(op, inner);
  direct->definition->set("order", order);
  return direct;
}

// reshape(join(a, b)) to a last dimension of twice the size: the elements of both in turn.
Value *interleaved(Op &reshape, Op *join) {
  const llvm::ArrayRef<int64_t> part = join->operand(0)->type.shape(),
                                whole = reshape.result()->type.shape();
  if (part.size() != whole.size() || part.drop_back() != whole.drop_back() ||
      2 * part.back() != whole.back())
    return nullptr;
  Builder builder = Builder::before(&reshape);
  return builder
      .create(OpKind::Interleave, {join->operand(0), join->operand(1)}, {reshape.result()->type},
              reshape.result()->name)
      ->result();
}

}  // namespace

Value *simplifyShape(Op &op) {
  if (op.is(Elementwise)) return op.kind == OpKind::Hint ? nullptr : computeOnce(op);
  switch (op.kind) {
    case OpKind::Arange: {
      if (op.result()->type.numElements() != 1) return nullptr;
      Builder builder = Builder::before(&op);
      return constantLike(builder, op.result()->type,
                          Const::ofInt(op.result()->type.scalar(), op.getInt("start")));
    }
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Reshape:
    case OpKind::Permute:
    case OpKind::Flip:
    case OpKind::Slice:
    case OpKind::Convert: {
      Value *source = op.operand(0);
      if (Op *splat = definedBy(source, OpKind::Splat)) return splatLike(op, splat->operand(0));
      bool keepsPlaces = op.kind == OpKind::Broadcast || op.kind == OpKind::Reshape ||
                         op.kind == OpKind::Slice || op.kind == OpKind::Convert;
      if (keepsPlaces && source->type == op.result()->type) return source;
      if (op.kind == OpKind::Permute) return permute(op);
      if (Op *join = definedBy(source, OpKind::Join); join && op.kind == OpKind::Reshape)
        if (Value *tile = interleaved(op, join)) return tile;
      bool isChain = op.kind == OpKind::Broadcast || op.kind == OpKind::Reshape;
      Op *inner = isChain ? definedBy(source, op.kind) : nullptr;
      return inner ? skip(op, inner) : nullptr;
    }
    case OpKind::Cat:
    case OpKind::Interleave:
    case OpKind::Join: {
      Op *lhs = definedBy(op.operand(0), OpKind::Splat),
         *rhs = definedBy(op.operand(1), OpKind::Splat);
      return lhs && rhs && lhs->operand(0) == rhs->operand(0) ? splatLike(op, lhs->operand(0))
                                                              : nullptr;
    }
    default:
      return nullptr;
  }
}

}  // namespace tile2cu::passes
