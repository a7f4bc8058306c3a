#include "passes/analysis/integer/loop_bounds.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The `for` that counts up by a constant and has this variable, or null.
const Op *countedBy(const Value *variable) {
  if (!variable || !variable->isArgument() || variable->index != 0) return nullptr;
  const Op *loop = variable->owner->parent;
  if (!loop || loop->kind != OpKind::For || ForOp(loop).compare() != Compare::Lt) return nullptr;
  const bool isUp = constantInt(ForOp(loop).step()).value_or(0) > 0;
  return isUp && Integers(Assume::Launched).neverFalls(loop) ? loop : nullptr;
}

// The largest value over a tile's elements; nullopt if coordinates are factors of products.
std::optional<Polynomial> largest(const Polynomial &sum, const Shape &shape) {
  Polynomial most;
  for (const auto &[monomial, factor] : sum.terms()) {
    if (llvm::all_of(monomial, [](const Atom &atom) { return atom.value; }))
      most.add(monomial, factor);
    else if (monomial.size() != 1)
      return std::nullopt;
    else if (factor > 0)
      most = most + Polynomial(factor * (shape[monomial.front().dim] - 1));
  }
  return most;
}

// Whether variable + rest < 0 in each iteration, because the variable is less than `bound`, or than
// both of its operands.
bool isBelow(Value *bound, const Op *loop, const Polynomial &rest, Symbols &symbols) {
  const Polynomial most = *symbols.of(bound);
  const auto over = (rest + most).constant();
  if (over) {
    const int64_t step = *constantInt(ForOp(loop).step());
    const Polynomial distance = most - *symbols.of(ForOp(loop).lower());
    const bool isWhole =
        llvm::all_of(distance.terms(), [&](const auto &term) { return term.second % step == 0; });
    return *over < (isWhole ? step : 1);
  }
  while (bound->definition && bound->definition->kind == OpKind::Cast &&
         *symbols.of(bound->definition->operand(0)) == most)
    bound = bound->definition->operand(0);
  const Op *op = bound->definition;
  if (!op || !isSigned(bound->type.scalar())) return false;
  // clamp(x, low, high) is minimum(maximum(x, low), high)
  if (op->kind == OpKind::Clamp) return isBelow(op->operand(2), loop, rest, symbols);
  return op->kind == OpKind::Minimum && llvm::any_of(op->operands(), [&](Value *operand) {
           return isBelow(operand, loop, rest, symbols);
         });
}

}  // namespace

bool holdsInLoop(const Polynomial &condition, const Shape &shape, Symbols &symbols) {
  const auto most = largest(condition, shape);
  if (!most) return false;
  return llvm::any_of(most->terms(), [&](const auto &term) {
    const auto &[monomial, factor] = term;
    const Op *loop =
        monomial.size() == 1 && factor == 1 ? countedBy(monomial.front().value) : nullptr;
    return loop &&
           isBelow(ForOp(loop).upper(), loop, *most - Polynomial(monomial.front()), symbols);
  });
}

}  // namespace tile2cu::passes
