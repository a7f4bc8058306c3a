// The functions of the standard library that tile functions may call: <cmath> on scalars, std::min
// and std::max, std::get, std::tie, std::move.
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_call.h"
#include "frontend/lower/lower_expr.h"

namespace tile2cu::frontend {
namespace {

using ir::OpKind;
using ir::Scalar;

struct MathRow {
  llvm::StringRef name;
  OpKind kind;
};
constexpr MathRow kMath[] = {
    {"exp", OpKind::Exp},      {"exp2", OpKind::Exp2},      {"log", OpKind::Log},
    {"log2", OpKind::Log2},    {"sqrt", OpKind::Sqrt},      {"sin", OpKind::Sin},
    {"cos", OpKind::Cos},      {"tan", OpKind::Tan},        {"tanh", OpKind::Tanh},
    {"erf", OpKind::Erf},      {"floor", OpKind::Floor},    {"ceil", OpKind::Ceil},
    {"rint", OpKind::Rint},    {"nearbyint", OpKind::Rint}, {"fabs", OpKind::Abs},
    {"abs", OpKind::Abs},      {"labs", OpKind::Abs},       {"llabs", OpKind::Abs},
    {"fmin", OpKind::Minimum}, {"fmax", OpKind::Maximum},   {"fma", OpKind::Fma},
    {"pow", OpKind::Pow},      {"fmod", OpKind::Rem},       {"rsqrt", OpKind::Rsqrt},
};

// A function of the C library, and not one of the program that has the same name.
bool isGlobalC(const clang::FunctionDecl *callee) {
  if (callee->isExternC()) return !callee->isDefined();
  return callee->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         callee->getASTContext().getSourceManager().isInSystemHeader(callee->getLocation());
}

std::optional<OpKind> mathKind(const clang::FunctionDecl *callee) {
  if (!callee->getIdentifier()) return std::nullopt;
  if (!callee->isInStdNamespace() && !isGlobalC(callee)) return std::nullopt;
  llvm::StringRef name = callee->getName();
  name.consume_front("__builtin_");
  auto find = [&](llvm::StringRef text) -> std::optional<OpKind> {
    for (const MathRow &row : kMath)
      if (row.name == text) return row.kind;
    return std::nullopt;
  };
  if (auto kind = find(name)) return kind;
  return name.consume_back("f") ? find(name) : std::nullopt;
}

Val lowerMathCall(Lowering &l, const clang::CallExpr *call, OpKind kind) {
  auto type = lowerType(call->getType());
  if (!type || type->isPointer()) return l.placeholder(call->getType());
  llvm::SmallVector<ir::Value *, 3> operands;
  for (const clang::Expr *e : call->arguments())
    operands.push_back(convertElement(l, lowerIr(l, e), type->scalar()));
  return l.builder.create(kind, operands, {*type})->result();
}

// std::min and std::max, which prefer their first argument when neither is less.
Val lowerMinMax(Lowering &l, const clang::CallExpr *call, bool isMax) {
  ir::Value *a = lowerIr(l, call->getArg(0)), *b = lowerIr(l, call->getArg(1));
  b = convert(l, b, a->type);
  if (!ir::isFloat(a->type.scalar()))
    return l.builder.binary(isMax ? OpKind::Maximum : OpKind::Minimum, a, b);
  ir::Value *less = isMax ? arithmetic(l, OpKind::Lt, a, b) : arithmetic(l, OpKind::Lt, b, a);
  return l.builder.select(less, b, a);
}

bool isNamed(const clang::FunctionDecl *callee, llvm::StringRef name) {
  return callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == name;
}

}  // namespace

std::optional<llvm::SmallVector<unsigned, 2>> stdElement(const clang::FunctionDecl *get,
                                                         clang::QualType type) {
  const llvm::SmallVector<int64_t, 3> numbers = integerTemplateArguments(get);
  const clang::CXXRecordDecl *record = asRecord(type);
  if (numbers.empty() || !record || !record->isInStdNamespace()) return std::nullopt;
  const auto index = static_cast<unsigned>(numbers[0]);
  if (stdTupleElements(type)) return {{index}};
  const llvm::SmallVector<clang::FieldDecl *, 2> fields(record->fields());
  if (record->getName() == "pair" && index < fields.size()) return {{fieldIndex(fields[index])}};
  if (record->getName() == "array" && fields.size() == 1 && fields[0]->getType()->isArrayType())
    return {{fieldIndex(fields[0]), index}};
  return std::nullopt;
}

bool isStdCall(const clang::FunctionDecl *callee) {
  if (mathKind(callee)) return true;
  for (llvm::StringRef name :
       {"min", "max", "get", "move", "forward", "as_const", "make_tuple", "tie"})
    if (isNamed(callee, name)) return true;
  return false;
}

Val lowerStdCall(Lowering &l, const clang::CallExpr *call, const clang::FunctionDecl *callee) {
  if (auto kind = mathKind(callee)) return lowerMathCall(l, call, *kind);
  llvm::StringRef name = callee->getName();
  if ((name == "min" || name == "max") && call->getNumArgs() == 2)
    return lowerMinMax(l, call, name == "max");
  std::vector<Val> fields;
  if (name == "tie") {
    for (const clang::Expr *e : call->arguments())
      fields.push_back(Val::reference(lowerReferent(l, e)));
    return Val::aggregate(std::move(fields));
  }
  if (name == "make_tuple") {
    for (const clang::Expr *e : call->arguments()) {
      if (hasOwnCopy(e->getType()))
        l.reject(e->getExprLoc(), "a std::tuple of objects with a copy constructor",
                 "use a struct");
      fields.push_back(lowerValue(l, e));
    }
    return Val::aggregate(std::move(fields));
  }
  if (name == "get" && call->getNumArgs() == 1) {
    if (const auto path = stdElement(callee, call->getArg(0)->getType())) {
      Val value = lowerValue(l, call->getArg(0));
      for (const unsigned index : *path) {
        if (index >= value.fields.size()) return l.placeholder(call->getType());
        Val field = value.fields[index];
        value = std::move(field);
      }
      return value;
    }
  } else if (call->getNumArgs() == 1) {
    return lowerValue(l, call->getArg(0));
  }
  l.error(ir::DiagId::NotTileFunction, call->getExprLoc(), {callee->getQualifiedNameAsString()});
  return l.placeholder(call->getType());
}

}  // namespace tile2cu::frontend
