// Finds the type in which a loop of the IR counts exactly as the C++ loop does. C++ converts the
// variable to compare it, and the sum to store it. The IR has one type for the variable, the bounds
// and the step.
#include <algorithm>

#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"

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

// An integer type other than bool.
bool isNumber(Scalar type) { return !ir::isFloat(type) && type != Scalar::Bool; }

// The value of a constant, in its own type.
std::optional<Wide> constantOf(const ir::Value *value) {
  const auto number = scalarConstant(value);
  if (!number) return std::nullopt;
  return value->type.scalar() == Scalar::U64 ? Wide(static_cast<uint64_t>(*number)) : Wide(*number);
}

// The range of a value: of a constant, its value; of others, that of the type that it had before
// C++ converted it.
Numbers numbersOf(const ir::Value *value) {
  if (const auto number = constantOf(value)) return {*number, *number};
  const Numbers all = numbersOf(value->type.scalar());
  const auto cast = ir::CastOp::of(value);
  if (!cast || ir::isFloat(cast.source()->type.scalar())) return all;
  const Numbers before = numbersOf(cast.source());
  return all.holds(before) ? before : all;
}

Scalar atLeast32Bits(Scalar type) { return ir::bitWidth(type) < 32 ? Scalar::I32 : type; }

// The first value past the bound that is reached from the start with a constant step. The variable
// stays between the two. nullopt if it is not known.
std::optional<Numbers> visited(const CountedLoop &loop, const Numbers &bound) {
  auto step = constantOf(loop.step);
  if (!step || *step == 0) return std::nullopt;
  if (loop.isFalling) step = -*step;
  const bool isRising = *step > 0, isStrict = ir::isStrict(loop.compare);
  if (!(isRising ? ir::isLess(loop.compare) : ir::isGreater(loop.compare))) return std::nullopt;
  const auto known = constantOf(loop.lower);
  const Numbers first = known ? Numbers{*known, *known} : numbersOf(loop.lower->type.scalar());
  if (isRising) {
    const Wide last = bound.high - isStrict + *step;
    return Numbers{first.low, std::max(first.high, last)};
  }
  const Wide last = bound.low + isStrict + *step;
  return Numbers{std::min(first.low, last), first.high};
}

}  // namespace

std::optional<Counting> countingOf(const CountedLoop &loop) {
  const Scalar variable = loop.lower->type.scalar(), compared = loop.upper->type.scalar(),
               added = loop.step->type.scalar();
  if (!isNumber(compared) || !isNumber(added)) return std::nullopt;
  // No conversion changes anything. A signed variable does not overflow, as that is undefined.
  const bool isWide = isNumber(variable) && ir::bitWidth(variable) >= 32;
  const bool isPlain = isWide && added == variable;
  if (isPlain && compared == variable) return Counting{variable};
  const bool isSigned = ir::isSigned(variable);
  const bool isWidened = isPlain && isSigned && ir::bitWidth(compared) >= ir::bitWidth(variable);
  if (isWidened && ir::isSigned(compared)) return Counting{compared, true};

  // Every value of the variable fits its own type and that of the comparison, so that no conversion
  // changes it. A sum needs a check only if its type is narrower than the variable's.
  const Numbers bound = numbersOf(loop.upper);
  const auto all = visited(loop, bound);
  const bool isSumExact =
      all && (ir::bitWidth(added) >= ir::bitWidth(variable) || numbersOf(added).holds(*all));
  if (isSumExact && numbersOf(variable).holds(*all) && numbersOf(compared).holds(*all))
    for (const Scalar type : {atLeast32Bits(variable), compared})
      if (ir::bitWidth(type) >= 32 && numbersOf(type).holds(*all) && numbersOf(type).holds(bound))
        return Counting{type};
  // An int that counts up from 0 or more to an unsigned bound.
  const auto first = constantOf(loop.lower), by = constantOf(loop.step);
  const bool isRising = by && *by > 0 && !loop.isFalling && ir::isLess(loop.compare);
  if (isWidened && isRising && first && *first >= 0)
    return Counting{compared == Scalar::U32 ? Scalar::I64 : compared, true};
  return std::nullopt;
}

}  // namespace tile2cu::frontend
