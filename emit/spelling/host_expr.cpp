// Expressions that the launcher computes: grids and requirements. Signed numbers have 64 bits, as
// they do not overflow in the source; unsigned ones wrap around, and keep their own width.
#include "emit/spelling/host_expr.h"

#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/parameter_names.h"
#include "emit/spelling/size_expr.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
using passes::isCdiv;

void addOnce(std::vector<Expr> &all, Expr e) {
  if (llvm::none_of(all, [&](const Expr &known) { return known == e; }))
    all.push_back(std::move(e));
}

// The expression without casts to 64 bits and namespaces.
static Expr readable(const Expr &e) {
  if (e.isName()) return e;
  if (e.isCallOf("int64_t") || e.isCallOf("uint64_t")) return readable(e.operand(1));
  Expr::Node node{e.kind(), e.prec(), e.spelling(), {}};
  if (llvm::StringRef name(node.spelling); name.consume_front("tile2cu::"))
    node.spelling = name.take_until([](char c) { return c == '<'; }).str();
  for (const Expr &operand : e.operands()) node.operands.push_back(readable(operand));
  return Expr(std::move(node));
}

std::string readableText(const Value *value, const Kernel &kernel) {
  return readable(shortHostExpr(value, kernel)).str();
}

// The integer `value`, whose text is `e`, as another type.
static Expr converted(const Expr &e, const Value *value, Scalar to) {
  const Scalar from = value->type.scalar();
  const bool isKept = isSigned(from) && isSigned(to) && bitWidth(to) >= bitWidth(from);
  if (isKept || from == to) return e;
  const bool widens = isSigned(to) && bitWidth(to) > bitWidth(from);
  return call(cppType(widens ? Scalar::I64 : to), {withoutCast(e, value)});
}

// An operand of a comparison: a signed argument itself needs no width, nor does its remainder.
static Expr compared(const Expr &e, const Value *operand) {
  while (!operand->isArgument() && operand->definition->kind == OpKind::Cast)
    operand = operand->definition->operand(0);
  if (operand->isArgument()) return isSigned(operand->type.scalar()) ? withoutCast(e, operand) : e;
  const Op *op = operand->definition;
  const bool isRest = op->kind == OpKind::Rem && constantInt(op->operand(1)).value_or(0) > 0 &&
                      e.is(ExprKind::Binary, "%");
  return isRest ? binary(Prec::Multiplicative, "%", compared(e.operand(0), op->operand(0)),
                         e.operand(1))
                : e;
}

namespace {

// The names that the expressions of a function may have.
struct Scope {
  llvm::ArrayRef<Parameter> parameters;
  const Kernel *kernel = nullptr;  // whose template arguments have names there; null: they have not
  llvm::ArrayRef<TemplateArgument> arguments = {};
};

Expr hostExpr(const Value *value, const Scope &scope) {
  const Value *dividend, *divisor;
  if (isCdiv(value, dividend, divisor))
    return call(
        dividend->type.scalar() == Scalar::U64 ? "tile2cu::cdiv<uint64_t>" : "tile2cu::cdiv",
        {withoutCast(hostExpr(dividend, scope), dividend),
         withoutCast(hostExpr(divisor, scope), divisor)});
  if (value->isArgument()) {
    const Parameter &parameter = scope.parameters[value->index];
    bool widen = isInteger(parameter.type.scalar()) && isSigned(parameter.type.scalar()) &&
                 bitWidth(parameter.type.scalar()) <= 32 && !parameter.type.isPointer();
    const Expr argument = argumentOf(parameter);
    return widen ? call("int64_t", {argument}) : argument;
  }
  const Op *op = value->definition;
  Scalar type = value->type.scalar();
  if (op->kind == OpKind::Constant) {
    if (value->type.isPointer()) return nullPointer(value->type);
    if (isFloat(type)) return literal(type, op->getDouble(Attr::value));
    if (const auto size = constantDim(value); size && scope.kernel)
      if (Expr written = sizeExpr(*size, *scope.kernel, scope.arguments)) return written;
    const bool isWide = isInteger(type) && isSigned(type);
    return literal(isWide ? Scalar::I64 : type, op->getInt(Attr::value));
  }
  if (op->kind == OpKind::NumSms) return named("num_sms");
  T2C_ASSERT(op->is(Elementwise));
  llvm::SmallVector<Expr, 3> operands;
  for (Value *operand : op->operands()) operands.push_back(hostExpr(operand, scope));
  if (op->kind == OpKind::Cast && isInteger(type) && isInteger(op->operand(0)->type.scalar()))
    return converted(operands[0], op->operand(0), type);
  if (isInteger(type)) {
    const std::string of = "<" + cppType(isSigned(type) ? Scalar::I64 : type) + ">",
                      min = "std::min" + of, max = "std::max" + of;
    if (op->kind == OpKind::Minimum) return call(min, operands);
    if (op->kind == OpKind::Maximum) return call(max, operands);
    if (op->kind == OpKind::Clamp)
      return call(min, {call(max, {operands[0], operands[1]}), operands[2]});
    if (op->kind == OpKind::Abs)
      return isSigned(type) ? call(max, {operands[0], unary("-", operands[0])}) : operands[0];
  }
  if (isComparison(op->kind))
    for (unsigned i = 0; i < operands.size(); ++i)
      operands[i] = compared(operands[i], op->operand(i));
  const Expr result = hostElementwise(op, operands);
  // C++ drops the bits of a signed number that a shift moves out.
  const bool dropsBits = op->kind == OpKind::Shl && isSigned(type) && bitWidth(type) < 64;
  return dropsBits ? call(cppType(type), {result}) : result;
}

}  // namespace

Expr hostExpr(const Value *value, llvm::ArrayRef<Parameter> parameters) {
  return hostExpr(value, Scope{parameters});
}

std::vector<Expr> hostExprs(llvm::ArrayRef<const Value *> values, const Kernel &kernel) {
  const std::vector<TemplateArgument> arguments = templateArgumentsOf(kernel);
  const std::vector<Parameter> parameters = launchParametersOf(kernel);
  const Scope scope{parameters, &kernel, arguments};
  std::vector<Expr> all;
  for (const Value *value : values) all.push_back(hostExpr(value, scope));
  return all;
}

Expr hostExpr(const Value *value, const Kernel &kernel) {
  return hostExprs({value}, kernel).front();
}

Expr shortHostExpr(const Value *value, llvm::ArrayRef<Parameter> parameters) {
  return withoutCast(hostExpr(value, parameters), value);
}

Expr shortHostExpr(const Value *value, const Kernel &kernel) {
  return withoutCast(hostExpr(value, kernel), value);
}

Symbol localName(const Kernel &kernel, std::string name) {
  const std::vector<Parameter> parameters = launchParametersOf(kernel);
  auto taken = [&](const Parameter &parameter) { return parameter.object() == name; };
  while (llvm::any_of(parameters, taken)) name = "launch_" + name;
  return Symbol(name);
}

void hostDivisors(const Value *value, llvm::ArrayRef<Parameter> parameters,
                  std::vector<Expr> &divisors) {
  if (!value || value->isArgument()) return;
  const Op *op = value->definition;
  bool divides =
      (op->kind == OpKind::Div || op->kind == OpKind::Rem) && isInteger(value->type.scalar());
  if (divides && constantInt(op->operand(1)).value_or(0) == 0)
    addOnce(divisors, shortHostExpr(op->operand(1), parameters));
  for (const Value *operand : op->operands()) hostDivisors(operand, parameters, divisors);
}

}  // namespace tile2cu::emit
