// How conversions between element types are written in CUDA C++.
#include <optional>

#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

// float has every value of Narrow (bool, and integers below 32 bits), F8 and F16, but not of the
// others.
enum class Source : uint8_t { Narrow, Int32, Int64, F8, F16, F32, F64 };
enum class Target : uint8_t { Int, F8, F16, F32, F64 };

// How the operand is written first: as it is; with its type, where it is a literal of another one;
// as float; as float, rounded toward zero.
enum class Via : uint8_t { AsIs, Typed, Float, FloatRz };

struct Conversion {
  Via via;
  // The type of the result, $T, or a helper in tile2cu, where $N is the name of a 16-bit float.
  const char *function;
};

// Rounding toward zero twice gives the same as once, because each 16-bit and 8-bit float is a float
// too. Rounding to the nearest twice does not, so no row for that goes by way of float. The
// exception is 8-bit floats, which have no other conversion from integers: integers that a float
// rounds are out of their range.
struct CastRow {
  Source from;
  Target to;
  Conversion nearest;
  std::optional<Conversion> towardZero = {};  // none: the same
};

constexpr CastRow kCasts[] = {
    // clang-format off
    {Source::Narrow, Target::Int, {Via::AsIs,  "$T"}},
    {Source::Narrow, Target::F8,  {Via::Float, "$T"}, {{Via::Float, "to_float8_rz<$T>"}}},
    {Source::Narrow, Target::F16, {Via::Float, "to_$N"}, {{Via::Float, "to_$N_rz"}}},
    {Source::Narrow, Target::F32, {Via::AsIs,  "$T"}},
    {Source::Narrow, Target::F64, {Via::AsIs,  "$T"}},

    {Source::Int32,  Target::Int, {Via::AsIs,  "$T"}},
    {Source::Int32,  Target::F8,  {Via::Float, "$T"}, {{Via::FloatRz, "to_float8_rz<$T>"}}},
    {Source::Int32,  Target::F16, {Via::Typed, "to_$N"}, {{Via::FloatRz, "to_$N_rz"}}},
    {Source::Int32,  Target::F32, {Via::AsIs,  "$T"}, {{Via::Typed, "to_float_rz"}}},
    {Source::Int32,  Target::F64, {Via::AsIs,  "$T"}},

    {Source::Int64,  Target::Int, {Via::AsIs,  "$T"}},
    {Source::Int64,  Target::F8,  {Via::Float, "$T"}, {{Via::FloatRz, "to_float8_rz<$T>"}}},
    {Source::Int64,  Target::F16, {Via::Typed, "to_$N"}, {{Via::FloatRz, "to_$N_rz"}}},
    {Source::Int64,  Target::F32, {Via::AsIs,  "$T"}, {{Via::Typed, "to_float_rz"}}},
    {Source::Int64,  Target::F64, {Via::AsIs,  "$T"}, {{Via::Typed, "to_double_rz"}}},

    {Source::F8,     Target::Int, {Via::Float, "$T"}},
    {Source::F8,     Target::F8,  {Via::Float, "$T"}, {{Via::Float, "to_float8_rz<$T>"}}},
    {Source::F8,     Target::F16, {Via::Float, "$T"}, {{Via::Float, "to_$N_rz"}}},
    {Source::F8,     Target::F32, {Via::AsIs,  "$T"}},
    {Source::F8,     Target::F64, {Via::Float, "$T"}},

    {Source::F16,    Target::Int, {Via::Float, "$T"}},
    {Source::F16,    Target::F8,  {Via::Float, "$T"}, {{Via::Float, "to_float8_rz<$T>"}}},
    {Source::F16,    Target::F16, {Via::Float, "to_$N"}, {{Via::Float, "to_$N_rz"}}},
    {Source::F16,    Target::F32, {Via::AsIs,  "$T"}},
    {Source::F16,    Target::F64, {Via::Float, "$T"}},

    {Source::F32,    Target::Int, {Via::AsIs,  "$T"}},
    {Source::F32,    Target::F8,  {Via::AsIs,  "$T"}, {{Via::AsIs, "to_float8_rz<$T>"}}},
    {Source::F32,    Target::F16, {Via::AsIs,  "$T"}, {{Via::AsIs, "to_$N_rz"}}},
    {Source::F32,    Target::F32, {Via::AsIs,  "$T"}},
    {Source::F32,    Target::F64, {Via::AsIs,  "$T"}},

    {Source::F64,    Target::Int, {Via::AsIs,  "$T"}},
    {Source::F64,    Target::F8,  {Via::AsIs,  "to_float8<$T>"},
                                                      {{Via::FloatRz, "to_float8_rz<$T>"}}},
    {Source::F64,    Target::F16, {Via::Typed, "to_$N"}, {{Via::FloatRz, "to_$N_rz"}}},
    {Source::F64,    Target::F32, {Via::AsIs,  "$T"}, {{Via::Typed, "to_float_rz"}}},
    {Source::F64,    Target::F64, {Via::AsIs,  "$T"}},
    // clang-format on
};

// The rows are in the order of the enumerators.
constexpr const CastRow &rowOf(Source from, Target to) {
  return kCasts[static_cast<size_t>(from) * 5 + static_cast<size_t>(to)];
}
constexpr bool areInOrder() {
  for (size_t i = 0; i < std::size(kCasts); ++i)
    if (static_cast<size_t>(kCasts[i].from) != i / 5 || static_cast<size_t>(kCasts[i].to) != i % 5)
      return false;
  return std::size(kCasts) == 7 * 5;
}
static_assert(areInOrder());

Source sourceOf(Scalar scalar) {
  if (isFloat8(scalar)) return Source::F8;
  if (isHalf(scalar)) return Source::F16;
  if (isFloat(scalar)) return scalar == Scalar::F32 ? Source::F32 : Source::F64;
  if (bitWidth(scalar) < 32) return Source::Narrow;
  return bitWidth(scalar) == 32 ? Source::Int32 : Source::Int64;
}

Target targetOf(Scalar scalar) {
  T2C_ASSERT(scalar != Scalar::Bool);
  if (isFloat8(scalar)) return Target::F8;
  if (isHalf(scalar)) return Target::F16;
  if (isFloat(scalar)) return scalar == Scalar::F32 ? Target::F32 : Target::F64;
  return Target::Int;
}

const char *helperName(Scalar half) { return half == Scalar::F16 ? "half" : "bfloat16"; }

Expr operandVia(Via via, Scalar from, const Expr &e) {
  switch (via) {
    case Via::AsIs:
      return e;
    case Via::Typed:
      return typedLiteral(from, e);
    case Via::Float:
      return call("float", {e});
    case Via::FloatRz:
      return call("tile2cu::to_float_rz", {typedLiteral(from, e)});
  }
  llvm_unreachable("every way is listed");
}

std::string functionOf(std::string text, Scalar to) {
  if (text == "$T") return cppType(to);
  if (const size_t at = text.find("$T"); at != std::string::npos) text.replace(at, 2, cppType(to));
  if (const size_t at = text.find("$N"); at != std::string::npos)
    text.replace(at, 2, helperName(to));
  return "tile2cu::" + text;
}

// The smallest of the integers that are cast, if the bits of a 16-bit float can hold all of them
// (convert_ptx.cuh).
std::optional<int64_t> leastOfSmall(const CastOp &cast, Scalar to) {
  const Value *source = cast.source();
  if (!cast->result()->type.isTile() || !isInteger(source->type.scalar())) return std::nullopt;
  const auto range = passes::rangeOf(source, passes::Assume::Launched);
  const int64_t count = to == Scalar::F16 ? 1024 : 128;
  if (!range || range->low < -count || range->low > count || range->high >= range->low + count)
    return std::nullopt;
  return range->low;
}

}  // namespace

Expr castOf(const CastOp &cast, const Expr &e) {
  const Scalar from = cast.source()->type.scalar(), to = cast->result()->type.scalar();
  if (from == to) return e;
  if (to == Scalar::Bool) {
    const bool isSmall = isHalf(from) || isFloat8(from);
    return isSmall ? binary(Prec::Equality, "!=", call("float", {e}), digits("0.0f"))
                   : binary(Prec::Equality, "!=", e, literal(from, int64_t{0}));
  }
  if (const auto least = isHalf(to) ? leastOfSmall(cast, to) : std::nullopt) {
    const std::string helper = std::string("tile2cu::small_to_") + helperName(to);
    return call(helper + "<" + std::to_string(*least) + ">",
                {bitWidth(from) > 32 ? call("int", {e}) : e});
  }
  const CastRow &row = rowOf(sourceOf(from), targetOf(to));
  const bool towardZero = cast->get(Attr::rounding) == Rounding::TowardZero && row.towardZero;
  const Conversion &how = towardZero ? *row.towardZero : row.nearest;
  return call(functionOf(how.function, to), {operandVia(how.via, from, e)});
}

}  // namespace tile2cu::emit
