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

Identity identityOf(llvm::StringRef kind, Scalar scalar, unsigned operand) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (kind == "sum" || kind == "xor" || kind == "or") return number(scalar, 0);
  if (kind == "prod") return number(scalar, 1);
  if (kind == "and") return number(scalar, scalar == Scalar::Bool ? 1 : -1);
  if ((kind == "argmax" || kind == "argmin") && operand == 1) return {highest(scalar), 0};
  // Numbers go before NaN, and of NaNs the one with the lower index: in a tile of nothing else
  // padding loses too.
  if ((kind == "argmax" || kind == "argmin") && isFloat(scalar))
    return {0, std::numeric_limits<double>::quiet_NaN()};
  const bool max = kind == "max" || kind == "max_nan" || kind == "argmax";
  const bool min = kind == "min" || kind == "min_nan" || kind == "argmin";
  T2C_ASSERT(max || min);
  if (isFloat(scalar)) return {0, max ? -kInf : kInf};
  if (scalar == Scalar::Bool) return {max ? 0 : 1, 0};
  return {max ? lowest(scalar) : highest(scalar), 0};
}

}  // namespace tile2cu::passes
