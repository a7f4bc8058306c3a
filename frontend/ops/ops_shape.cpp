// Creation of tiles, and changes of their shape.
#include "clang/AST/DeclTemplate.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/size_formula.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

using ir::OpKind;
using ir::Scalar;

// The result has the type that C++ says, and the sizes with the formulas of `shape`.
static ir::Value *make(Lowering &l, const Operation &operation,
                       llvm::ArrayRef<ir::Value *> operands, llvm::ArrayRef<ir::Dim> shape) {
  const ir::Type type = resultOf(operation);
  return l.builder
      .create(operation.kind, operands, {type.withShape(withFormulasOf(type.shape(), shape))})
      ->result();
}

static ir::Value *makeArange(Lowering &l, int64_t start, const ir::Dim &end) {
  ir::Type type(ir::Element{Scalar::I32, false, false}, {end.plus(-start)});
  ir::Op *op = l.builder.create(OpKind::Arange, {}, {type});
  op->setInt(ir::Attr::start, start);
  op->setInt(ir::Attr::end, end);
  return op->result();
}

ir::Value *makeIota(Lowering &l, int64_t axis, llvm::ArrayRef<ir::Dim> shape) {
  ir::Value *value = makeArange(l, 0, shape[axis]);
  for (int64_t k = 0; k < axis; ++k) value = l.builder.expandDims(value, 0);
  for (size_t k = axis + 1; k < shape.size(); ++k)
    value = l.builder.expandDims(value, static_cast<int64_t>(k));
  return stretch(l, value, shape);
}

Val lowerArange(Lowering &l, const Operation &operation) {
  const auto numbers = integerTemplateArguments(operation.callee);
  const auto sizes =
      withFormulasOf({numbers.begin(), numbers.end()}, explicitSizes(l, operation.calleeExpr));
  return sizes.size() > 1 ? makeArange(l, sizes[0], sizes[1]) : makeArange(l, 0, sizes[0]);
}

Val lowerIota(Lowering &l, const Operation &operation) {
  ir::Type type = statedResultOf(operation);
  return makeIota(l, normalAxis(integerTemplateArguments(operation.callee)[0], type.rank()),
                  type.shape());
}

Val lowerFull(Lowering &l, const Operation &operation) {
  return convert(l, argument(l, operation, 0), statedResultOf(operation));
}

Val lowerZeros(Lowering &l, const Operation &operation) {
  ir::Type type = statedResultOf(operation);
  if (operation.name == "zeros_like") {
    const Val like = lowerValue(l, operation.arguments[0]);
    if (like.isValue()) type = resultOf(operation, {like.value});
  }
  if (type.isPointer()) {
    l.error(ir::DiagId::Uninitialized, operation.loc, {"a tile of pointers"});
    return l.placeholderValue(type);
  }
  return l.builder.splat(l.builder.constant(type.scalar(), 0), type.shape());
}

Val lowerCat(Lowering &l, const Operation &operation) {
  ir::Value *a = argument(l, operation, 0), *b = argument(l, operation, 1);
  const int64_t axis = normalAxis(integerTemplateArguments(operation.callee)[0], a->type.rank());
  ir::Shape shape = withFormulasOf(a->type.shape(), b->type.shape());
  const ir::Dim &first = a->type.shape()[axis], &second = b->type.shape()[axis];
  shape[axis] =
      first.hasFormulaOf(second) && first == second ? first.times(2) : ir::Dim(first + second);
  ir::Value *value = make(l, operation, {a, b}, shape);
  value->definition->setInt(ir::Attr::axis, axis);
  return value;
}

// x[all, none], x[slice<0, 4>]: slices first, then new dimensions.
Val lowerSubscriptOperation(Lowering &l, const Operation &operation) {
  ir::Value *value = argument(l, operation, 0);
  llvm::SmallVector<int64_t, 4> offsets;
  ir::Shape kept;
  llvm::SmallVector<bool, 8> isNew;
  bool slices = false;
  for (unsigned i = 1; i < operation.arguments.size(); ++i) {
    const clang::CXXRecordDecl *tag =
        operation.arguments[i]->getType().getNonReferenceType()->getAsCXXRecordDecl();
    bool none = tag && tag->getName() == "none_t";
    isNew.push_back(none);
    if (none || offsets.size() >= value->type.rank()) continue;
    const ir::Dim size = value->type.shape()[offsets.size()];
    int64_t begin = 0;
    ir::Dim end = size;
    const auto *slice = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(tag);
    if (slice && slice->getName() == "slice_t") {
      begin = slice->getTemplateArgs()[0].getAsIntegral().getExtValue();
      end = slice->getTemplateArgs()[1].getAsIntegral().getExtValue();
      slices |= end - begin != size;
      const auto stated = explicitSizes(l, operation.arguments[i]);
      if (stated.size() == 2 && !stated[0].formula()) end = end.orFrom(stated[1]);
    }
    offsets.push_back(begin);
    kept.push_back(end.plus(-begin));
  }
  while (offsets.size() < value->type.rank()) {
    kept.push_back(value->type.shape()[offsets.size()]);
    offsets.push_back(0);
  }
  if (slices) {
    ir::Op *op = l.builder.create(OpKind::Slice, {value}, {value->type.withShape(kept)});
    op->set(ir::Attr::offsets, offsets);
    value = op->result();
  }
  for (unsigned i = 0; i < isNew.size(); ++i)
    if (isNew[i]) value = l.builder.expandDims(value, i);
  return value;
}

Val lowerExpandDims(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  return l.builder.expandDims(
      source, normalAxis(integerTemplateArguments(operation.callee)[0], source->type.rank() + 1));
}

Val lowerBroadcast(Lowering &l, const Operation &operation) {
  return stretch(l, argument(l, operation, 0), statedResultOf(operation).shape());
}

Val lowerReshape(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  ir::Type type = statedResultOf(operation);
  if (ir::SplatOp splat = ir::SplatOp::of(source))
    return l.builder.splat(splat.source(), type.shape());
  return source->type.sameTile(type) ? source : make(l, operation, {source}, type.shape());
}

Val lowerPermute(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  llvm::SmallVector<int64_t, 4> order;
  if (operation.name == "trans")
    order = {1, 0};
  else
    for (int64_t axis : integerTemplateArguments(operation.callee))
      order.push_back(normalAxis(axis, source->type.rank()));
  ir::Shape shape;
  for (int64_t axis : order) shape.push_back(source->type.shape()[axis]);
  ir::Value *value = make(l, operation, {source}, shape);
  value->definition->set(ir::Attr::order, order);
  return value;
}

Val lowerJoin(Lowering &l, const Operation &operation) {
  ir::Shape shape = resultOf(operation).shape();
  shape.pop_back();
  ir::Value *a = argument(l, operation, 0), *b = argument(l, operation, 1);
  if (shape.empty()) return l.placeholder(operation.resultType);
  for (const ir::Value *part : {a, b}) shape = withFormulasOf(shape, part->type.shape());
  ir::Shape pairs = shape;
  pairs.emplace_back(2);
  return make(l, operation, {stretch(l, a, shape), stretch(l, b, shape)}, pairs);
}

// A reduction that has nothing to combine.
ir::Value *onlyElement(Lowering &l, ir::Value *tile) {
  const ir::Type element = tile->type.elementType();
  ir::Op *reduce = l.builder.create(OpKind::Reduce, {tile}, {element});
  reduce->setInt(ir::Attr::axis, 0);
  ir::Block *body = reduce->addRegion();
  ir::Value *first = body->addArgument(element);
  body->addArgument(element);
  ir::Builder(*body).yield({first});
  return reduce->result();
}

Val lowerSplit(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  ir::Shape shape = source->type.shape();
  const bool isPair = shape.size() == 1;  // of scalars
  if (isPair) {
    shape.insert(shape.begin(), ir::Dim(1));
    source = l.builder.create(OpKind::Reshape, {source}, {source->type.withShape(shape)})->result();
  }
  shape.pop_back();
  ir::Type half = source->type.withShape(shape);
  ir::Op *op = l.builder.create(OpKind::Split, {source}, {half, half});
  if (!isPair) return Val::aggregate({op->result(0), op->result(1)});
  return Val::aggregate({onlyElement(l, op->result(0)), onlyElement(l, op->result(1))});
}

Val lowerFlip(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  ir::Value *value = make(l, operation, {source}, source->type.shape());
  value->definition->setInt(
      ir::Attr::axis,
      normalAxis(integerTemplateArguments(operation.callee)[0], source->type.rank()));
  return value;
}

}  // namespace tile2cu::frontend
