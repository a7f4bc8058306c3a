#include "passes/analysis/value/reduction_identity.h"

#include <limits>

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::passes {
using namespace ir;

namespace {
int64_t lowest(Scalar scalar) {
  if (!isSigned(scalar)) return 0;
  return -(int64_t{1} << (bitWidth(scalar) - 2)) * 2;
}
int64_t highest(Scalar scalar) {
  unsigned bits = bitWidth(scalar) - (isSigned(scalar) ? 1 : 0);
  return bits == 64   ? -1
         : bits == 63 ? std::numeric_limits<int64_t>::max()
                      : (int64_t{1} << bits) - 1;
}

Identity number(Scalar scalar, int64_t value) {
  return isFloat(scalar) ? Identity{0, static_cast<double>(value)} : Identity{value, 0};
}

}  // namespace

// The number that loses against every other one.
static Identity worst(Scalar scalar, bool isMax) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (isFloat(scalar)) return {0, isMax ? -kInf : kInf};
  if (scalar == Scalar::Bool) return {isMax ? 0 : 1, 0};
  return {isMax ? lowest(scalar) : highest(scalar), 0};
}

Identity identityOf(ReduceKind kind, Scalar scalar, unsigned operand) {
  switch (kind) {
    case ReduceKind::Sum:
    case ReduceKind::Xor:
    case ReduceKind::Or:
      return number(scalar, 0);
    case ReduceKind::Prod:
      return number(scalar, 1);
    case ReduceKind::And:
      return number(scalar, scalar == Scalar::Bool ? 1 : -1);
    case ReduceKind::Max:
    case ReduceKind::MaxNan:
      return worst(scalar, true);
    case ReduceKind::Min:
    case ReduceKind::MinNan:
      return worst(scalar, false);
    case ReduceKind::Argmax:
    case ReduceKind::Argmin:
      if (operand == 1) return {highest(scalar), 0};
      // Numbers precede NaN, and of two NaNs the one with the lower index goes first: so padding
      // loses in a tile of NaNs too.
      if (isFloat(scalar)) return {0, std::numeric_limits<double>::quiet_NaN()};
      return worst(scalar, kind == ReduceKind::Argmax);
  }
  llvm_unreachable("every kind is listed");
}

}  // namespace tile2cu::passes
