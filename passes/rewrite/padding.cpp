#include "passes/rewrite/padding.h"

#include <limits>

#include "passes/analysis/value/reduction_identity.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/layout.h"

namespace tile2cu::passes {
using namespace ir;

static Value *arange(Builder &b, const Dim &size, LayoutRef layout) {
  Op *op = b.create(OpKind::Arange, {},
                    {Type(Element{Scalar::I32, false, false}, {size}, std::move(layout))});
  op->setInt(Attr::start, 0);
  op->setInt(Attr::end, size);
  return op->result();
}

Value *coordinateTile(Builder &b, const Type &type, unsigned axis) {
  if (!type.layout()) {
    Value *value = arange(b, type.shape()[axis], nullptr);
    for (unsigned d = 0; d < type.rank(); ++d)
      if (d != axis) value = b.expandDims(value, d);
    return b.broadcast(value, type.shape());
  }
  const Layout &layout = *type.layout();
  // arange along the axis, then a dimension of size 1 for each of the others, then broadcast.
  Shape sizes(type.rank(), 1);
  sizes[axis] = type.shape()[axis];
  LayoutRef line = layout.withSizes(sizes);
  LayoutRef only = line;
  for (unsigned d = type.rank(); d-- > 0;)
    if (d != axis) only = only->withoutDim(d);
  Value *value = arange(b, sizes[axis], only);
  for (unsigned d = 0; d < type.rank(); ++d) {
    if (d == axis) continue;
    Shape shape = value->type.shape();
    LayoutRef expanded = value->type.layout()->withUnitDim(d);
    shape.insert(shape.begin() + d, 1);
    Op *op = b.create(OpKind::ExpandDims, {value}, {Type(value->type.element(), shape, expanded)});
    op->setInt(Attr::axis, d);
    value = op->result();
  }
  if (type.rank() > 1)
    value = b.create(OpKind::Broadcast, {value},
                     {Type(value->type.element(), type.shape(), type.layout())})
                ->result();
  return value;
}

Value *validMask(Builder &b, const Type &type, int axis) {
  Value *mask = nullptr;
  for (unsigned d = 0; d < type.rank(); ++d) {
    if (!type.layout()->dim(d).isPadded() || (axis >= 0 && int(d) != axis)) continue;
    Value *coordinate = coordinateTile(b, type, d);
    Value *size = b.splat(b.constant(Scalar::I32, type.shape()[d]), type.shape(), type.layout());
    Value *inside = b.binary(OpKind::Lt, coordinate, size);
    mask = mask ? b.binary(OpKind::And, mask, inside) : inside;
  }
  return mask;
}

Value *isInPart(Builder &b, const Type &type, unsigned axis, Value *start, const Dim &extent) {
  const auto compare = [&](OpKind kind, Value *bound) {
    return b.binary(kind, coordinateTile(b, type, axis),
                    b.splat(bound, type.shape(), type.layout()));
  };
  if (extent == 1) return compare(OpKind::Eq, start);
  Value *end = b.binary(OpKind::Add, start, b.constant(Scalar::I32, extent),
                        start->name.empty() ? "end" : start->name + "_end");
  Value *isBefore = compare(OpKind::Lt, end);
  return constantInt(start) == 0 ? isBefore
                                 : b.binary(OpKind::And, compare(OpKind::Ge, start), isBefore);
}

Value *identityOf(Builder &b, ReduceKind kind, Scalar scalar, unsigned operand) {
  const Identity identity = identityOf(kind, scalar, operand);
  return isFloat(scalar) ? b.constantFloat(scalar, identity.real)
                         : b.constant(scalar, identity.integer);
}

}  // namespace tile2cu::passes
