#include "passes/positive.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/cdiv.h"
#include "passes/ir/builder.h"
#include "passes/loops.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// How much is known of a number: at least 0, or at least 1.
class Signs {
 public:
  explicit Signs(std::set<const Value *> positive) : positive_(std::move(positive)) {}

  bool isAtLeast(const Value *value, int64_t least) const;

 private:
  static const Value *withoutCasts(const Value *value) {
    while (value->definition && value->definition->kind == OpKind::Cast)
      value = value->definition->operand(0);
    return value;
  }

  // programs - 1 - program
  static bool isDistanceFromEnd(const Op *sub) {
    const Value *bound = exclusiveBound(sub->operand(1));
    const Op *last = withoutCasts(sub->operand(0))->definition;
    if (!bound || !last || last->kind != OpKind::Sub || constantInt(last->operand(1)) != 1)
      return false;
    return withoutCasts(last->operand(0)) == withoutCasts(bound);
  }

  std::set<const Value *> positive_;
};

// n > 0, n >= 1, and conjunctions.
void notePositive(const Value *condition, std::set<const Value *> &sizes) {
  const Op *op = condition->definition;
  if (!op || op->numOperands() != 2 || op->result()->type.isTile()) return;
  if (op->kind == OpKind::And) {
    notePositive(op->operand(0), sizes);
    notePositive(op->operand(1), sizes);
    return;
  }
  const auto bound = constantInt(op->operand(1));
  if (bound && isSigned(op->operand(0)->type.scalar()) &&
      ((op->kind == OpKind::Gt && *bound >= 0) || (op->kind == OpKind::Ge && *bound >= 1)))
    sizes.insert(op->operand(0));
}

// What the launcher checks: extents and strides of arrays, and what the kernel requires.
std::set<const Value *> checkedSizes(const Kernel &kernel) {
  std::set<const Value *> sizes;
  for (const auto &op : kernel.body.ops) {
    if (op->kind == OpKind::TensorMap)
      sizes.insert(op->operands().begin() + 1, op->operands().end());
    if (op->kind == OpKind::Require) notePositive(op->operand(0), sizes);
  }
  return sizes;
}

bool Signs::isAtLeast(const Value *value, int64_t least) const {
  if (auto number = constantInt(value)) return *number >= least;
  if (value->type.isTile() || value->type.isPointer()) return false;
  if (positive_.count(value)) return true;
  const Op *op = value->definition;
  if (!op) {
    const Op *loop = value->owner ? value->owner->parent : nullptr;
    return least == 0 && loop && loop->kind == OpKind::For && value->index == 0 &&
           (loop->getString("compare") == "lt" || loop->getString("compare") == "le") &&
           isAtLeast(loop->operand(0), 0);
  }
  auto both = [&](int64_t a, int64_t b) {
    return isAtLeast(op->operand(0), a) && isAtLeast(op->operand(1), b);
  };
  switch (op->kind) {
    case OpKind::Grid:
    case OpKind::ProgramId:
      return least == 0;
    case OpKind::Hint:
      return (least == 0 && op->getBool("non_negative")) || isAtLeast(op->operand(0), least);
    case OpKind::Cast: {
      const Scalar from = op->operand(0)->type.scalar(), to = value->type.scalar();
      if (least == 0 && from == Scalar::Bool) return true;
      return isSigned(to) && isSigned(from) &&
             (bitWidth(to) >= bitWidth(from) || isLosslessBelowBound(op)) &&
             isAtLeast(op->operand(0), least);
    }
    case OpKind::Add: {
      const Value *dividend, *divisor;
      if (least == 1 && isCdiv(value, dividend, divisor))
        return isAtLeast(dividend, 1) && isAtLeast(divisor, 1);
      return both(0, least) || both(least, 0);
    }
    case OpKind::Mul:
      return both(least, least);
    case OpKind::Sub:
      return least == 0 && isDistanceFromEnd(op);
    case OpKind::Div:
      return least == 0 && isAtLeast(op->operand(0), 0) && isAtLeast(op->operand(1), 0);
    case OpKind::Rem:
      return least == 0 && isAtLeast(op->operand(0), 0);
    case OpKind::Minimum:
      return both(least, least);
    case OpKind::Maximum:
      return isAtLeast(op->operand(0), least) || isAtLeast(op->operand(1), least);
    case OpKind::Select:
      return isAtLeast(op->operand(1), least) && isAtLeast(op->operand(2), least);
    case OpKind::If:
      return llvm::all_of(op->regions, [&](const auto &region) {
        const Op *end = region->terminator();
        return end && end->kind == OpKind::Yield && isAtLeast(end->operand(value->index), least);
      });
    default:
      return false;
  }
}

}  // namespace

Value *exclusiveBound(const Value *value) {
  const Op *op = value->definition;
  if (!op) {
    const Op *loop = value->owner ? value->owner->parent : nullptr;
    const bool counts = loop && loop->kind == OpKind::For && value->index == 0 &&
                        loop->getString("compare") == "lt";
    return counts ? loop->operand(1) : nullptr;
  }
  if (op->kind == OpKind::Hint || (op->kind == OpKind::Cast && isLosslessBelowBound(op)))
    return exclusiveBound(op->operand(0));
  if (op->kind == OpKind::Grid) return op->operand(value->index);
  return op->kind == OpKind::Rem ? op->operand(1) : nullptr;
}

bool isLosslessBelowBound(const Op *cast) {
  const Value *source = cast->operand(0);
  while (source->definition && source->definition->kind == OpKind::Hint)
    source = source->definition->operand(0);
  const Value *bound = exclusiveBound(source);
  if (!bound) return false;
  // What is left of a division is as small on the other side; others begin at 0 or more.
  const bool isRest = source->definition && source->definition->kind == OpKind::Rem;
  if (!isRest && !Signs({}).isAtLeast(source, 0)) return false;
  const Scalar to = cast->result()->type.scalar();
  auto isNarrow = [&] { return bitWidth(bound->type.scalar()) <= bitWidth(to); };
  // Widened for the comparison or division.
  while (!isNarrow() && bound->definition && bound->definition->kind == OpKind::Cast &&
         isSigned(bound->definition->operand(0)->type.scalar()))
    bound = bound->definition->operand(0);
  return isNarrow() && isSigned(bound->type.scalar()) && isSigned(to);
}

bool isNonNegative(const Kernel &kernel, const Value *value,
                   const std::set<const Value *> &positive) {
  std::set<const Value *> all = checkedSizes(kernel);
  all.insert(positive.begin(), positive.end());
  return Signs(std::move(all)).isAtLeast(value, 0);
}

bool runsForSure(const Kernel &kernel, Op *loop) {
  if (runsAtLeastOnce(loop)) return true;
  return constantInt(loop->operand(0)) == 0 && loop->getString("compare") == "lt" &&
         Signs(checkedSizes(kernel)).isAtLeast(loop->operand(1), 1);
}

}  // namespace tile2cu::passes
