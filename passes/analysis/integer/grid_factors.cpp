#include "passes/analysis/integer/grid_factors.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

// Whether the operation returns its operand if that is 1 or more.
static bool isWider(const Op *op) {
  return op->kind == OpKind::Cast && isSigned(op->result()->type.scalar()) &&
         isInteger(op->operand(0)->type.scalar()) &&
         bitWidth(op->result()->type.scalar()) >= bitWidth(op->operand(0)->type.scalar());
}

static bool isSignedProduct(const Op *op) {
  const Scalar type = op->kind == OpKind::Mul ? op->result()->type.scalar() : Scalar::Bool;
  return isInteger(type) && isSigned(type);
}

static void addFactors(const Value *value, std::vector<const Value *> &factors) {
  const Op *op = value->definition;
  while (op && isWider(op)) op = op->operand(0)->definition;
  if (!op || !isSignedProduct(op)) {
    factors.push_back(value);
    return;
  }
  for (const Value *factor : op->operands()) addFactors(factor, factors);
}

std::vector<const Value *> factorsOf(const Value *extent) {
  std::vector<const Value *> factors, ordered;
  addFactors(extent, factors);
  for (const bool isConstant : {true, false})
    llvm::copy_if(factors, std::back_inserter(ordered), [&](const Value *factor) {
      return constantInt(factor).has_value() == isConstant;
    });
  return ordered;
}

bool productFits(const std::vector<const Value *> &factors) {
  constexpr __int128 most = std::numeric_limits<int64_t>::max();
  __int128 product = 1;
  for (const Value *factor : factors) {
    const auto range = rangeOf(factor, Assume::Nothing);
    if (!range) return false;
    product *= std::max<__int128>({1, range->high, -__int128{range->low}});
    if (product > most) return false;
  }
  return true;
}

bool isAtMostIntMax(const Value *number) {
  const Value *dividend, *divisor;
  if (isCdiv(number, dividend, divisor))
    return constantInt(divisor).value_or(0) > 0 && isAtMostIntMax(dividend);
  const Scalar type = number->type.scalar();
  if (!isInteger(type)) return false;
  const bool isInt = isSigned(type) ? bitWidth(type) <= 32 : bitWidth(type) < 32;
  if (number->isArgument()) return isInt;
  const Op *op = number->definition;
  const auto fits = [](const Value *operand) { return isAtMostIntMax(operand); };
  if (op->kind == OpKind::Constant || op->kind == OpKind::NumSms) return isInt;
  if (op->kind == OpKind::Cast) return isWidening(op) && fits(op->operand(0));
  if (op->kind == OpKind::Div)
    return constantInt(op->operand(1)).value_or(0) > 0 && fits(op->operand(0));
  if (op->kind == OpKind::Minimum) return isSigned(type) && llvm::any_of(op->operands(), fits);
  if (op->kind == OpKind::Maximum) return isSigned(type) && llvm::all_of(op->operands(), fits);
  return false;
}

bool GridFactors::contains(const Value *value) {
  if (const auto known = known_.find(value->serial); known != known_.end()) return known->second;
  const bool isFactor = llvm::any_of(value->users, [&](const Op *user) {
    if (user->kind == OpKind::Grid) return true;
    return (isWider(user) || isSignedProduct(user)) && contains(user->result());
  });
  known_[value->serial] = isFactor;
  return isFactor;
}

}  // namespace tile2cu::passes
