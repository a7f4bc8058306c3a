#include "passes/rewrite/padding.h"

#include <limits>

#include "passes/analysis/value/reduction_identity.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/layout.h"

namespace tile2cu::passes {
using namespace ir;

Value *coordinateTile(Builder &b, const Type &type, unsigned axis) {
  const Layout &layout = *type.layout();
  // arange along the axis, then a dimension of size 1 for each of the others, then broadcast.
  Shape sizes(type.rank(), 1);
  sizes[axis] = type.shape()[axis];
  LayoutRef line = layout.withSizes(sizes);
  LayoutRef only = line;
  for (unsigned d = type.rank(); d-- > 0;)
    if (d != axis) only = only->withoutDim(d);
  Op *arange =
      b.create(OpKind::Arange, {}, {Type(Element{Scalar::I32, false, false}, {sizes[axis]}, only)});
  arange->setInt(Attr::start, 0);
  arange->setInt(Attr::end, sizes[axis]);
  Value *value = arange->result();
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

Value *identityOf(Builder &b, ReduceKind kind, Scalar scalar, unsigned operand) {
  const Identity identity = identityOf(kind, scalar, operand);
  return isFloat(scalar) ? b.constantFloat(scalar, identity.real)
                         : b.constant(scalar, identity.integer);
}

}  // namespace tile2cu::passes
