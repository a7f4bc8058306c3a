#include "emit/spelling/size_expr.h"

#include "llvm/Support/MathExtras.h"

namespace tile2cu::emit {
using namespace ir;

Expr sizeExpr(const Dim &size, const Kernel &kernel, llvm::ArrayRef<TemplateArgument> inText) {
  const Formula *formula = size.formula();
  if (!formula || !llvm::isInt<32>(size)) return {};
  const auto find = [&](const std::string &name) -> const TemplateArgument * {
    for (size_t i = 0; i < inText.size(); ++i)
      if (kernel.templateArguments[i].name == name && inText[i].integer) return &inText[i];
    return nullptr;
  };
  Expr e;
  int64_t product = formula->times;
  if (product != 1 && product != -1) e = integer(product);
  for (const std::string &name : formula->names) {
    const TemplateArgument *argument = find(name);
    if (!argument || !llvm::isInt<32>(*argument->integer)) return {};
    product *= *argument->integer;
    if (!llvm::isInt<32>(product)) return {};  // named numbers are ints
    const Expr factor = named(Symbol(argument->name));
    e = e ? binary(Prec::Multiplicative, "*", e, factor) : factor;
  }
  if (product / formula->over + formula->plus != size) return {};
  if (formula->over != 1) e = binary(Prec::Multiplicative, "/", e, integer(formula->over));
  if (formula->times == -1) e = unary("-", e);
  if (formula->plus == 0) return e;
  return binary(Prec::Additive, formula->plus < 0 ? "-" : "+", e, integer(std::abs(formula->plus)));
}

}  // namespace tile2cu::emit
