// The MMA instruction of a dot: it has the types and the shape that the dot needs.
#include <optional>

#include "fmt/format.h"
#include "passes/ir/mma_shape.h"
#include "passes/ir/module.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {

// The element type of operand 0 or 1; none if it is neither in registers nor in a buffer.
static std::optional<Scalar> elementOf(const Op &dot, unsigned operand, const Kernel &kernel) {
  if (dot.kind == OpKind::Dot) return dot.operand(operand)->type.scalar();
  const Value *registers = operand == 0 ? dot.operand(DotSharedOp::a_optIndex) : nullptr;
  if (registers) return registers->type.scalar();
  const int64_t buffer = dot.getInts(Attr::buffers)[operand];
  if (buffer < 0 || static_cast<size_t>(buffer) >= kernel.shared.size()) return std::nullopt;
  const SharedBuffer &shared = kernel.shared[buffer];
  return shared.members.size() == 1 ? std::optional(shared.members[0]) : std::nullopt;
}

std::string checkMma(const Op &op, const Kernel &kernel) {
  if (op.kind != OpKind::Dot && op.kind != OpKind::DotShared) return "";
  if (!op.has(Attr::mma))
    return op.has(Attr::group_columns) || op.has(Attr::instruction_k)
               ? "lacks the attribute 'mma', the instruction"
               : "";
  const MmaShape &shape = mmaShape(*op.get(Attr::mma));
  const std::string mma = shape.helper();
  for (unsigned operand : {0, 1}) {
    const Scalar want = operand == 0 ? shape.a : shape.b;
    const auto element = elementOf(op, operand, kernel);
    if (!element) return fmt::format("expects operand {} in a buffer of one type", operand);
    if (*element != want)
      return fmt::format("{} multiplies {} and {}, but operand {} is {}", mma, ir::name(shape.a),
                         ir::name(shape.b), operand, ir::name(*element));
  }
  if (const Scalar sum = op.result()->type.scalar(); sum != shape.d)
    return fmt::format("{} accumulates {}, but the result is {}", mma, ir::name(shape.d),
                       ir::name(sum));
  if (op.getInt(Attr::instruction_k) != shape.k)
    return fmt::format("expects instruction_k = {}, the k of {}", shape.k, mma);
  if (op.has(Attr::group_columns) && !hasGroupForm(shape, op.getInt(Attr::group_columns)))
    return fmt::format("{} has no wgmma of {} columns", mma, op.getInt(Attr::group_columns));
  return "";
}

}  // namespace tile2cu::ir
