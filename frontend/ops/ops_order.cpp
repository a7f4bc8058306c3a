// Parts of tiles and elements by their index, and elements in order.
#include "clang/AST/DeclTemplate.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/size_formula.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

// The indices of a part, from this argument on: i32, which holds those inside of a tile.
static llvm::SmallVector<ir::Value *, 4> startsOf(Lowering &l, const Operation &operation,
                                                  unsigned first) {
  llvm::SmallVector<ir::Value *, 4> starts;
  for (unsigned i = first; i < operation.arguments.size(); ++i)
    starts.push_back(convertElement(l, argument(l, operation, i), ir::Scalar::I32));
  return starts;
}

// extract(x, i...) -> the element; extract<sizes...>(x, i...) -> the part from there on.
Val lowerExtract(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  llvm::SmallVector<ir::Value *, 4> operands = startsOf(l, operation, 1);
  operands.insert(operands.begin(), source);
  ir::Type type = statedResultOf(operation);
  const bool isElement = !type.isTile();
  if (isElement) type = source->type.withShape(ir::Shape(source->type.rank(), 1));
  ir::Value *part = l.builder.create(ir::OpKind::Extract, operands, {type})->result();
  if (!isElement) return part;
  if (type.rank() > 1)
    part = l.builder.create(ir::OpKind::Reshape, {part}, {type.withShape({1})})->result();
  return onlyElement(l, part);
}

// insert(x, value, i...) -> x with this element; insert(x, part, i...) -> x with this part.
Val lowerInsert(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0), *part = argument(l, operation, 1);
  const ir::Type &type = source->type;
  if (!part->type.isTile()) part = convert(l, part, type.withShape(ir::Shape(type.rank(), 1)));
  llvm::SmallVector<ir::Value *, 4> operands = startsOf(l, operation, 2);
  operands.insert(operands.begin(), {source, part});
  return l.builder.create(ir::OpKind::Insert, operands, {type})->result();
}

// gather<axis>(source, index); scatter<axis> and scatter_add<axis>(source, index, values [, mask]).
Val lowerIndexed(Lowering &l, const Operation &operation) {
  llvm::SmallVector<ir::Value *, 4> operands;
  for (unsigned i = 0; i < operation.arguments.size(); ++i)
    operands.push_back(argument(l, operation, i));
  const ir::Type &source = operands[0]->type;
  const bool isGather = operation.kind == ir::OpKind::Gather;
  ir::Op *op = l.builder.create(operation.kind, operands,
                                {isGather ? source.withShape(operands[1]->type.shape()) : source});
  op->setInt(ir::Attr::axis,
             normalAxis(integerTemplateArguments(operation.callee)[0], source.rank()));
  if (operation.name == "scatter_add") op->setBool(ir::Attr::adds, true);
  return op->result();
}

// sort<axis>(x {, descending}) -> values, argsort -> indices, topk<k, axis>(x) -> both, the first k
// from the largest on.
Val lowerSort(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  const auto numbers = integerTemplateArguments(operation.callee);
  const bool isTopK = operation.name == "topk";
  const int64_t axis = normalAxis(numbers[isTopK ? 1 : 0], source->type.rank());
  ir::Op *op = l.builder.create(ir::OpKind::Sort, {source},
                                {source->type, source->type.withScalar(ir::Scalar::I32)});
  op->setInt(ir::Attr::axis, axis);
  if (isTopK || operation.arguments.size() > 1) op->setBool(ir::Attr::descending, true);
  if (!isTopK) return op->result(operation.name == "argsort" ? 1 : 0);

  const auto sizes = explicitSizes(l, operation.calleeExpr);
  ir::Shape shape = source->type.shape();
  shape[axis] = ir::Dim(numbers[0]);
  if (!sizes.empty()) shape[axis] = shape[axis].orFrom(sizes[0]);
  if (shape == source->type.shape()) return Val::aggregate({op->result(0), op->result(1)});
  llvm::SmallVector<ir::Value *, 2> parts;
  for (auto &result : op->results) {
    ir::Op *slice =
        l.builder.create(ir::OpKind::Slice, {result.get()}, {result->type.withShape(shape)});
    slice->set(ir::Attr::offsets, llvm::SmallVector<int64_t, 4>(shape.size(), 0));
    parts.push_back(slice->result());
  }
  return Val::aggregate({parts[0], parts[1]});
}

}  // namespace tile2cu::frontend
