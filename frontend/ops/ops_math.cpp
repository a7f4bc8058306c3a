// Element-wise functions: math, extremes, selection, conversions, random bits.
#include <optional>

#include "frontend/lower/convert.h"
#include "frontend/ops/operations.h"
#include "passes/ir/text/prose.h"

namespace tile2cu::frontend {

using ir::OpKind;
using ir::Scalar;

static ir::Type withElement(const ir::Type &type, Scalar scalar) {
  return ir::Type(ir::Element{scalar, false, false}, type.shape());
}

// Only arguments that are values, not options.
static llvm::SmallVector<ir::Value *, 3> values(Lowering &l, const Operation &operation) {
  llvm::SmallVector<ir::Value *, 3> result;
  for (unsigned i = 0; i < operation.arguments.size(); ++i)
    if (!isOption(operation.arguments[i], "propagate_nan_t"))
      result.push_back(argument(l, operation, i));
  return result;
}

static ir::Value *apply(Lowering &l, const Operation &operation,
                        llvm::ArrayRef<ir::Value *> operands, const ir::Type &type) {
  llvm::SmallVector<ir::Value *, 3> converted;
  for (ir::Value *operand : operands) converted.push_back(convert(l, operand, type));
  return l.builder.create(operation.kind, converted, {type})->result();
}

// Element-wise functions, computed in the type of the result; the 16-bit types compute in float.
Val lowerMath(Lowering &l, const Operation &operation) {
  const auto operands = values(l, operation);
  ir::Type result = resultOf(operation, operands);
  Scalar in = ir::isHalf(result.scalar()) ? Scalar::F32 : result.scalar();
  ir::Value *value = apply(l, operation, operands, withElement(result, in));
  return convertElement(l, value, result.scalar());
}

// add_rz: the end of the name says how the result is rounded.
Val lowerRounded(Lowering &l, const Operation &operation) {
  using ir::Rounding;
  const Val result = lowerMath(l, operation);
  for (const Rounding each :
       {Rounding::Nearest, Rounding::TowardZero, Rounding::Up, Rounding::Down})
    if (operation.name.ends_with(ir::suffixOf(each)))
      result.value->definition->set(ir::Attr::rounding, each);
  return result;
}

// The value of an integer literal, which may have a sign.
static std::optional<int64_t> literalOf(const clang::Expr *expression) {
  expression = expression->IgnoreParenImpCasts();
  const auto *minus = llvm::dyn_cast<clang::UnaryOperator>(expression);
  const bool isNegative = minus && minus->getOpcode() == clang::UO_Minus;
  if (isNegative) expression = minus->getSubExpr()->IgnoreParens();
  const auto *literal = llvm::dyn_cast<clang::IntegerLiteral>(expression);
  if (!literal || literal->getValue().getActiveBits() > 63) return std::nullopt;
  const auto value = int64_t(literal->getValue().getZExtValue());
  return isNegative ? -value : value;
}

// max(x, 0) has the form of a reduction in Triton and NumPy.
static void warnOfAxis(Lowering &l, const Operation &operation,
                       llvm::ArrayRef<ir::Value *> operands) {
  const std::string name = operation.callee->getNameAsString();
  if ((name != "max" && name != "min") || !operands[0]->type.isTile()) return;
  const auto axis = literalOf(operation.arguments[1]);
  const int64_t rank = operands[0]->type.rank();
  if (!axis || *axis < -rank || *axis >= rank) return;
  const std::string text = std::to_string(*axis);
  l.error(ir::DiagId::ExtremeWithAxis, operation.loc,
          {name + "(x, " + text + ")", operation.name.str(), text, name});
}

Val lowerExtreme(Lowering &l, const Operation &operation) {
  const auto operands = values(l, operation);
  warnOfAxis(l, operation, operands);
  ir::Value *value = apply(l, operation, operands, resultOf(operation, operands));
  for (const clang::Expr *option : operation.arguments)
    if (ir::isFloat(value->type.scalar()) && isOption(option, "propagate_nan_t"))
      value->definition->setBool(ir::Attr::propagate_nan, true);
  return value;
}

Val lowerWhere(Lowering &l, const Operation &operation) {
  ir::Value *condition = argument(l, operation, 0);
  ir::Value *onTrue = argument(l, operation, 1), *onFalse = argument(l, operation, 2);
  const ir::Type result = resultOf(operation, {condition, onTrue, onFalse});
  onTrue = convertExactly(l, onTrue, result);
  onFalse = convertExactly(l, onFalse, result);
  return l.builder.select(convert(l, condition, withElement(result, Scalar::Bool)), onTrue,
                          onFalse);
}

Val lowerCastOperation(Lowering &l, const Operation &operation) {
  Scalar to = resultOf(operation).scalar();
  ir::Value *source = argument(l, operation, 0);
  bool towardZero =
      operation.arguments.size() > 1 && optionValue(l, operation.arguments[1]).value_or(0) == 1;
  // Constants are folded to the nearest number, so only conversions without a mode can be folded.
  if (towardZero && source->type.scalar() != to) {
    ir::Value *value = l.builder.cast(source, to);
    value->definition->set(ir::Attr::rounding, ir::Rounding::TowardZero);
    return value;
  }
  return to == Scalar::Bool ? toBool(l, source) : convertElement(l, source, to);
}

Val lowerBitcast(Lowering &l, const Operation &operation) {
  ir::Value *source = argument(l, operation, 0);
  ir::Type result = resultOf(operation, {source});
  if (source->type.sameTile(result)) return source;
  return l.builder.create(OpKind::Bitcast, {source}, {result})->result();
}

Val lowerRandomBits(Lowering &l, const Operation &operation) {
  ir::Value *seed = convertElement(l, argument(l, operation, 0), Scalar::U64);
  ir::Value *offsets = argument(l, operation, 1);
  if (ir::bitWidth(offsets->type.scalar()) < 32) offsets = convertElement(l, offsets, Scalar::I32);
  return l.builder.create(OpKind::RandomBits, {seed, offsets}, {resultOf(operation, {offsets})})
      ->result();
}

// The operand is the counter itself: an offset 4 c + w would overflow for counters from 2^62 on.
Val lowerPhilox(Lowering &l, const Operation &operation) {
  ir::Value *seed = convertElement(l, argument(l, operation, 0), Scalar::U64);
  ir::Value *counter = convertElement(l, argument(l, operation, 1), Scalar::U64);
  std::vector<Val> words;
  for (int64_t word = 0; word < 4; ++word) {
    ir::Op *bits = l.builder.create(OpKind::RandomBits, {seed, counter},
                                    {counter->type.withScalar(Scalar::U32)});
    bits->setInt(ir::Attr::word, word);
    words.emplace_back(bits->result());
  }
  return Val::aggregate(std::move(words));
}

}  // namespace tile2cu::frontend
