#include "frontend/tuning.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::frontend {

using ir::DiagId;

namespace {

struct Reader {
  clang::ASTContext &context;
  SourceText &source;
  const clang::FunctionDecl *kernel;
  ir::Diagnostics &diagnostics;
  bool ok = true;

  void report(DiagId id, clang::SourceLocation loc, std::vector<std::string> arguments = {}) {
    diagnostics.report(id, source.locate(loc), arguments);
    ok = false;
  }

  // The value of an argument: a struct of names and numbers.
  std::optional<clang::APValue> evaluate(const clang::Expr *e) {
    clang::Expr::EvalResult result;
    if (!e->isValueDependent() && e->EvaluateAsRValue(result, context) && result.Val.isStruct())
      return result.Val;
    report(DiagId::OptionNotConstant, e->getExprLoc());
    return std::nullopt;
  }

  // The text that a value of type const char* points to, where it is a literal; null if it is none.
  static const clang::StringLiteral *literal(const clang::APValue &value) {
    if (!value.isLValue() || value.isNullPointer() || !value.getLValueOffset().isZero())
      return nullptr;
    const auto *e = value.getLValueBase().dyn_cast<const clang::Expr *>();
    return llvm::dyn_cast_or_null<clang::StringLiteral>(e);
  }

  // The parameter that a name is of; `e`: where to report names that are not literals.
  std::string parameter(const clang::APValue &name, const clang::Expr *e, bool isPointer) {
    const clang::StringLiteral *text = literal(name);
    if (!text) {
      report(DiagId::OptionNotConstant, e->getExprLoc());
      return "";
    }
    const std::string wanted = text->getString().str();
    const auto *found = llvm::find_if(
        kernel->parameters(), [&](const clang::ParmVarDecl *p) { return p->getName() == wanted; });
    if (found == kernel->param_end())
      report(DiagId::TuneNoParameter, text->getBeginLoc(), {kernel->getNameAsString(), wanted});
    else if (isPointer && !(*found)->getType()->isPointerType())
      report(DiagId::TuneNotPointer, text->getBeginLoc(), {wanted});
    else if (!isPointer && !(*found)->getType()->isIntegerType())
      report(DiagId::TuneNotInteger, text->getBeginLoc(), {wanted});
    return wanted;
  }

  void readKey(const clang::Expr *e, ir::Tuning &tuning) {
    auto value = evaluate(e);
    if (!value) return;
    const clang::APValue &names = value->getStructField(0);
    for (unsigned i = 0; i + 1 < names.getArraySize(); ++i)
      tuning.key.push_back(parameter(elementOf(names, i), e, false));
  }

  void readPreserve(const clang::Expr *e, ir::Tuning &tuning) {
    auto value = evaluate(e);
    if (!value) return;
    ir::Tuning::Memory &memory = tuning.preserved.emplace_back();
    memory.pointer = parameter(value->getStructField(0), e, true);
    memory.loc = source.locate(e->getExprLoc());
    const clang::APValue &sizes = value->getStructField(1);
    for (unsigned i = 0; i < sizes.getArraySize(); ++i) {
      const clang::APValue &size = elementOf(sizes, i);
      memory.sizes.push_back(size.getStructField(0).isNullPointer()
                                 ? std::to_string(size.getStructField(1).getInt().getExtValue())
                                 : parameter(size.getStructField(0), e, false));
    }
  }

  static const clang::APValue &elementOf(const clang::APValue &array, unsigned i) {
    return i < array.getArrayInitializedElts() ? array.getArrayInitializedElt(i)
                                               : array.getArrayFiller();
  }
};

}  // namespace

std::optional<ir::Tuning> tuningOf(clang::ASTContext &context, SourceText &source,
                                   const clang::CallExpr *tune, const clang::FunctionDecl *kernel,
                                   ir::Diagnostics &diagnostics) {
  Reader reader{context, source, kernel, diagnostics};
  ir::Tuning tuning;
  for (unsigned i = 0; i < tune->getNumArgs(); ++i) {
    const clang::Expr *argument = tune->getArg(i);
    const clang::CXXRecordDecl *type = argument->getType()->getAsCXXRecordDecl();
    if (!type) continue;
    if (i == 0)
      reader.readKey(argument, tuning);
    else if (type->getName() == "Preserved")
      reader.readPreserve(argument, tuning);
  }
  if (!reader.ok) return std::nullopt;
  return tuning;
}

}  // namespace tile2cu::frontend
