// Operators on tiles and on the 16-bit floats.
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

using ir::OpKind;
using ir::Scalar;

// a op b, element by element in the type `in`. The result has the shape and the element type of
// `result`.
static ir::Value *elementwise(Lowering &l, OpKind kind, ir::Value *a, ir::Value *b, Scalar in,
                              const ir::Type &result) {
  ir::Type type(ir::Element{in, false, false}, result.shape());
  a = convert(l, a, type);
  b = convert(l, b, type);
  // Division of 16-bit floats is done in float.
  if (kind == OpKind::Div && ir::isHalf(in)) {
    type = ir::Type(ir::Element{Scalar::F32, false, false}, result.shape());
    a = convert(l, a, type);
    b = convert(l, b, type);
  }
  ir::Value *value = arithmetic(l, kind, a, b);
  return ir::isComparison(kind) ? value : convertElement(l, value, result.scalar());
}

Val lowerArithmetic(Lowering &l, const Operation &operation) {
  ir::Value *a = argument(l, operation, 0), *b = argument(l, operation, 1);
  const ir::Type result = resultOf(operation, {a, b});
  return elementwise(l, operation.kind, a, b, result.scalar(), result);
}

Val lowerComparison(Lowering &l, const Operation &operation) {
  ir::Value *a = argument(l, operation, 0), *b = argument(l, operation, 1);
  return elementwise(l, operation.kind, a, b, meetingType(a->type, b->type),
                     resultOf(operation, {a, b}));
}

Val lowerLogic(Lowering &l, const Operation &operation) {
  ir::Value *a = toBool(l, argument(l, operation, 0)), *b = toBool(l, argument(l, operation, 1));
  return elementwise(l, operation.kind, a, b, Scalar::Bool, resultOf(operation, {a, b}));
}

Val lowerLogicNot(Lowering &l, const Operation &operation) {
  return arithmetic(l, OpKind::Not, toBool(l, argument(l, operation, 0)));
}

Val lowerSign(Lowering &l, const Operation &operation) {
  ir::Value *source = convert(l, argument(l, operation, 0), resultOf(operation));
  if (operation.kind == OpKind::Abs && !ir::isFloat(source->type.scalar()) &&
      !ir::isSigned(source->type.scalar()))
    return source;
  return arithmetic(l, operation.kind, source);
}

static ir::Value *offset(Lowering &l, ir::Value *pointer, ir::Value *by, bool negative,
                         llvm::ArrayRef<ir::Dim> shape) {
  if (!pointer->type.isPointer()) std::swap(pointer, by);
  return offsetPointer(l, stretch(l, pointer, shape), by, negative);
}

Val lowerAddPtr(Lowering &l, const Operation &operation) {
  ir::Value *a = argument(l, operation, 0), *b = argument(l, operation, 1);
  return offset(l, a, b, operation.name == "subptr", resultOf(operation, {a, b}).shape());
}

// x = y and x op= y; the result refers to the left side.
Val lowerAssign(Lowering &l, const Operation &operation) {
  const clang::Expr *left = operation.arguments[0];
  std::string name = nameOfPlace(left);
  ir::Value *value = argument(l, operation, 1);
  Place place = lowerPlace(l, left);
  ir::Type type = resultOf(operation, {value});
  if (operation.name == "assign") {
    value = convert(l, value, type);
  } else {
    Val old = readPlace(l, place, left->getExprLoc(), name);
    if (!old.isValue()) return l.placeholder(operation.resultType);
    type = resultOf(operation, {old.value, value});
    if (operation.kind == OpKind::AddPtr)
      value = offset(l, old.value, value, operation.name == "assign_subptr", type.shape());
    else
      value = elementwise(l, operation.kind, old.value, value, type.scalar(), type);
  }
  writePlace(l, place, value, operation.loc, name);
  return Val::reference(place);
}

}  // namespace tile2cu::frontend
