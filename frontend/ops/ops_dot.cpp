// Matmul.
#include "frontend/lower/convert.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

using ir::OpKind;

// dot(a, b), dot(a, b, acc), each with a precision as its last argument.
Val lowerDot(Lowering &l, const Operation &operation) {
  const ir::Type result = resultOf(operation);
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
  if (operands.size() == 2)
    operands.push_back(l.builder.splat(l.builder.constant(result.scalar(), 0), result.shape()));
  operands[2] = convertExactly(l, operands[2], result);
  ir::Op *op = l.builder.create(OpKind::Dot, operands, {result});
  if (precision) op->set(ir::Attr::precision, *precision);
  return op->result();
}

}  // namespace tile2cu::frontend
