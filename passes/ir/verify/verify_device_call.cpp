// Rules for calls of the user's __device__ functions.
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {
namespace {

bool isPlain(const Value *value) {
  const Type &type = value->type;
  return !type.isTile() && !type.isPointer() && !isFloat8(type.scalar());
}

// One whose body is text.
std::string checkText(const Op &op) {
  if (op.regions.size() != 1) return "expects a region";
  if (llvm::StringRef(op.getString(Attr::parameters)).count(',') + 1 != op.numOperands())
    return "expects a name for each operand";
  const bool fits = llvm::equal(op.region()->arguments, op.operands(),
                                [](const auto &a, const Value *b) { return a->type == b->type; });
  if (!fits) return "the region's arguments do not fit the operands";
  for (const Value *value : capturedBy(*op.region()))
    if (!value->definition || value->definition->kind != OpKind::Constant)
      return "the region uses a value from outside";
  const Op *end = op.region()->terminator();
  const bool yields = end && end->kind == OpKind::Yield && end->numOperands() == 1 &&
                      end->operand(0)->type == op.result()->type;
  return yields ? "" : "the region does not yield the result";
}

}  // namespace

std::string checkDeviceCall(const Op &op) {
  if (op.numOperands() == 0) return "expects operands";
  if (op.numResults() != 1) return "expects one result";
  if (op.has(Attr::header) == op.has(Attr::text)) return "expects either a header or a text";
  if (op.has(Attr::text) != op.has(Attr::parameters)) return "only a text names its operands";
  if (!llvm::all_of(op.operands(), isPlain)) return "expects scalars that CUDA computes with";
  if (!isPlain(op.result())) return "returns a scalar that CUDA computes with";
  if (op.has(Attr::text)) return checkText(op);
  return op.regions.empty() ? "" : "expects no region";
}

}  // namespace tile2cu::ir
