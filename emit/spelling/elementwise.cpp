// How element-wise operations are written in CUDA C++: one `spell` an operation, and one without
// does not compile. Functions of one float are rows of a table.
#include <optional>

#include "emit/spelling/cuda_scalar.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/text/prose.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

// The helper in tile2cu for a function of one float.
struct RealFunctionRow {
  OpKind kind;
  const char *fast;
  const char *precise = fast;  // in --math=precise
};

constexpr RealFunctionRow kRealFunctions[] = {
    // clang-format off
    {OpKind::Exp,      "exp",       "precise::exp"},
    {OpKind::Exp2,     "exp2",      "precise::exp2"},
    {OpKind::Log,      "log",       "precise::log"},
    {OpKind::Log2,     "log2",      "precise::log2"},
    {OpKind::Sqrt,     "sqrt",      "precise::sqrt"},
    {OpKind::Rsqrt,    "rsqrt",     "precise::rsqrt"},
    {OpKind::Sin,      "sin"},
    {OpKind::Cos,      "cos"},
    {OpKind::Tan,      "tan"},
    {OpKind::Tanh,     "tanh",      "precise::tanh"},
    {OpKind::FastTanh, "fast_tanh", "precise::tanh"},
    {OpKind::Erf,      "erf"},
    {OpKind::Floor,    "floor"},
    {OpKind::Ceil,     "ceil"},
    {OpKind::Rint,     "rint"},
    // clang-format on
};

// The functions that CUDA has under these names for double, and with an f for float.
struct LibraryRow {
  OpKind kind;
  const char *name;
};
constexpr LibraryRow kLibrary[] = {
    // clang-format off
    {OpKind::Trunc,     "trunc"},
    {OpKind::Round,     "round"},
    {OpKind::Asin,      "asin"},
    {OpKind::Acos,      "acos"},
    {OpKind::Atan,      "atan"},
    {OpKind::Sinh,      "sinh"},
    {OpKind::Cosh,      "cosh"},
    {OpKind::Asinh,     "asinh"},
    {OpKind::Acosh,     "acosh"},
    {OpKind::Atanh,     "atanh"},
    {OpKind::Exp10,     "exp10"},
    {OpKind::Expm1,     "expm1"},
    {OpKind::Log10,     "log10"},
    {OpKind::Log1p,     "log1p"},
    {OpKind::Cbrt,      "cbrt"},
    {OpKind::Erfc,      "erfc"},
    {OpKind::Erfinv,    "erfinv"},
    {OpKind::Lgamma,    "lgamma"},
    {OpKind::Tgamma,    "tgamma"},
    {OpKind::Atan2,     "atan2"},
    {OpKind::Copysign,  "copysign"},
    {OpKind::Nextafter, "nextafter"},
    {OpKind::Remainder, "remainder"},
    // clang-format on
};

constexpr const char *libraryName(OpKind kind) {
  for (const LibraryRow &row : kLibrary)
    if (row.kind == kind) return row.name;
  return nullptr;
}

constexpr const RealFunctionRow *rowOf(OpKind kind) {
  for (const RealFunctionRow &row : kRealFunctions)
    if (row.kind == kind) return &row;
  return nullptr;
}

struct Operator {
  Prec prec;
  const char *sign;
};

// The functions that return the smaller or the larger of two numbers.
struct Extremum {
  Operator ofBool;
  const char *ofInt, *ofFloat, *ofDouble;
  const char *ofOthers;  // of the other types, with the type as an argument, on the device
  const char *orNan;     // of floats: NaN if one of them is
};
constexpr Extremum kMinimum{{Prec::And, "&&"}, "min", "fminf", "fmin", "minimum", "minimum_nan"};
constexpr Extremum kMaximum{{Prec::Or, "||"}, "max", "fmaxf", "fmax", "maximum", "maximum_nan"};

// An operation, and its operands as expressions.
struct Operands {
  const Op *op;
  llvm::ArrayRef<Expr> x;
  ArithmeticStyle style;
  bool host = false;

  Scalar type() const { return op->result()->type.scalar(); }
  bool isDouble() const { return type() == Scalar::F64; }

  // ---- operands and results

  // An operand as float: 16-bit floats are computed in float.
  Expr wide(unsigned i) const {
    return isHalf(op->operand(i)->type.scalar()) ? call("float", {x[i]}) : x[i];
  }
  // A float result in the result's type.
  Expr narrow(Expr e) const { return isHalf(type()) ? call(cppType(type()), {std::move(e)}) : e; }

  // A function of floats, which are computed in float if they are narrower.
  Expr function(const std::string &name) const {
    llvm::SmallVector<Expr, 3> arguments;
    for (unsigned i = 0; i < x.size(); ++i) arguments.push_back(wide(i));
    return narrow(call(name, arguments));
  }

  // An operand where its type is plain from the other one: nullptr needs no cast there.
  Expr besideOther(unsigned i) const {
    const ConstantOp constant = ConstantOp::of(op->operand(i));
    return constant && op->operand(i)->type.isPointer() ? word("nullptr") : x[i];
  }

  bool isConstant(unsigned i) const { return passes::constantOf(op->operand(i)).has_value(); }
  // An operand. A constant that may be written as an int although it has another type gets its
  // type: a constant of 64 bits, or the name of a template argument.
  Expr wideConstant(unsigned i) const {
    if (host || !isConstant(i)) return x[i];
    const Scalar from = op->operand(i)->type.scalar();
    if (from == Scalar::I64) return call("int64_t", {x[i]});
    const bool isNamed = !x[i].isLiteral() && !x[i].is(ExprKind::Call);
    const bool isUnsigned = from == Scalar::U32 || from == Scalar::U64;
    return isUnsigned && isNamed ? call(cppType(from), {x[i]}) : x[i];
  }

  // A shift has the type of its left side: 32 is enough for uint64_t(32).
  Expr shiftAmount() const {
    const auto constant = passes::constantOf(op->operand(1));
    const bool isTyped = constant && type() == Scalar::U64 && x[1].isCallOf("uint64_t");
    return isTyped ? literal(Scalar::I32, constant->integer) : x[1];
  }

  // Arithmetic on integers narrower than int is int's in C++: the result is cut back.
  Expr cut(Expr e) const {
    bool narrowInt = isInteger(type()) && bitWidth(type()) < 32;
    return narrowInt ? call(cppType(type()), {std::move(e)}) : e;
  }

  // ---- arithmetic

  Expr negated(unsigned i) const {
    const Scalar promoted = bitWidth(type()) < 32 ? Scalar::I32 : type();
    return call("tile2cu::negate<" + cppType(promoted) + ">", {x[i]});
  }
  bool hidesNegation() const { return style.hidesNegations && isInteger(type()); }
  Expr operation(const Operator &by) const { return binary(by.prec, by.sign, x[0], x[1]); }
  Expr operation(Prec prec, const char *sign) const { return operation({prec, sign}); }
  Expr logical(const Operator &ofBool, const Operator &ofBits) const {
    return type() == Scalar::Bool ? operation(ofBool) : cut(operation(ofBits));
  }

  // Both sides have one type.
  Expr extremum(const Extremum &of, const Expr &a, const Expr &b) const {
    const Scalar scalar = type();
    auto inFloat = [&](const std::string &name) {
      if (!isHalf(scalar)) return call(name, {a, b});
      return narrow(call(name, {call("float", {a}), call("float", {b})}));
    };
    if (op->getBool(Attr::propagate_nan) && isFloat(scalar))
      return inFloat(std::string("tile2cu::") + of.orNan);
    if (scalar == Scalar::F32 || isHalf(scalar)) return inFloat(of.ofFloat);
    if (scalar == Scalar::F64) return call(of.ofDouble, {a, b});
    if (scalar == Scalar::Bool) return binary(of.ofBool.prec, of.ofBool.sign, a, b);
    if (scalar == Scalar::I32) return call(of.ofInt, {a, b});
    // CUDA's min and max are overloaded for other widths, so the type is an argument.
    const std::string name =
        host ? std::string("std::") + of.ofInt : std::string("tile2cu::") + of.ofOthers;
    return call(name + "<" + cppType(scalar) + ">", {a, b});
  }

  // Whether the terms of the second operand are added one after the other: first_row + i * 8 +
  // lane. This is right for the parts of a range's element. None of them is negative, so each
  // partial sum lies between the first operand and the result. C++ adds all of them in 64 bits if
  // the first operand has 64 bits.
  bool isFlat() const {
    if (type() != Scalar::I64 || constantInt(op->operand(0)) || isConvertedInPlace(op, 0))
      return false;
    const Value *second = op->operand(1);
    if (isConvertedInPlace(op, 1)) second = conversionOf(second)->operand(0);
    const Op *range = second->definition;
    return range && range->kind == OpKind::Arange && range->getInt(Attr::start) >= 0;
  }
};

// How arithmetic is spelled.
struct Arithmetic : Operands {
  Expr spell(const AddOp &) const {
    if (x[1].prec() == Prec::Additive && isFlat()) return cut(flatSum(x[0], x[1]));
    return cut(operation(Prec::Additive, "+"));
  }
  Expr spell(const SubOp &sub) const {
    if (constantInt(op->operand(0)) == 0 && hidesNegation()) return cut(negated(1));
    if (sub->getBool(Attr::saturates)) return call("tile2cu::saturating_sub", x);
    return cut(operation(Prec::Additive, "-"));
  }
  Expr spell(const MulOp &) const {
    // nvcc makes a shift and a negation of a product by -4.
    for (const unsigned i : {0, 1})
      if (const auto by = constantInt(op->operand(i)); by && *by < 0 && hidesNegation()) {
        const uint64_t size = uint64_t{0} - static_cast<uint64_t>(*by);
        if (size == 1) return cut(negated(1 - i));
        if (llvm::isPowerOf2_64(size) && size <= uint64_t{1} << 30)
          return cut(product(negated(1 - i), literal(type(), static_cast<int64_t>(size))));
      }
    if (style.precise && !host && isFloat(type())) return roundedProduct(type(), x[0], x[1]);
    return cut(operation(Prec::Multiplicative, "*"));
  }
  Expr spell(const DivOp &) const {
    if (host || isDouble() || !isFloat(type())) return cut(operation(Prec::Multiplicative, "/"));
    return function(style.precise ? "__fdiv_rn" : "tile2cu::fdiv");
  }
  Expr spell(const DivRnOp &) const {
    return isDouble() ? operation(Prec::Multiplicative, "/") : function("__fdiv_rn");
  }
  Expr spell(const RemOp &) const {
    if (!isFloat(type())) return cut(operation(Prec::Multiplicative, "%"));
    return function(isDouble() ? "fmod" : "fmodf");
  }
  Expr spell(const FmaOp &) const {
    if (isFloat(type())) return function(isDouble() ? "fma" : "fmaf");
    return cut(binary(Prec::Additive, "+", operation(Prec::Multiplicative, "*"), x[2]));
  }
  Expr spell(const NegOp &) const { return cut(hidesNegation() ? negated(0) : unary("-", x[0])); }
  Expr spell(const AbsOp &) const {
    return type() == Scalar::F32 || isHalf(type()) ? function("fabsf")
                                                   : call("tile2cu::absolute", x);
  }
  Expr spell(const MulhiOp &) const {
    return call(isSigned(type()) ? "tile2cu::mulhi" : "tile2cu::umulhi",
                {wideConstant(0), wideConstant(1)});  // both are overloaded
  }
  // __fadd_rz, __dmul_ru, __fmaf_rd, __fma_rn: nvcc contracts none of them.
  Expr spell(const AddRoundedOp &) const { return rounded(isDouble() ? "__dadd" : "__fadd"); }
  Expr spell(const MulRoundedOp &) const { return rounded(isDouble() ? "__dmul" : "__fmul"); }
  Expr spell(const FmaRoundedOp &) const { return rounded(isDouble() ? "__fma" : "__fmaf"); }
  Expr rounded(const std::string &function) const {
    return call(function + "_" + ir::suffixOf(*op->get(Attr::rounding)).str(), x);
  }
  Expr spell(const AddPtrOp &) const { return sum(x[0], x[1]); }

  // ---- bits

  Expr spell(const AndOp &) const { return logical({Prec::And, "&&"}, {Prec::BitAnd, "&"}); }
  Expr spell(const OrOp &) const { return logical({Prec::Or, "||"}, {Prec::BitOr, "|"}); }
  Expr spell(const XorOp &) const { return logical({Prec::Equality, "!="}, {Prec::BitXor, "^"}); }
  Expr spell(const NotOp &) const {
    return type() == Scalar::Bool ? unary("!", x[0]) : cut(unary("~", x[0]));
  }
  Expr spell(const ShlOp &) const {
    return cut(binary(Prec::Shift, "<<", wideConstant(0), shiftAmount()));
  }
  Expr spell(const ShrOp &) const { return cut(binary(Prec::Shift, ">>", x[0], shiftAmount())); }
};

// How all operations are spelled.
struct ElementWriter : Arithmetic {
  using Arithmetic::spell;

  // ---- choices

  Expr spell(const MinimumOp &) const { return extremum(kMinimum, x[0], x[1]); }
  Expr spell(const MaximumOp &) const { return extremum(kMaximum, x[0], x[1]); }
  Expr spell(const ClampOp &) const {
    return extremum(kMinimum, extremum(kMaximum, x[0], x[1]), x[2]);
  }
  Expr spell(const SelectOp &) const {
    // If both are constants, one of them is written with its type.
    if (op->result()->type.isPointer()) return conditional(x[0], besideOther(1), besideOther(2));
    return conditional(x[0], isConstant(2) ? wideConstant(1) : x[1], x[2]);
  }

  // ---- functions of floats

  template <class Function>
  Expr spellReal(const Function &) const {
    if constexpr (libraryName(Function::Kind)) {
      return library(Function::Kind);
    } else {
      static_assert(rowOf(Function::Kind), "kRealFunctions or kLibrary needs a row for it");
      const RealFunctionRow &row = *rowOf(Function::Kind);
      return function(std::string("tile2cu::") + (style.precise ? row.precise : row.fast));
    }
  }
  Expr library(OpKind kind) const {
    return function(std::string(libraryName(kind)) + (isDouble() ? "" : "f"));
  }
  Expr spellReal(const SqrtRnOp &) const { return function(isDouble() ? "sqrt" : "__fsqrt_rn"); }
  Expr spellReal(const ReciprocalOp &) const {
    if (!isDouble() && !style.precise) return function("tile2cu::reciprocal");
    const Expr one = literal(isHalf(type()) ? Scalar::F32 : type(), 1.0);
    return narrow(binary(Prec::Multiplicative, "/", one, wide(0)));
  }
  Expr spell(const PowOp &) const { return function("tile2cu::pow"); }
  Expr spell(const HypotOp &) const { return function("tile2cu::hypot"); }
  Expr spell(const Atan2Op &) const { return library(OpKind::Atan2); }
  Expr spell(const CopysignOp &) const { return library(OpKind::Copysign); }
  Expr spell(const NextafterOp &) const { return library(OpKind::Nextafter); }
  Expr spell(const RemainderOp &) const { return library(OpKind::Remainder); }

  // ---- conversions and others

  Expr spell(const HintOp &) const { return x[0]; }
  Expr spell(const CastOp &cast) const { return castOf(cast, x[0]); }
  Expr spell(const BitcastOp &bitcast) const {
    const std::string helper =
        "tile2cu::bit_cast<" + cppType(bitcast->result()->type.element()) + ">";
    // The size of the operand matters: `c ? 1 : x` is an int, whatever narrower type x has.
    const Type &from = bitcast.source()->type;
    if (from.isPointer()) return call(helper, {x[0]});
    const bool mayBeInt = isInteger(from.scalar()) && bitWidth(from.scalar()) < 32;
    return call(helper,
                {mayBeInt && x[0].prec() != Prec::Primary ? call(cppType(from.scalar()), {x[0]})
                                                          : typedLiteral(from.scalar(), x[0])});
  }
  Expr spell(const CoordinateOp &of) const {
    return call(
        of->getBool(Attr::may_be_negative) ? "tile2cu::signed_coordinate" : "tile2cu::coordinate",
        x);
  }
  Expr spell(const UniformThresholdOp &) const { return call("tile2cu::uniform_threshold", x); }
  // One random word: of an offset, or the named word of a counter's call.
  Expr spell(const RandomBitsOp &bits) const {
    const bool isNamed = bits->has(Attr::word);
    const Expr function =
        isNamed ? word("tile2cu::philox4x32") : instance("tile2cu::random_bits", {integer(1)});
    return elementOf(call(function, x), integer(isNamed ? bits->getInt(Attr::word) : 0));
  }

  Expr write() const {
    switch (op->kind) {
#define COMPARISON(Name, ...) \
  case OpKind::Name:          \
    return comparison(compareOf(op->kind), besideOther(0), besideOther(1));
#define REAL_FUNCTION(Name, ...) \
  case OpKind::Name:             \
    return spellReal(Name##Op(op));
#define ELEMENTWISE(Name, ...) \
  case OpKind::Name:           \
    return spell(Name##Op(op));
#define OP(Name, ...) \
  case OpKind::Name:  \
    break;
#include "passes/ir/ops.def"
    }
    T2C_UNREACHABLE("no element-wise operation");
  }
};

}  // namespace

bool takesExtrema(const Kernel &kernel) {
  bool found = false;
  const auto visit = [&](const Op *op) {
    const bool isInt = llvm::any_of(op->results, [](const auto &result) {
      return !result->type.isPointer() && result->type.scalar() == Scalar::I32;
    });
    const bool isExtremum =
        op->kind == OpKind::Minimum || op->kind == OpKind::Maximum || op->kind == OpKind::Clamp;
    const auto kind = op->get(Attr::kind_opt);
    const bool isOfKind = kind == ReduceKind::Max || kind == ReduceKind::Min;
    found |= isInt && (isExtremum || isOfKind);
  };
  walk(kernel.body, visit);
  if (kernel.producer) walk(*kernel.producer, visit);
  return found;
}

Expr elementwise(const Op *op, llvm::ArrayRef<Expr> operands, const ArithmeticStyle &style) {
  return ElementWriter{{{op, operands, style}}}.write();
}
llvm::StringRef approximatedBy(const Op *op) {
  if (op->numResults() == 0) return "";
  const Scalar type = op->result()->type.scalar();
  if (!isFloat(type) || type == Scalar::F64) return "";
  if (op->kind == OpKind::Div || op->kind == OpKind::Reciprocal) return "division";
  const RealFunctionRow *row = rowOf(op->kind);
  llvm::StringRef precise = row ? row->precise : "";
  return precise.consume_front("precise::") ? precise : "";
}
Expr hostElementwise(const Op *op, llvm::ArrayRef<Expr> operands) {
  return ElementWriter{{{op, operands, {.precise = true}, true}}}.write();
}

}  // namespace tile2cu::emit
