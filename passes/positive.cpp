#include "passes/positive.h"

#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/cdiv.h"
#include "passes/grid_factors.h"
#include "passes/ir/builder.h"
#include "passes/loops.h"
#include "passes/ranges.h"

namespace tile2cu::passes {
using namespace ir;

// How much is known of a number: at least 0, or at least 1.
class Signs {
 public:
  explicit Signs(std::set<const Value *> positive) : positive_(std::move(positive)) {}

  bool isAtLeast(const Value *value, int64_t least) const {
    const auto [known, isNew] = known_.try_emplace({value->serial, least}, false);
    if (isNew) known->second = find(value, least);
    return known->second;
  }
  // Whether `value` is less than `bound`, a number of 1 or more: the first row of a program's block of rows.
  bool isBelow(const Value *value, const Value *bound) const;
  // What programs - 1 - program is less than: programs; null for others.
  static Value *boundFromEnd(const Op *sub) {
    const Op *last = withoutCasts(sub->operand(0))->definition;
    const bool isLast = last && last->kind == OpKind::Sub && constantInt(last->operand(1)) == 1;
    if (!isLast || isOfKind(sub->operand(1), OpKind::Sub)) return nullptr;
    Value *bound = exclusiveBound(sub->operand(1));
    const bool isSame = bound && withoutCasts(last->operand(0)) == withoutCasts(bound);
    return isSame ? bound : nullptr;
  }
  // What id / heads is less than, where id is 0 or more and less than blocks * heads, and heads is positive: blocks; null for others.
  static Value *boundOfQuotient(const Op *div);
  // The first of a program's block, program * size where there are cdiv(n, size) programs or fewer, is less than n; null for others.
  static const Value *boundOfBlocks(const Value *value);

 private:
  static const Value *withoutCasts(const Value *value) {
    while (value->definition && value->definition->kind == OpKind::Cast)
      value = value->definition->operand(0);
    return value;
  }
  // Numbers are counted from the end, and divided, once: longer chains are not followed.
  static bool isOfKind(const Value *value, OpKind kind) {
    const Op *op = withoutCasts(value)->definition;
    return op && op->kind == kind;
  }

  // The same number in a type that may be narrower.
  static const Value *widened(const Value *value) {
    for (const Op *cast = value->definition; cast && cast->kind == OpKind::Cast;
         cast = value->definition) {
      const Scalar from = cast->operand(0)->type.scalar(), to = value->type.scalar();
      const bool isSame = isSigned(from) && isSigned(to) &&
                          (bitWidth(to) >= bitWidth(from) || isLosslessBelowBound(cast));
      if (!isSame) break;
      value = cast->operand(0);
    }
    return value;
  }

  // A product of `value` and another number; null for others.
  static Value *otherFactor(const Value *product, const Value *value) {
    const Op *mul = widened(product)->definition;
    if (!mul || mul->kind != OpKind::Mul) return nullptr;
    for (unsigned i : {0u, 1u})
      if (widened(mul->operand(i)) == widened(value)) return mul->operand(1 - i);
    return nullptr;
  }
  // Of p / (size * n), where p counts to bound * n: size times it is less than the bound, the first row of a group of `size` rows of
  // n programs.
  bool isFirstOfGroup(const Op *div, int64_t size, const Value *bound) const {
    if (div->kind != OpKind::Div || !isAtLeast(div->operand(0), 0)) return false;
    const Value *programs = exclusiveBound(widened(div->operand(0)));
    const Value *columns = programs ? otherFactor(programs, bound) : nullptr;
    const Value *of = columns ? otherFactor(div->operand(1), columns) : nullptr;
    return of && constantInt(of) == size && isAtLeast(columns, 1);
  }
  bool find(const Value *value, int64_t least) const;

  std::set<const Value *> positive_;
  mutable std::map<std::pair<unsigned, int64_t>, bool>
      known_;  // by serial number: what is used often is asked once
  mutable GridFactors factors_;
};

namespace {

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

}  // namespace

bool Signs::find(const Value *value, int64_t least) const {
  if (auto number = constantInt(value)) return *number >= least;
  if (value->type.isTile() || value->type.isPointer()) return false;
  if (positive_.count(value) || (least <= 1 && factors_.contains(value))) return true;
  const Op *op = value->definition;
  if (!op) {
    const Op *loop = value->owner ? value->owner->parent : nullptr;
    return loop && loop->kind == OpKind::For && value->index == 0 &&
           isAtLeast(loop->operand(0), least) && neverFalls(loop, isAtLeast(loop->operand(2), 0));
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
      return (least == 0 && boundFromEnd(op)) || isBelow(op->operand(1), op->operand(0));
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

Value *Signs::boundOfQuotient(const Op *div) {
  if (isOfKind(div->operand(0), OpKind::Div) || isOfKind(div->operand(0), OpKind::Sub))
    return nullptr;
  const Value *product = exclusiveBound(div->operand(0)), *divisor = div->operand(1);
  Value *other = product ? otherFactor(product, divisor) : nullptr;
  const bool arePositive = other && Signs({}).isAtLeast(divisor, 1);
  return arePositive && Signs({}).isAtLeast(div->operand(0), 0) ? other : nullptr;
}

const Value *Signs::boundOfBlocks(const Value *value) {
  const Op *mul = value->definition;
  const auto size = mul && mul->kind == OpKind::Mul ? constantInt(mul->operand(1)) : std::nullopt;
  const Value *blocks = size ? exclusiveBound(widened(mul->operand(0))) : nullptr;
  const Value *dividend, *divisor;
  if (!blocks || *size < 1 || !isCdiv(widened(blocks), dividend, divisor)) return nullptr;
  return constantInt(divisor) >= size ? dividend : nullptr;
}

bool Signs::isBelow(const Value *value, const Value *bound) const {
  // A u64 constant is kept as its bits.
  if (auto number = constantInt(value); number && isSigned(value->type.scalar()))
    return isAtLeast(bound, 1) && *number <= 0;
  value = widened(value);
  const Op *op = value->definition;
  if (!op || value->type.isTile()) return false;
  const auto inputBelow = [&](unsigned i) { return isBelow(op->operand(i), bound); };
  const auto size = op->numOperands() == 2 ? constantInt(op->operand(1)) : std::nullopt;
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
      return size && *size >= 1 && isAtLeast(op->operand(0), 0) && inputBelow(0);
    case OpKind::Mul: {
      if (!size || *size < 1) return false;
      // x / size * size
      const Op *div = widened(op->operand(0))->definition;
      if (div && div->kind == OpKind::Div && constantInt(div->operand(1)) == *size)
        return isAtLeast(div->operand(0), 0) && isBelow(div->operand(0), bound);
      if (div && isFirstOfGroup(div, *size, bound)) return true;
      const Value *blocked = boundOfBlocks(value);
      return blocked && widened(blocked) == widened(bound);
    }
    default:
      return false;
  }
}

Value *exclusiveBound(const Value *value) {
  const Op *op = value->definition;
  if (!op) {
    const Op *loop = value->owner ? value->owner->parent : nullptr;
    const bool counts = loop && loop->kind == OpKind::For && value->index == 0 &&
                        loop->getString("compare") == "lt";
    return counts ? loop->operand(1) : nullptr;
  }
  if (op->kind == OpKind::Hint && op->operand(HintOp::bound_optIndex))
    return op->operand(HintOp::bound_optIndex);
  if (op->kind == OpKind::Hint || (op->kind == OpKind::Cast && isLosslessBelowBound(op)))
    return exclusiveBound(op->operand(0));
  if (op->kind == OpKind::Grid) return op->operand(value->index);
  if (op->kind == OpKind::Div) return Signs::boundOfQuotient(op);
  if (op->kind == OpKind::Sub && !op->result()->type.isTile()) {
    Value *bound = Signs::boundFromEnd(op);
    return bound && Signs({}).isAtLeast(op->operand(1), 0) ? bound : nullptr;
  }
  return op->kind == OpKind::Rem ? op->operand(1) : nullptr;
}

bool isLosslessBelowBound(const Op *cast) {
  if (cast->getBool("lossless")) return true;
  const Value *source = cast->operand(0);
  // A quotient is not larger than what is divided.
  auto isQuotient = [](const Value *value) {
    return value->definition->kind == OpKind::Div && !value->type.isTile() &&
           isInteger(value->type.scalar());
  };
  while (source->definition && (source->definition->kind == OpKind::Hint || isQuotient(source)))
    source = source->definition->operand(0);
  const Value *bound = Signs::boundOfBlocks(source);
  if (!bound) bound = exclusiveBound(source);
  if (!bound) return false;
  // What is left of a division is as small on the other side; others begin at 0 or more.
  const bool isRest = source->definition && source->definition->kind == OpKind::Rem;
  if (!isRest && !Signs({}).isAtLeast(source, 0)) return false;
  const Scalar to = cast->result()->type.scalar();
  if (const auto number = constantInt(bound))
    return isSigned(to) && llvm::isIntN(bitWidth(to), *number - 1);
  auto isNarrow = [&] { return bitWidth(bound->type.scalar()) <= bitWidth(to); };
  // Widened for the comparison or division.
  while (!isNarrow() && bound->definition && bound->definition->kind == OpKind::Cast &&
         isSigned(bound->definition->operand(0)->type.scalar()))
    bound = bound->definition->operand(0);
  return isNarrow() && isSigned(bound->type.scalar()) && isSigned(to);
}

KnownSigns::KnownSigns() : signs_(std::make_unique<Signs>(std::set<const Value *>())) {}
KnownSigns::KnownSigns(const Kernel &kernel, const std::set<const Value *> &positive) {
  std::set<const Value *> all = checkedSizes(kernel);
  all.insert(positive.begin(), positive.end());
  signs_ = std::make_unique<Signs>(std::move(all));
}
KnownSigns::~KnownSigns() = default;

bool KnownSigns::isNonNegative(const Value *value) { return signs_->isAtLeast(value, 0); }

bool isNonNegative(const Kernel &kernel, const Value *value,
                   const std::set<const Value *> &positive) {
  return KnownSigns(kernel, positive).isNonNegative(value);
}

bool isNonNegative(const Kernel &kernel, const Polynomial &sum,
                   const std::set<const Value *> &positive) {
  KnownSigns signs(kernel, positive);
  return llvm::all_of(sum.terms(), [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [&](const Atom &atom) {
             return !atom.value || signs.isNonNegative(atom.value);
           });
  });
}

namespace {

// Where this holds, the program returns: what is more than a number of 0 or more in the others.
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
  if (Signs(sizes).isAtLeast(less, 0)) sizes.insert(more);
}

// What is known behind the returns of a kernel's body that stand before `place`: if (first >= length) return;
std::set<const Value *> sizesAt(const Kernel &kernel, const Op *place) {
  std::set<const Value *> sizes = checkedSizes(kernel);
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
  return loop->getString("compare") == "lt" &&
         Signs(sizesAt(kernel, loop)).isBelow(loop->operand(0), loop->operand(1));
}

}  // namespace tile2cu::passes
