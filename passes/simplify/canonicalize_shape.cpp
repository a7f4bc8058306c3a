#include "llvm/ADT/STLExtras.h"
#include "passes/rewrite/padding.h"
#include "passes/simplify/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

Op *definedBy(Value *value, OpKind kind) {
  return value->definition && value->definition->kind == kind ? value->definition : nullptr;
}

// op(splat a, splat b) -> splat(op(a, b)): computed once instead of for each element.
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
  auto order = op.getInts(Attr::order);
  bool isIdentity = true;
  for (unsigned d = 0; d < order.size(); ++d) isIdentity &= order[d] == d;
  if (isIdentity && op.operand(0)->type == op.result()->type) return op.operand(0);
  Op *inner = definedBy(op.operand(0), OpKind::Permute);
  if (!inner) return nullptr;
  const auto &first = inner->getInts(Attr::order);
  for (int64_t &d : order) d = first[d];
  Value *direct = skip(op, inner);
  direct->definition->set(Attr::order, order);
  return direct;
}

// The value in another shape with as many elements, in row-major order.
Value *reshaped(Builder &builder, Value *value, const Type &type) {
  if (value->type == type) return value;
  Value *result = builder.create(OpKind::Reshape, {value}, {type}, value->name)->result();
  value->name.clear();
  return result;
}

// reshape(join(a, b)): the elements of both in turn.
Value *interleaved(Op &reshape, Op *join) {
  const Type &part = join->operand(0)->type;
  Shape shape(part.shape().begin(), part.shape().end());
  shape.back() *= 2;
  Builder builder = Builder::before(&reshape);
  Op *made = builder.create(OpKind::Interleave, {join->operand(0), join->operand(1)},
                            {part.withShape(shape)}, reshape.result()->name);
  return reshaped(builder, made->result(), reshape.result()->type);
}

}  // namespace

// split(reshape(x)): every other element of x, if pairs do not cross the end of a row.
Outcome simplifySplit(Op &op) {
  Op *reshape = op.kind == OpKind::Split ? definedBy(op.operand(0), OpKind::Reshape) : nullptr;
  if (!reshape) return Outcome::Same;
  Value *source = reshape->operand(0);
  Shape shape(source->type.shape().begin(), source->type.shape().end());
  if (shape.empty() || shape.back() % 2 != 0 || source->type.layout()) return Outcome::Same;
  shape.back() /= 2;
  Builder builder = Builder::before(&op);
  const Type half = source->type.withShape(shape);
  Op *made = builder.create(OpKind::Deinterleave, {source}, {half, half});
  for (unsigned i : {0u, 1u}) {
    Value *part = made->result(i);
    part->name = op.result(i)->name;
    op.result(i)->replaceAllUsesWith(reshaped(builder, part, op.result(i)->type));
  }
  op.erase();
  return Outcome::Erased;
}

// The part of a tile from constant indices on is a slice.
Value *slice(Op &extract) {
  const Shape &source = extract.operand(0)->type.shape(), &part = extract.result()->type.shape();
  Ints offsets;
  for (unsigned d = 0; d < source.size(); ++d) {
    const auto start = constantInt(extract.operand(1 + d));
    if (!start || *start < 0 || *start + part[d] > source[d]) return nullptr;
    offsets.push_back(*start);
  }
  Builder builder = Builder::before(&extract);
  Op *made = builder.create(OpKind::Slice, {extract.operand(0)}, {extract.result()->type},
                            extract.result()->name);
  made->set(Attr::offsets, offsets);
  return made->result();
}

// To put in a part of equal elements is a selection in each thread.
Value *selected(Op &insert, Value *element) {
  const Type &type = insert.result()->type;
  const Shape &shape = type.shape(), &part = insert.operand(1)->type.shape();
  if (type.layout()) return nullptr;
  Builder builder = Builder::before(&insert);
  Value *inside = nullptr;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (part[d] == shape[d]) continue;
    Value *along = isInPart(builder, type, d, insert.operand(2 + d), part[d]);
    inside = inside ? builder.binary(OpKind::And, inside, along) : along;
  }
  Value *all = builder.splat(element, shape);
  return inside ? builder.select(inside, all, insert.operand(0), insert.result()->name) : all;
}

Value *simplifyShape(Op &op) {
  if (op.is(Elementwise)) return op.kind == OpKind::Hint ? nullptr : computeOnce(op);
  switch (op.kind) {
    case OpKind::Arange: {
      if (op.result()->type.numElements() != 1) return nullptr;
      Builder builder = Builder::before(&op);
      return constantLike(builder, op.result()->type,
                          Const::ofInt(op.result()->type.scalar(), op.getInt(Attr::start)));
    }
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Reshape:
    case OpKind::Permute:
    case OpKind::Flip:
    case OpKind::Slice:
    case OpKind::Gather:
    case OpKind::Convert: {
      Value *source = op.operand(0);
      if (Op *splat = definedBy(source, OpKind::Splat)) return splatLike(op, splat->operand(0));
      bool keepsPlaces = op.kind == OpKind::Broadcast || op.kind == OpKind::Reshape ||
                         op.kind == OpKind::Slice || op.kind == OpKind::Convert;
      if (keepsPlaces && source->type == op.result()->type) return source;
      if (op.kind == OpKind::Permute) return permute(op);
      if (Op *join = definedBy(source, OpKind::Join);
          join && op.kind == OpKind::Reshape && !source->type.layout())
        return interleaved(op, join);
      bool isChain = op.kind == OpKind::Broadcast || op.kind == OpKind::Reshape;
      Op *inner = isChain ? definedBy(source, op.kind) : nullptr;
      return inner ? skip(op, inner) : nullptr;
    }
    case OpKind::Extract:
      if (Op *splat = definedBy(op.operand(0), OpKind::Splat))
        return splatLike(op, splat->operand(0));
      return slice(op);
    case OpKind::Insert:
      if (op.operand(1)->type == op.result()->type) return op.operand(1);
      if (Op *splat = definedBy(op.operand(1), OpKind::Splat))
        return selected(op, splat->operand(0));
      return nullptr;
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
