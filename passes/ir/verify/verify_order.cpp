#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {

static bool isTileOfIntegers(const Type &type) {
  return type.isTile() && !type.isPointer() && isInteger(type.scalar());
}

static bool isAxisOf(const Op &op, const Type &type) {
  const int64_t axis = op.getInt(Attr::axis, -1);
  return axis >= 0 && axis < type.rank();
}

// Whether the operands from `first` on are an i32 for each dimension.
static bool areStarts(const Op &op, unsigned first, unsigned rank) {
  if (op.numOperands() != first + rank) return false;
  return llvm::all_of(llvm::drop_begin(op.operands(), first),
                      [](const Value *start) { return start->type == Type(Scalar::I32); });
}

// An extract returns a part, an insert takes one.
static std::string checkPart(const Op &op) {
  const unsigned first = op.kind == OpKind::Insert ? 2 : 1;
  if (op.numOperands() < first || op.numResults() != 1) return "expects a part of a tile";
  const Type &source = op.operand(0)->type;
  const Type &part = first == 2 ? op.operand(1)->type : op.result()->type;
  if (!source.isTile() || !part.isTile() || part.rank() != source.rank()) return "changes the rank";
  if (part.element() != source.element()) return "changes the element type";
  for (unsigned d = 0; d < source.rank(); ++d)
    if (part.shape()[d] > source.shape()[d]) return "the part is larger than the tile";
  if (!areStarts(op, first, source.rank())) return "expects one i32 for each dimension";
  return first == 1 || op.result()->type.sameTile(source)
             ? ""
             : "the result does not have the type of the source";
}

// The index has the shape of what is read or replaced, which differs from the source along the axis
// alone.
static std::string checkIndexed(const Op &op) {
  if (op.numResults() != 1) return "expects one result";
  const Type &source = op.operand(0)->type, &index = op.operand(1)->type;
  const Type &elements =
      op.kind == OpKind::Gather ? op.result()->type : op.operand(ScatterOp::valuesIndex)->type;
  if (!source.isTile() || !isAxisOf(op, source)) return "the axis is outside of the tile";
  if (!isTileOfIntegers(index)) return "the index is not a tile of integers";
  if (!elements.isTile() || elements.shape() != index.shape())
    return "the index does not have the shape of the elements";
  if (elements.element() != source.element()) return "changes the element type";
  if (op.kind == OpKind::Scatter && !op.result()->type.sameTile(source))
    return "the result does not have the type of the source";
  if (index.rank() != source.rank()) return "changes the rank";
  if (op.kind == OpKind::Scatter)
    if (const Value *mask = op.operand(ScatterOp::mask_optIndex);
        mask && (mask->type.isPointer() || mask->type.scalar() != Scalar::Bool ||
                 mask->type.shape() != index.shape()))
      return "the mask does not fit the values";
  for (unsigned d = 0; d < source.rank(); ++d)
    if (d != op.getInt(Attr::axis) && index.shape()[d] != source.shape()[d])
      return "the index differs from the source in more than the axis";
  return "";
}

std::string checkSharedIndex(const Op &op) {
  const bool isLoad = op.kind == OpKind::SharedLoad;
  const Type &tile = isLoad ? op.result()->type : op.operand(0)->type;
  const Value *index =
      op.operand(isLoad ? +SharedLoadOp::index_optIndex : +SharedStoreOp::index_optIndex);
  if (!index != !op.has(Attr::axis)) return "expects an index and its axis";
  if (isLoad) {
    constexpr unsigned kFirst = SharedLoadOp::starts_anyIndex;
    if (op.numOperands() > kFirst && !areStarts(op, kFirst, tile.rank()))
      return "expects one i32 for each dimension";
    if (const Value *other = op.operand(SharedLoadOp::other_optIndex);
        other && !other->type.sameTile(tile))
      return "the other elements do not fit the result";
  }
  if (!index) return "";
  if (!isAxisOf(op, tile)) return "the axis is outside of the tile";
  return isTileOfIntegers(index->type) && index->type.shape() == tile.shape()
             ? ""
             : "the index is not a tile of integers of the same shape";
}

static std::string checkSort(const Op &op) {
  if (op.numResults() != 2) return "expects two results";
  const Type &source = op.operand(0)->type;
  if (!source.isTile() || source.isPointer()) return "expects a tile of numbers";
  if (!isAxisOf(op, source)) return "the axis is outside of the tile";
  const unsigned axis = op.getInt(Attr::axis);
  const Type &values = op.result(0)->type;
  Shape shape = source.shape();
  if (values.rank() == shape.size() && int64_t(values.shape()[axis]) <= int64_t(shape[axis]))
    shape[axis] = values.shape()[axis];
  const Type expected = source.withShape(shape);
  return values.sameTile(expected) && op.result(1)->type.sameTile(expected.withScalar(Scalar::I32))
             ? ""
             : "returns a tile of the operand's type and one of i32, of its shape or shorter along "
               "the axis";
}

std::string checkOrder(const Op &op) {
  if (op.kind == OpKind::Sort) return checkSort(op);
  return op.kind == OpKind::Extract || op.kind == OpKind::Insert ? checkPart(op) : checkIndexed(op);
}

}  // namespace tile2cu::ir
