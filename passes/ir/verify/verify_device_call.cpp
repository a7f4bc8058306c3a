// Rules for calls of the user's __device__ functions, and for texts.
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/text_operands.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {
namespace {

bool isPlain(const Value *value) {
  const Type &type = value->type;
  return !type.isTile() && !type.isPointer() && !isFloat8(type.scalar());
}

bool namesEach(const Op &op, size_t operands) {
  return llvm::StringRef(op.getString(Attr::parameters)).count(',') + 1 == operands;
}

// One whose body is text.
std::string checkReference(const Op &op) {
  if (op.regions.size() != 1) return "expects a region";
  if (!namesEach(op, op.numOperands())) return "expects a name for each operand";
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

std::string checkDeviceCall(const Op &op) {
  if (op.numOperands() == 0) return "expects operands";
  if (op.numResults() != 1) return "expects one result";
  if (op.has(Attr::header) == op.has(Attr::text)) return "expects either a header or a text";
  if (op.has(Attr::text) != op.has(Attr::parameters)) return "only a text names its operands";
  if (!llvm::all_of(op.operands(), isPlain)) return "expects scalars that CUDA computes with";
  if (!isPlain(op.result())) return "returns a scalar that CUDA computes with";
  if (op.has(Attr::text)) return checkReference(op);
  return op.regions.empty() ? "" : "expects no region";
}

std::string checkCudaEffect(const Op &op) {
  const auto operands = textOperands(&op);
  if (!namesEach(op, operands.size())) return "expects a name for each operand";
  const Shape &shape = op.operand(0)->type.shape();
  const auto isElement = [](const Type &type) {
    return !isFloat8(type.isPointer() ? type.pointee().scalar : type.scalar());
  };
  for (const Value *operand : operands) {
    if (operand->type.shape() != shape) return "the operands have different shapes";
    if (!isElement(operand->type)) return "expects elements that CUDA computes with";
  }
  const Value *mask = op.operand(CudaEffectOp::mask_optIndex);
  if (mask && (mask->type.isPointer() || mask->type.scalar() != Scalar::Bool ||
               mask->type.shape() != shape))
    return "the mask does not fit the operands";
  if (op.numResults() > 1) return "expects one result, or none";
  if (op.numResults() == 1) {
    const Type &result = op.result()->type;
    if (result.shape() != shape) return "the result has another shape than the operands";
    if (result.isPointer() || !isElement(result)) return "returns elements that CUDA computes with";
  }
  if (!op.has(Attr::writes)) return "";
  for (const int64_t i : op.getInts(Attr::writes)) {
    if (i < 0 || i >= int64_t(operands.size()) || !operands[i]->type.isPointer())
      return "may write through operands only that are pointers";
    if (operands[i]->type.element().pointeeConst) return "writes through a pointer to const";
  }
  return "";
}

}  // namespace

std::string checkText(const Op &op) {
  return op.kind == OpKind::DeviceCall ? checkDeviceCall(op) : checkCudaEffect(op);
}

}  // namespace tile2cu::ir
