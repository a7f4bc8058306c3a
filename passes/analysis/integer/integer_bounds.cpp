// Upper bounds of integers: the grid's extent of a program id, the bound of a loop variable.
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/analysis/integer/grid_factors.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

// The same number, perhaps in a narrower type.
const Value *Integers::widened(const Value *value) const {
  for (const Op *cast = value->definition; cast && cast->kind == OpKind::Cast;
       cast = value->definition) {
    const Scalar from = cast->operand(0)->type.scalar(), to = value->type.scalar();
    const bool isSame =
        isSigned(from) && isSigned(to) && (bitWidth(to) >= bitWidth(from) || isLossless(cast));
    if (!isSame) break;
    value = cast->operand(0);
  }
  return value;
}

// Counting from the end, and a division, are followed once: not longer chains of them.
static bool isOfKind(const Value *value, OpKind kind) {
  const Op *op = throughCasts(value);
  return op && op->kind == kind;
}

// The factor by which a product multiplies `value`; null for other values.
Value *Integers::otherFactor(const Value *product, const Value *value) const {
  const Op *mul = widened(product)->definition;
  if (!mul || mul->kind != OpKind::Mul) return nullptr;
  for (unsigned i : {0u, 1u})
    if (widened(mul->operand(i)) == widened(value)) return mul->operand(1 - i);
  return nullptr;
}

// An exclusive bound of the first row of a group of `size` rows of n programs, which is p / (size *
// n) * size, where p counts up to rows * n: rows; null for others.
Value *Integers::boundOfGroups(const Value *value) const {
  const Op *mul = value->definition;
  const auto size = mul && mul->kind == OpKind::Mul ? constantInt(mul->operand(1)) : std::nullopt;
  const Op *div = size && *size >= 1 ? widened(mul->operand(0))->definition : nullptr;
  if (!div || div->kind != OpKind::Div || !isNonNegative(div->operand(0))) return nullptr;
  const Value *programs = exclusiveBound(widened(div->operand(0)));
  const Op *product = programs ? widened(programs)->definition : nullptr;
  if (!product || product->kind != OpKind::Mul) return nullptr;
  for (unsigned i : {0u, 1u}) {
    const Value *columns = product->operand(i), *of = otherFactor(div->operand(1), columns);
    if (of && constantInt(of) == size && isAtLeast(columns, 1)) return product->operand(1 - i);
  }
  return nullptr;
}

// An exclusive bound of programs - 1 - program: programs; null for others.
Value *Integers::boundFromEnd(const Op *sub) const {
  const Op *last = widened(sub->operand(0))->definition;
  const bool isLast = last && last->kind == OpKind::Sub && constantInt(last->operand(1)) == 1;
  if (!isLast || isOfKind(sub->operand(1), OpKind::Sub)) return nullptr;
  Value *bound = exclusiveBound(sub->operand(1));
  return bound && widened(last->operand(0)) == widened(bound) ? bound : nullptr;
}

// An exclusive bound of id / heads, if id is 0 or more and less than blocks * heads, and heads is
// positive: blocks; null for others.
Value *Integers::boundOfQuotient(const Op *div) const {
  if (isOfKind(div->operand(0), OpKind::Div) || isOfKind(div->operand(0), OpKind::Sub))
    return nullptr;
  const Value *product = exclusiveBound(div->operand(0)), *divisor = div->operand(1);
  Value *other = product ? otherFactor(product, divisor) : nullptr;
  return other && isAtLeast(divisor, 1) && isNonNegative(div->operand(0)) ? other : nullptr;
}

// The bound n for the start of a program's block, program * size, if there are at most cdiv(n,
// size) programs; null for others.
const Value *Integers::boundOfBlocks(const Value *value) const {
  const Op *mul = value->definition;
  const auto size = mul && mul->kind == OpKind::Mul ? constantInt(mul->operand(1)) : std::nullopt;
  const Value *blocks = size ? exclusiveBound(widened(mul->operand(0))) : nullptr;
  const Value *dividend, *divisor;
  if (!blocks || *size < 1 || !isCdiv(widened(blocks), dividend, divisor)) return nullptr;
  return constantInt(divisor) >= size ? dividend : nullptr;
}

Value *Integers::exclusiveBound(const Value *value) const {
  if (assume_ == Assume::Nothing) return nullptr;
  const Op *op = value->definition;
  if (!op) {
    const Op *loop = value->owner ? value->owner->parent : nullptr;
    const bool counts = loop && loop->kind == OpKind::For && value->index == 0 &&
                        ForOp(loop).compare() == Compare::Lt;
    return counts ? ForOp(loop).upper() : nullptr;
  }
  switch (op->kind) {
    case OpKind::Hint:
      if (Value *bound = op->operand(HintOp::bound_optIndex)) return bound;
      return exclusiveBound(op->operand(0));
    case OpKind::Cast:
      return isLossless(op) ? exclusiveBound(op->operand(0)) : nullptr;
    case OpKind::Grid:
      return op->operand(value->index);
    case OpKind::Div:
      return boundOfQuotient(op);
    case OpKind::Sub: {
      Value *bound = value->type.isTile() ? nullptr : boundFromEnd(op);
      return bound && isNonNegative(op->operand(1)) ? bound : nullptr;
    }
    case OpKind::Rem:  // the remainder may exceed a negative divisor
      return isAtLeast(op->operand(1), 1) ? op->operand(1) : nullptr;
    default:
      return nullptr;
  }
}

// x / size * size, or the first row of a group or a block of `size` rows.
bool Integers::isProductBelow(const Value *value, const Value *bound) const {
  const Op *op = value->definition;
  const auto size = constantInt(op->operand(1));
  if (!size || *size < 1) return false;
  const Op *div = widened(op->operand(0))->definition;
  if (div && div->kind == OpKind::Div && constantInt(div->operand(1)) == *size)
    return isNonNegative(div->operand(0)) && isBelow(div->operand(0), bound);
  for (const Value *known :
       {boundOfBlocks(value), static_cast<const Value *>(boundOfGroups(value))})
    if (known && widened(known) == widened(bound)) return true;
  return false;
}

bool Integers::isBelow(const Value *value, const Value *bound) const {
  if (assume_ == Assume::Nothing) return false;
  // A u64 constant is kept as its bits.
  if (auto number = constantInt(value); number && isSigned(value->type.scalar()))
    return isAtLeast(bound, 1) && *number <= 0;
  value = widened(value);
  if (const Value *known = value->type.isTile() ? nullptr : exclusiveBound(value);
      known && widened(known) == widened(bound))
    return true;
  const Op *op = value->definition;
  if (!op || value->type.isTile()) return false;
  const auto inputBelow = [&](unsigned i) { return isBelow(op->operand(i), bound); };
  switch (op->kind) {
    case OpKind::Hint:
      return inputBelow(0);
    case OpKind::Select:
      return inputBelow(1) && inputBelow(2);
    case OpKind::If:
      return llvm::all_of(op->regions, [&](const auto &region) {
        const Op *end = region->terminator();
        return end && end->kind == OpKind::Yield && isBelow(end->operand(value->index), bound);
      });
    case OpKind::Maximum:
      return inputBelow(0) && inputBelow(1);
    case OpKind::Minimum:
      return inputBelow(0) || inputBelow(1);
    case OpKind::Div:
      return constantInt(op->operand(1)).value_or(0) >= 1 && isNonNegative(op->operand(0)) &&
             inputBelow(0);
    case OpKind::Mul:
      return isProductBelow(value, bound);
    default:
      return false;
  }
}

bool Integers::isLossless(const Op *cast) const {
  if (cast->getBool(Attr::lossless)) return true;
  const Value *source = cast->operand(0);
  // A quotient is not larger than the dividend.
  auto isQuotient = [](const Value *value) {
    return value->definition->kind == OpKind::Div && !value->type.isTile() &&
           isInteger(value->type.scalar());
  };
  while (source->definition && (source->definition->kind == OpKind::Hint || isQuotient(source)))
    source = source->definition->operand(0);
  // A remainder is smaller in magnitude than the divisor, whatever the signs are. Other values
  // start at 0 or more.
  const bool isRest = source->definition && source->definition->kind == OpKind::Rem;
  const Value *bound = isRest ? source->definition->operand(1) : boundOfBlocks(source);
  if (!bound) bound = exclusiveBound(source);
  if (!bound || (!isRest && !isNonNegative(source))) return false;
  const Scalar to = cast->result()->type.scalar();
  if (const auto number = constantInt(bound)) {
    const bool isLarge = bound->type.scalar() == Scalar::U64 && *number < 0;  // kept as its bits
    return !isLarge && isSigned(to) && llvm::isIntN(bitWidth(to), *number - 1);
  }
  auto isNarrow = [&] { return bitWidth(bound->type.scalar()) <= bitWidth(to); };
  // Widened for the comparison or division.
  while (!isNarrow() && bound->definition && bound->definition->kind == OpKind::Cast &&
         isSigned(bound->definition->operand(0)->type.scalar()))
    bound = bound->definition->operand(0);
  return isNarrow() && isSigned(bound->type.scalar()) && isSigned(to);
}

// ---- loops with a step

namespace {

// Adds to `sizes` the values that are positive after `if (condition) return;`, because they exceed
// a value that is not negative.
void noteReturn(const Value *condition, std::set<const Value *> &sizes) {
  const Op *op = condition->definition;
  if (!op || op->numOperands() != 2) return;
  if (op->kind == OpKind::Or) {
    noteReturn(op->operand(0), sizes);
    noteReturn(op->operand(1), sizes);
    return;
  }
  const bool isLeft = op->kind == OpKind::Ge, isRight = op->kind == OpKind::Le;
  if (!isLeft && !isRight) return;
  const Value *less = op->operand(isRight), *more = op->operand(isLeft);
  if (Integers(Assume::Launched, sizes).isNonNegative(less)) sizes.insert(more);
}

// Conditions that hold after the returns of a kernel's body that come before `place`: if (first >=
// length) return;
std::set<const Value *> sizesAt(const Kernel &kernel, const Op *place) {
  std::set<const Value *> sizes;
  const Op *end = ancestorIn(kernel.body, place);
  for (const auto &op : kernel.body.ops) {
    if (op.get() == end) break;
    const Op *last = op->kind == OpKind::If ? op->region(0)->terminator() : nullptr;
    if (last && last->kind == OpKind::Return) noteReturn(op->operand(0), sizes);
  }
  return sizes;
}

}  // namespace

bool runsForSure(const Kernel &kernel, Op *loop) {
  if (runsAtLeastOnce(loop)) return true;
  const Integers integers(Assume::Launched, sizesAt(kernel, loop));
  return ForOp(loop).compare() == Compare::Lt &&
         integers.isBelow(ForOp(loop).lower(), ForOp(loop).upper());
}

}  // namespace tile2cu::passes
