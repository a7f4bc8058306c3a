#include "passes/analysis/integer/mask_constraints.h"

#include "llvm/Support/MathExtras.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Whether a cast of integers keeps their values.
bool keepsValues(const Op *cast) {
  const Scalar from = cast->operand(0)->type.scalar(), to = cast->result()->type.scalar();
  if (!isSigned(from) || !isSigned(to)) return false;
  if (bitWidth(to) >= bitWidth(from)) return true;
  const Op *clamp = cast->operand(0)->definition;
  if (!clamp || clamp->kind != OpKind::Clamp) return false;
  const auto low = constantInt(clamp->operand(1)), high = constantInt(clamp->operand(2));
  return low && high && llvm::isIntN(bitWidth(to), *low) && llvm::isIntN(bitWidth(to), *high);
}

// The bound of all elements: through views, splats and casts that do not change it.
Value *uniformOf(Value *value) {
  while (const Op *op = value->definition) {
    if (op->kind != OpKind::Splat && op->kind != OpKind::Broadcast &&
        op->kind != OpKind::ExpandDims && !(op->kind == OpKind::Cast && keepsValues(op)))
      break;
    value = op->operand(0);
  }
  return value;
}

class Masks {
 public:
  explicit Masks(Symbols &symbols) : symbols_(symbols) {}

  bool add(Value *mask, Conditions &all) {
    Op *op = mask->definition;
    if (!op) return false;
    switch (op->kind) {
      case OpKind::And: {
        const bool isFirst = add(op->operand(0), all), isSecond = add(op->operand(1), all);
        return isFirst && isSecond;
      }
      case OpKind::Splat:
        return constantInt(op->operand(0)) == 1 || add(op->operand(0), all);
      case OpKind::Broadcast:
        return add(op->operand(0), all);
      case OpKind::ExpandDims:
      case OpKind::Permute:
        return addView(op, all);
      default:
        return op->is(Comparison) && addComparison(op, compareOf(op->kind), all);
    }
  }

 private:
  bool addView(Op *view, Conditions &all) {
    Conditions inner;
    if (!add(view->operand(0), inner)) return false;
    for (const Polynomial &condition : inner) all.push_back(withDims(condition, dimsThrough(view)));
    return true;
  }

  bool addComparison(Op *op, Compare compare, Conditions &all) {
    if (isEquality(compare)) return false;
    const bool isUp = isLess(compare);
    return addLess(op->operand(!isUp), op->operand(isUp), isStrict(compare) ? 0 : 1, all);
  }

  // a < b, or a <= b with slack 1.
  bool addLess(Value *a, Value *b, int64_t slack, Conditions &all) {
    const auto left = symbols_.of(unclamped(a, symbols_.of(b), slack - 1, slack - 1)),
               right = symbols_.of(unclamped(b, left, -slack, -slack));
    if (!left || !right) return false;
    all.push_back(*left - *right - Polynomial(slack));
    return true;
  }

  // The bound without its clamp to the tile's coordinates, between `low` and its size plus `high`;
  // the mask is the same without the clamp: rows < clamp(M - first, 0, 128).
  static Value *unclamped(Value *bound, const std::optional<Polynomial> &coordinates, int64_t low,
                          int64_t high) {
    Value *scalar = uniformOf(bound);
    const Op *op = scalar->definition;
    if (!op || op->kind != OpKind::Clamp || !coordinates || coordinates->terms().size() != 1)
      return bound;
    const auto &[monomial, factor] = *coordinates->terms().begin();
    if (monomial.size() != 1 || monomial.front().value || factor != 1) return bound;
    const auto least = constantInt(op->operand(1)), most = constantInt(op->operand(2));
    const int64_t size = bound->type.isTile() ? bound->type.shape()[monomial.front().dim] : Dim(0);
    const bool covers = least && most && *least <= low && size > 1 && *most >= size + high;
    return covers ? op->operand(0) : bound;
  }

  Symbols &symbols_;
};

}  // namespace

bool addConditions(Value *mask, Symbols &symbols, Conditions &all) {
  return Masks(symbols).add(mask, all);
}

}  // namespace tile2cu::passes
