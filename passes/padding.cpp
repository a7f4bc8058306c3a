#include "passes/padding.h"

#include <limits>

#include "passes/ir/diagnostics.h"
#include "passes/ir/layout.h"

namespace tile2cu::passes {
using namespace ir;

Value *coordinateTile(Builder &b, const Type &type, unsigned axis) {
  const Layout &layout = *type.layout();
  // arange along the axis, then a dimension of size 1 for each of the others, then broadcast.
  llvm::SmallVector<int64_t, 4> sizes(type.rank(), 1);
  sizes[axis] = type.shape()[axis];
  LayoutRef line = layout.withSizes(sizes);
  LayoutRef only = line;
  for (unsigned d = type.rank(); d-- > 0;)
    if (d != axis) only = only->withoutDim(d);
  Op *arange =
      b.create(OpKind::Arange, {}, {Type(Element{Scalar::I32, false, false}, {sizes[axis]}, only)});
  arange->setInt("start", 0);
  arange->setInt("end", sizes[axis]);
  Value *value = arange->result();
  for (unsigned d = 0; d < type.rank(); ++d) {
    if (d == axis) continue;
    Shape shape = value->type.shape();
    LayoutRef expanded = value->type.layout()->withUnitDim(d);
    shape.insert(shape.begin() + d, 1);
    Op *op = b.create(OpKind::ExpandDims, {value}, {Type(value->type.element(), shape, expanded)});
    op->setInt("axis", d);
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

namespace {
int64_t lowest(Scalar scalar) {
  if (!isSigned(scalar)) return 0;
  return -(int64_t{1} << (bitWidth(scalar) - 2)) * 2;
}
int64_t highest(Scalar scalar) {
  unsigned bits = bitWidth(scalar) - (isSigned(scalar) ? 1 : 0);
  return bits == 64   ? -1
         : bits == 63 ? std::numeric_limits<int64_t>::max()
                      : (int64_t{1} << bits) - 1;
}
}  // namespace

Value *identityOf(Builder &b, llvm::StringRef kind, Scalar scalar, unsigned operand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (kind == "sum" || kind == "xor" || kind == "or") return b.constant(scalar, 0);
  if (kind == "prod") return b.constant(scalar, 1);
  if (kind == "and") return scalar == Scalar::Bool ? b.constant(scalar, 1) : b.constant(scalar, -1);
  if ((kind == "argmax" || kind == "argmin") && operand == 1)
    return b.constant(scalar, highest(scalar));
  // Numbers go before NaN, and of NaNs that with the lower index: in a tile of nothing else padding loses too.
  if ((kind == "argmax" || kind == "argmin") && isFloat(scalar))
    return b.constantFloat(scalar, std::numeric_limits<double>::quiet_NaN());
  bool max = kind == "max" || kind == "max_nan" || kind == "argmax";
  bool min = kind == "min" || kind == "min_nan" || kind == "argmin";
  T2C_ASSERT(max || min);
  if (isFloat(scalar)) return b.constantFloat(scalar, max ? -kInf : kInf);
  if (scalar == Scalar::Bool) return b.constant(scalar, max ? 0 : 1);
  return b.constant(scalar, max ? lowest(scalar) : highest(scalar));
}

}  // namespace tile2cu::passes
