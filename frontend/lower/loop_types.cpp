// Finds the type in which a loop of the IR counts exactly as the C++ loop does. C++ converts the
// variable to compare it, and the sum to store it. The IR has one type for the variable, the bounds
// and the step.
#include <algorithm>

#include "clang/AST/Expr.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"
#include "frontend/lower/lower_expr.h"

namespace tile2cu::frontend {

using ir::Scalar;

namespace {

using Wide = __int128;  // every sum here has at most three 64-bit terms

struct Numbers {
  Wide low, high;
  bool holds(const Numbers &others) const { return low <= others.low && others.high <= high; }
};

Numbers numbersOf(Scalar type) {
  const unsigned bits = type == Scalar::Bool ? 1 : ir::bitWidth(type);
  if (ir::isSigned(type)) return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

// An integer type of C++, also bool; None for others.
Scalar integerType(clang::QualType type) {
  if (!type->isIntegerType()) return Scalar::None;
  const auto lowered = lowerType(type);
  return lowered && !lowered->isTile() && !lowered->isPointer() ? lowered->scalar() : Scalar::None;
}

// The value of a constant, in its own type.
std::optional<Wide> constantOf(const ir::Value *value) {
  const auto number = scalarConstant(value);
  if (!number) return std::nullopt;
  return value->type.scalar() == Scalar::U64 ? Wide(static_cast<uint64_t>(*number)) : Wide(*number);
}

// The range of an expression: its value if it is a constant, otherwise the range of the type that
// it had before C++ converted it.
Numbers numbersOf(const clang::Expr *e, const ir::Value *value) {
  if (const auto number = constantOf(value)) return {*number, *number};
  const Numbers all = numbersOf(value->type.scalar());
  const Scalar written = integerType(e->IgnoreParenImpCasts()->getType());
  if (written == Scalar::None) return all;
  const Numbers before = numbersOf(written);
  return all.holds(before) ? before : all;
}

Scalar atLeast32Bits(Scalar type) { return ir::bitWidth(type) < 32 ? Scalar::I32 : type; }

// The types of a loop: of its variable, of the comparison, of the sum.
struct Types {
  Scalar variable, compared, added;
};

// The first value past the bound that is reached from the start with a constant step. The variable
// stays between the two. nullopt if it is not known.
std::optional<Numbers> visited(const CountedLoop &loop, const Types &types, const Numbers &bound,
                               const ir::Value *lower, const ir::Value *stepValue) {
  auto step = constantOf(stepValue);
  if (!step || *step == 0) return std::nullopt;
  if (loop.isFalling) step = -*step;
  const bool isRising = *step > 0, isStrict = ir::isStrict(loop.compare);
  if (!(isRising ? ir::isLess(loop.compare) : ir::isGreater(loop.compare))) return std::nullopt;
  const auto known = constantOf(lower);
  const Numbers first = known ? Numbers{*known, *known} : numbersOf(types.variable);
  if (isRising) {
    const Wide last = bound.high - isStrict + *step;
    return Numbers{first.low, std::max(first.high, last)};
  }
  const Wide last = bound.low + isStrict + *step;
  return Numbers{std::min(first.low, last), first.high};
}

}  // namespace

std::optional<Counting> countingOf(Lowering &l, const CountedLoop &loop) {
  const Types types{integerType(loop.variable->getType()), integerType(loop.comparedIn),
                    integerType(loop.addedIn)};
  if (types.variable == Scalar::None || types.compared == Scalar::None ||
      types.added == Scalar::None)
    return std::nullopt;
  // No conversion changes anything. A signed variable does not overflow, as that is undefined.
  const bool isWide = types.variable != Scalar::Bool && ir::bitWidth(types.variable) >= 32;
  const bool isPlain = isWide && types.added == types.variable;
  if (isPlain && types.compared == types.variable) return Counting{types.variable};
  const bool isSigned = ir::isSigned(types.variable);
  if (isPlain && isSigned && ir::isSigned(types.compared)) return Counting{types.compared, true};

  // Their text consists of constants and arithmetic, which is not needed if the answer is no.
  const ir::Value *lower = lowerIr(l, loop.lower), *upper = lowerIr(l, loop.upper);
  const ir::Value *step = loop.step ? lowerIr(l, loop.step) : l.builder.constant(types.added, 1);
  const Numbers bound = numbersOf(loop.upper, upper), compared = numbersOf(types.compared);
  // Every value of the variable fits its own type and that of the comparison, so that no conversion
  // changes it.
  const auto all = visited(loop, types, bound, lower, step);
  if (all && numbersOf(types.variable).holds(*all) && compared.holds(*all))
    for (const Scalar type : {atLeast32Bits(types.variable), types.compared})
      if (ir::bitWidth(type) >= 32 && numbersOf(type).holds(*all) && numbersOf(type).holds(bound))
        return Counting{type};
  // An int that counts up from 0 or more to an unsigned bound.
  const auto first = constantOf(lower), by = constantOf(step);
  const bool isRising = by && *by > 0 && !loop.isFalling && ir::isLess(loop.compare);
  if (isPlain && isSigned && isRising && first && *first >= 0)
    return Counting{types.compared == Scalar::U32 ? Scalar::I64 : types.compared, true};
  return std::nullopt;
}

}  // namespace tile2cu::frontend
