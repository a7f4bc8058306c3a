#include "passes/ir/dim.h"

#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tile2cu::ir {
namespace {

// Times and over these numbers, reduced; none if they are too large, or the formula is a sum.
std::optional<Formula> reduced(Formula formula, int64_t times, int64_t over) {
  if (formula.plus != 0 || times == 0 || over <= 0 ||
      llvm::MulOverflow(formula.times, times, formula.times) ||
      llvm::MulOverflow(formula.over, over, formula.over))
    return std::nullopt;
  const int64_t common = std::gcd(formula.times, formula.over);
  formula.times /= common;
  formula.over /= common;
  return formula;
}

bool isName(llvm::StringRef text) {
  auto isPart = [](char c) {
    return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && !llvm::isDigit(text[0]) && llvm::all_of(text, isPart);
}

}  // namespace

std::string Formula::str() const {
  std::string text = times == 1 ? "" : std::to_string(times) + "*";
  text += llvm::join(names, "*");
  if (over != 1) text += "/" + std::to_string(over);
  if (plus != 0) text += (plus > 0 ? "+" : "") + std::to_string(plus);
  return text;
}

std::optional<Formula> Formula::parse(llvm::StringRef text) {
  Formula formula;
  int64_t plus = 0;
  const size_t sign = text.find_first_of("+-", 1);
  llvm::StringRef summand = text.substr(std::min(sign, text.size()));
  if (summand.consume_front("+") ? summand.getAsInteger(10, plus)
                                 : !summand.empty() && summand.getAsInteger(10, plus))
    return std::nullopt;
  auto [product, divisor] = text.take_front(sign).split('/');
  int64_t times = 1, over = 1;
  if (product.size() < std::min(sign, text.size()) && divisor.getAsInteger(10, over))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 4> factors;
  product.split(factors, '*');
  for (size_t i = 0; i < factors.size(); ++i) {
    if (i == 0 && !factors[i].getAsInteger(10, times)) continue;
    if (!isName(factors[i])) return std::nullopt;
    formula.names.push_back(factors[i].str());
  }
  if (formula.names.empty()) return std::nullopt;
  auto result = reduced(std::move(formula), times, over);
  if (result) result->plus = plus;
  return result;
}

bool Dim::hasFormulaOf(const Dim &other) const {
  if (formula_ == other.formula_) return true;
  return formula_ && other.formula_ && *formula_ == *other.formula_;
}

// Constants of a program are sizes as well, so these take any two numbers. A result that needs more
// than 64 bits wraps around, and has no formula.
Dim Dim::times(const Dim &factor) const {
  int64_t value = 0;
  if (llvm::MulOverflow(value_, factor.value_, value)) return value;
  const Dim product(value);
  if (!formula_) {
    if (!factor.formula_) return product;
    const auto formula = reduced(*factor.formula_, value_, 1);
    return formula ? Dim(product, *formula) : product;
  }
  if (factor.formula_ && factor.formula_->plus != 0) return product;
  auto formula = factor.formula_ ? reduced(*formula_, factor.formula_->times, factor.formula_->over)
                                 : reduced(*formula_, factor.value_, 1);
  if (!formula) return product;
  if (factor.formula_) llvm::append_range(formula->names, factor.formula_->names);
  return {product, *formula};
}

Dim Dim::over(int64_t divisor) const {
  const Dim quotient(value_ / divisor);
  if (!formula_ || value_ % divisor != 0) return quotient;
  const auto formula = reduced(*formula_, 1, divisor);
  return formula ? Dim(quotient, *formula) : quotient;
}

Dim Dim::plus(int64_t summand) const {
  int64_t sum = 0;
  if (llvm::AddOverflow(value_, summand, sum) || !formula_) return sum;
  Formula formula = *formula_;
  if (llvm::AddOverflow(formula.plus, summand, formula.plus)) return sum;
  return {sum, formula};
}

std::string Dim::str() const {
  return std::to_string(value_) + (formula_ ? ":" + formula_->str() : "");
}

}  // namespace tile2cu::ir
