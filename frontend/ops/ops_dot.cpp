// Matmul.
#include "frontend/lower/convert.h"
#include "frontend/lower/size_formula.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

using ir::OpKind;

// dot(a, b), dot(a, b, acc), each with a precision as its last argument.
Val lowerDot(Lowering &l, const Operation &operation) {
  llvm::SmallVector<ir::Value *, 3> operands;
  std::optional<ir::Precision> precision;
  for (unsigned i = 0; i < operation.arguments.size(); ++i) {
    if (isOption(operation.arguments[i], "precision")) {
      constexpr ir::Precision kAll[] = {ir::Precision::Tf32, ir::Precision::Tf32x3,
                                        ir::Precision::Ieee};
      precision = kAll[optionValue(l, operation.arguments[i]).value_or(0) % 3];
    } else {
      operands.push_back(argument(l, operation, i));
    }
  }
  ir::Type result = resultOf(operation);
  ir::Shape shape = operands[0]->type.shape();  // with the columns of the second operand
  shape.back() = operands[1]->type.shape().back();
  result = result.withShape(withFormulasOf(result.shape(), shape));
  if (operands.size() == 2)
    operands.push_back(l.builder.splat(l.builder.constant(result.scalar(), 0), result.shape()));
  operands[2] = convertExactly(l, operands[2], result);
  ir::Op *op = l.builder.create(OpKind::Dot, operands, {result});
  if (precision) op->set(ir::Attr::precision, *precision);
  return op->result();
}

}  // namespace tile2cu::frontend
