// The table of operations: annotation name -> handler. Handlers live in ops_*.cpp.
#include "frontend/ops/operations.h"

#include <set>

#include "clang/AST/ExprCXX.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/size_formula.h"

namespace tile2cu::frontend {

const OperationRow *findOperation(llvm::StringRef name) {
  using K = ir::OpKind;
  static const llvm::StringMap<OperationRow> table = {
#define OPERATION(name, handler, kind) {name, {handler, K::kind}},
#include "frontend/ops/operations.def"
  };
  if (auto it = table.find(name); it != table.end()) return &it->second;
  // An element-wise function without side effects needs no row.
  static llvm::StringMap<OperationRow> plain;
  auto kind = ir::kindFromMnemonic(name);
  if (!kind || !(ir::traits(*kind) & ir::Elementwise) || (ir::traits(*kind) & ir::View))
    return nullptr;
  return &plain.try_emplace(name, OperationRow{lowerMath, *kind}).first->second;
}

ir::Type resultOf(const Operation &operation, llvm::ArrayRef<ir::Value *> operands) {
  auto type = lowerType(operation.resultType);
  if (type) {
    ir::Shape shape = type->shape();
    for (const ir::Value *operand : operands)
      shape = withFormulasOf(std::move(shape), operand->type.shape());
    return type->withShape(shape);
  }
  operation.lowering->reject(operation.loc,
                             "a value of type '" + operation.resultType.getAsString() + "'",
                             "use one of the language's element types");
  return ir::Type(ir::Scalar::I32);
}

ir::Type statedResultOf(const Operation &operation) {
  const ir::Type type = resultOf(operation);
  if (!operation.calleeExpr) return type;
  return type.withShape(
      withFormulasOf(type.shape(), explicitSizes(*operation.lowering, operation.calleeExpr)));
}

ir::Value *argument(Lowering &l, const Operation &operation, unsigned index) {
  return lowerIr(l, operation.arguments[index]);
}

llvm::SmallVector<int64_t, 3> integerTemplateArguments(const clang::FunctionDecl *callee) {
  llvm::SmallVector<int64_t, 3> numbers;
  const clang::TemplateArgumentList *arguments = callee->getTemplateSpecializationArgs();
  if (!arguments) return numbers;
  for (const clang::TemplateArgument &argument : arguments->asArray()) {
    if (argument.getKind() == clang::TemplateArgument::Integral) {
      numbers.push_back(argument.getAsIntegral().getExtValue());
    } else if (argument.getKind() == clang::TemplateArgument::Pack) {
      for (const clang::TemplateArgument &element : argument.pack_elements())
        if (element.getKind() == clang::TemplateArgument::Integral)
          numbers.push_back(element.getAsIntegral().getExtValue());
      if (!numbers.empty()) break;
    } else if (!numbers.empty()) {
      break;
    }
  }
  return numbers;
}

bool isOption(const clang::Expr *argument, llvm::StringRef name) {
  const clang::TagDecl *tag = argument->getType().getNonReferenceType()->getAsTagDecl();
  return tag && isLanguageName(tag, name);
}

std::optional<int64_t> optionValue(Lowering &l, const clang::Expr *argument) {
  auto value = l.evaluateInt(argument);
  if (!value) l.error(ir::DiagId::OptionNotConstant, argument->getExprLoc());
  return value;
}

// Some cache operators are only for loads or only for stores, others for both.
static void checkCache(Lowering &l, const clang::Expr *argument, const ir::Op *op) {
  const auto cache = op->get(ir::Attr::cache);
  if (!cache || ir::takesCache(op->kind, *cache)) return;
  const std::string word = ir::wordOf(*cache).str();
  const clang::SourceLocation at = argument->getExprLoc();
  if (op->kind == ir::OpKind::Load)
    l.error(ir::DiagId::CacheOption, at, {word, "stores", "load", "ca, cg, cs or cv"});
  else
    l.error(ir::DiagId::CacheOption, at, {word, "loads", "store", "wb, cg, cs or wt"});
}

void setOptions(Lowering &l, const Operation &operation, ir::Op *op) {
  static constexpr std::pair<llvm::StringRef, ir::AttrId> kOptions[] = {
      {"cache", ir::Attr::cache},
      {"evict", ir::Attr::evict},
      {"memory_order", ir::Attr::memory_order},
      {"scope", ir::Attr::scope}};
  std::set<ir::AttrId> given;
  for (const clang::Expr *argument : operation.arguments)
    for (auto &[type, attribute] : kOptions) {
      if (!isOption(argument, type)) continue;
      auto value = optionValue(l, argument);
      if (!value) continue;
      if (!given.insert(attribute).second)
        l.error(ir::DiagId::OptionTwice, argument->getExprLoc(), {type.str()});
      const auto *enumeration = llvm::cast<clang::EnumDecl>(argument->getType()->getAsTagDecl());
      for (const clang::EnumConstantDecl *word : enumeration->enumerators())
        if (word->getInitVal().getExtValue() == *value && word->getName() != "by_default")
          op->attributes.set(attribute, *ir::enumFromWord(ir::typeOf(attribute), word->getName()));
      if (type == "cache") checkCache(l, argument, op);
    }
}

}  // namespace tile2cu::frontend
