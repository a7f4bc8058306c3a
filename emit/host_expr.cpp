// What the launcher computes: grids and requirements, in 64 bits.
#include "emit/host_expr.h"

#include <algorithm>

#include "emit/scalar_text.h"
#include "passes/cdiv.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
using passes::isCdiv;

// int64_t(n) by itself is n.
std::string withoutCast(std::string text) {
  if (text.rfind("int64_t(", 0) == 0 && text.find(')') == text.size() - 1)
    return text.substr(8, text.size() - 9);
  return text;
}

std::string gridText(const Value *value, const Kernel &kernel) {
  const Value *a, *b;
  if (isCdiv(value, a, b)) {
    std::string divisor = gridText(b, kernel);
    for (const TemplateArgument &argument : kernel.templateArguments)
      if (argument.integer && constantInt(b) == argument.integer &&
          (b->name.empty() || passes::throughCasts(b)->result()->name == argument.name))
        divisor = argument.name;
    return "cdiv(" + gridText(a, kernel) + ", " + divisor + ")";
  }
  return withoutCast(hostExpr(value, kernel).text);
}

Expr hostExpr(const Value *value, const Kernel &kernel) {
  const Value *dividend, *divisor;
  if (isCdiv(value, dividend, divisor))
    return call("tile2cu::cdiv", {primary(withoutCast(hostExpr(dividend, kernel).text)),
                                  primary(withoutCast(hostExpr(divisor, kernel).text))});
  if (value->isArgument()) {
    const Parameter &parameter = kernel.parameters[value->index];
    bool widen = isInteger(parameter.type.scalar()) && bitWidth(parameter.type.scalar()) <= 32 &&
                 !parameter.type.isPointer();
    return widen ? call("int64_t", {primary(parameter.name)}) : primary(parameter.name);
  }
  const Op *op = value->definition;
  Scalar type = value->type.scalar();
  if (op->kind == OpKind::Constant) {
    if (isFloat(type)) return literal(type, op->getDouble("value"));
    return literal(type == Scalar::Bool ? type : Scalar::I64, op->getInt("value"));
  }
  if (op->kind == OpKind::NumSms) return primary("num_sms");
  T2C_ASSERT(op->is(Elementwise));
  llvm::SmallVector<Expr, 3> operands;
  for (Value *operand : op->operands()) operands.push_back(hostExpr(operand, kernel));
  // Everything is 64 bits wide here: widening casts say nothing.
  if (op->kind == OpKind::Cast && isInteger(type) && isInteger(op->operand(0)->type.scalar()))
    return operands[0];
  if ((op->kind == OpKind::Minimum || op->kind == OpKind::Maximum) && isInteger(type))
    return call(op->kind == OpKind::Minimum ? "std::min<int64_t>" : "std::max<int64_t>", operands);
  // A comparison of the arguments themselves needs no width.
  if (isComparison(op->kind))
    for (Expr &e : operands)
      if (std::string plain = withoutCast(e.text); plain != e.text) e = primary(plain);
  return hostElementwise(op, operands);
}

void hostDivisors(const Value *value, const Kernel &kernel, std::vector<std::string> &divisors) {
  if (!value || value->isArgument()) return;
  const Op *op = value->definition;
  bool divides =
      (op->kind == OpKind::Div || op->kind == OpKind::Rem) && isInteger(value->type.scalar());
  if (divides && constantInt(op->operand(1)).value_or(0) == 0) {
    std::string text = withoutCast(hostExpr(op->operand(1), kernel).text);
    if (std::find(divisors.begin(), divisors.end(), text) == divisors.end())
      divisors.push_back(text);
  }
  for (const Value *operand : op->operands()) hostDivisors(operand, kernel, divisors);
}

}  // namespace tile2cu::emit
