#include "frontend/lower/size_formula.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace tile2cu::frontend {

using ir::Dim;

namespace {

const clang::FunctionTemplateDecl *templateOf(const clang::Decl *owner) {
  const clang::FunctionTemplateDecl *head = llvm::dyn_cast<clang::FunctionTemplateDecl>(owner);
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(owner))
    head = function->getPrimaryTemplate();
  return head ? head->getCanonicalDecl() : nullptr;
}

// As Kernel::templateArguments call it: D_1 is the second of the pack D. Clang counts a pack's
// arguments from the end.
std::string nameOf(const clang::FunctionDecl *kernel,
                   const clang::SubstNonTypeTemplateParmExpr *e) {
  std::string name = e->getParameter()->getNameAsString();
  const auto fromEnd = e->getPackIndex();
  const clang::TemplateArgumentList *arguments = kernel->getTemplateSpecializationArgs();
  if (fromEnd && arguments &&
      arguments->get(e->getIndex()).getKind() == clang::TemplateArgument::Pack)
    name += "_" + std::to_string(arguments->get(e->getIndex()).pack_size() - 1 - *fromEnd);
  return name;
}

Dim sizeOfParameter(const Lowering &l, const clang::SubstNonTypeTemplateParmExpr *e,
                    int64_t value) {
  const clang::FunctionTemplateDecl *head = templateOf(e->getAssociatedDecl());
  if (!head) return value;
  for (const Frame *frame = l.frame; frame; frame = frame->caller) {
    if (!frame->function || templateOf(frame->function) != head) continue;
    if (!frame->caller) {
      const std::string name = nameOf(frame->function, e);
      return name.empty() ? Dim(value) : Dim(value, ir::Formula{{name}});
    }
    if (e->getPackIndex()) return value;
    const auto known = frame->sizes.find(e->getIndex());
    return known == frame->sizes.end() ? Dim(value) : Dim(value).orFrom(known->second);
  }
  return value;
}

// The initializer of a constant variable.
const clang::Expr *initializerOf(const clang::Expr *e) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const bool isConstant =
      variable && (variable->isConstexpr() || variable->getType().isConstQualified());
  return isConstant ? variable->getAnyInitializer() : nullptr;
}

// Without parentheses, conversions and temporaries. Clang's IgnoreParenImpCasts would also replace
// the template parameter by its value.
const clang::Expr *plain(const clang::Expr *e) {
  for (;;) {
    if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(e))
      e = paren->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e))
      e = cast->getSubExpr();
    else if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e))
      e = full->getSubExpr();
    else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
      e = temporary->getSubExpr();
    else
      return e;
  }
}

Dim sizeOfOperation(Lowering &l, const clang::BinaryOperator *operation, int64_t value) {
  static constexpr std::pair<clang::BinaryOperatorKind, ir::OpKind> kKinds[] = {
      {clang::BO_Mul, ir::OpKind::Mul},
      {clang::BO_Div, ir::OpKind::Div},
      {clang::BO_Add, ir::OpKind::Add},
      {clang::BO_Sub, ir::OpKind::Sub}};
  const auto a = constantSize(l, operation->getLHS()), b = constantSize(l, operation->getRHS());
  for (const auto &[opcode, kind] : kKinds)
    if (a && b && operation->getOpcode() == opcode) return ir::combined(kind, *a, *b, value);
  return value;
}

// The value in 64 bits, as a constant of the IR has it.
std::optional<int64_t> bitsOf(const Lowering &l, const clang::Expr *e) {
  clang::Expr::EvalResult result;
  if (e->isValueDependent() || !e->getType()->isIntegralOrEnumerationType() ||
      !e->EvaluateAsInt(result, l.context))
    return std::nullopt;
  const llvm::APSInt &number = result.Val.getInt();
  if (number.getBitWidth() > 64) return std::nullopt;
  return number.isSigned() ? number.getSExtValue() : static_cast<int64_t>(number.getZExtValue());
}

}  // namespace

std::optional<Dim> constantSize(Lowering &l, const clang::Expr *expression) {
  const clang::Expr *e = plain(expression);
  const auto value = bitsOf(l, expression), inner = bitsOf(l, e);
  if (!value || !inner) return std::nullopt;
  Dim size(*inner);
  if (const auto *parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e))
    size = sizeOfParameter(l, parameter, *inner);
  else if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e))
    size = sizeOfOperation(l, operation, *inner);
  else if (const clang::Expr *initializer = initializerOf(e))
    size = constantSize(l, initializer).value_or(*inner);
  return size == *value ? size : Dim(*value);  // a conversion or an overflow has changed it
}

static llvm::ArrayRef<clang::TemplateArgumentLoc> explicitArguments(const clang::Expr *callee) {
  callee = callee->IgnoreUnlessSpelledInSource();
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    return reference->template_arguments();
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(callee))
    return member->template_arguments();
  return {};
}

static std::optional<Dim> sizeOf(Lowering &l, const clang::TemplateArgumentLoc &argument) {
  if (argument.getArgument().getKind() != clang::TemplateArgument::Expression) return std::nullopt;
  return constantSize(l, argument.getSourceExpression());
}

llvm::SmallVector<Dim, 3> explicitSizes(Lowering &l, const clang::Expr *callee) {
  llvm::SmallVector<Dim, 3> sizes;
  for (const clang::TemplateArgumentLoc &argument : explicitArguments(callee)) {
    if (auto size = sizeOf(l, argument))
      sizes.push_back(*size);
    else if (!sizes.empty())
      break;
  }
  return sizes;
}

ir::Shape withFormulasOf(ir::Shape sizes, llvm::ArrayRef<Dim> known) {
  for (size_t i = 0; i < std::min<size_t>(sizes.size(), known.size()); ++i) {
    Dim &size = sizes[sizes.size() - 1 - i];
    size = size.orFrom(known[known.size() - 1 - i]);
  }
  return sizes;
}

void bindExplicitFormulas(Lowering &l, Frame &inner, const clang::Expr *callee) {
  unsigned index = 0;
  for (const clang::TemplateArgumentLoc &argument : explicitArguments(callee)) {
    if (auto size = sizeOf(l, argument)) inner.sizes.try_emplace(index, *size);
    ++index;
  }
}

void bindDeducedFormulas(Frame &inner, unsigned parameter, const ir::Type &argument) {
  const clang::FunctionTemplateDecl *head = inner.function->getPrimaryTemplate();
  if (!head || parameter >= head->getTemplatedDecl()->getNumParams()) return;
  const clang::QualType pattern =
      head->getTemplatedDecl()->getParamDecl(parameter)->getType().getNonReferenceType();
  const auto *tile = pattern->getAs<clang::TemplateSpecializationType>();
  if (!tile || tile->template_arguments().size() != argument.rank() + 1) return;
  for (unsigned d = 0; d < argument.rank(); ++d) {  // tile<T, M, N>
    const clang::TemplateArgument &size = tile->template_arguments()[d + 1];
    if (size.getKind() != clang::TemplateArgument::Expression || size.isPackExpansion()) continue;
    const auto *reference =
        llvm::dyn_cast<clang::DeclRefExpr>(size.getAsExpr()->IgnoreParenImpCasts());
    const auto *declared =
        reference ? llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(reference->getDecl()) : nullptr;
    if (declared && !declared->isParameterPack())
      inner.sizes.try_emplace(declared->getIndex(), argument.shape()[d]);
  }
}

}  // namespace tile2cu::frontend
