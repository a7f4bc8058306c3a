#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {

static bool isTileOfIntegers(const Type &type) {
  return type.isTile() && !type.isPointer() && isInteger(type.scalar());
}

static bool isAxisOf(const Op &op, const Type &type) {
  const int64_t axis = op.getInt(Attr::axis, -1);
  return axis >= 0 && axis < type.rank();
}

// The index has the shape of what is read or replaced, which differs from the source along the axis
// alone.
std::string checkIndexed(const Op &op) {
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
  if (!index) return "";
  if (!isAxisOf(op, tile)) return "the axis is outside of the tile";
  return isTileOfIntegers(index->type) && index->type.shape() == tile.shape()
             ? ""
             : "the index is not a tile of integers of the same shape";
}

std::string checkSort(const Op &op) {
  if (op.numResults() != 2) return "expects two results";
  const Type &source = op.operand(0)->type;
  if (!source.isTile() || source.isPointer()) return "expects a tile of numbers";
  if (!isAxisOf(op, source)) return "the axis is outside of the tile";
  return op.result(0)->type.sameTile(source) &&
                 op.result(1)->type.sameTile(source.withScalar(Scalar::I32))
             ? ""
             : "returns a tile of the operand's type, and one of i32";
}

}  // namespace tile2cu::ir
