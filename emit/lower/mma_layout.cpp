#include "emit/lower/mma_layout.h"

#include "emit/spelling/cuda_scalar.h"

namespace tile2cu::emit {
using namespace ir;
using passes::areMmaColumns;
using passes::areMmaRows;

MmaAxis mmaAxis(const Layout &layout, unsigned axis) {
  const auto use = layout.axisUse(axis);
  if (!use) return MmaAxis::None;
  const LayoutDim &dim = layout.dim(use->dim);
  if (areMmaColumns(dim)) return use->digit == 0 ? MmaAxis::Pair : MmaAxis::Columns;
  if (!areMmaRows(dim)) return MmaAxis::None;
  // The second digit of matrices of 8 rows counts matrices.
  for (const LayoutDim &other : layout.dims())
    if (areMmaColumns(other) && dim.digits[1].axis + 1 != other.digits[0].axis)
      return MmaAxis::Rows;
  return use->digit == 1 ? MmaAxis::Half : MmaAxis::Rows;
}

bool hasFragments(const Layout &layout) {
  const unsigned axes = layout.registerAxes().size();
  return axes >= 2 && mmaAxis(layout, axes - 2) == MmaAxis::Half &&
         mmaAxis(layout, axes - 1) == MmaAxis::Pair;
}

bool hasWholeFragments(const Type &type) {
  return type.isTile() && hasFragments(*type.layout()) &&
         (type.isPointer() || byteWidth(type.scalar()) >= 4);
}

static Expr two() { return integer(2); }

Expr halfOf(const Expr &element) { return binary(Prec::Multiplicative, "/", element, two()); }
Expr columnOf(const Expr &element) { return binary(Prec::Multiplicative, "%", element, two()); }

Expr elementAt(const Expr &half, const Expr &column) {
  if (half.is(ExprKind::Binary, "/") && half == halfOf(half.operand(0)) &&
      column == columnOf(half.operand(0)))
    return half.operand(0);
  return sum(product(half, two()), column);
}

}  // namespace tile2cu::emit
