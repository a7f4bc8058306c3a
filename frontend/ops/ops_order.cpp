// Elements by their index.
#include "clang/AST/DeclTemplate.h"
#include "frontend/lower/convert.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

// gather<axis>(source, index) and scatter<axis>(source, index, values).
Val lowerIndexed(Lowering &l, const Operation &operation) {
  llvm::SmallVector<ir::Value *, 3> operands;
  for (unsigned i = 0; i < operation.arguments.size(); ++i)
    operands.push_back(argument(l, operation, i));
  const ir::Type &source = operands[0]->type;
  const bool isGather = operation.kind == ir::OpKind::Gather;
  ir::Op *op = l.builder.create(operation.kind, operands,
                                {isGather ? source.withShape(operands[1]->type.shape()) : source});
  op->setInt(ir::Attr::axis,
             normalAxis(integerTemplateArguments(operation.callee)[0], source.rank()));
  return op->result();
}

}  // namespace tile2cu::frontend
