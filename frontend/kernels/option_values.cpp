#include "frontend/kernels/option_values.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "fmt/format.h"
#include "frontend/clang/lower_type.h"

namespace tile2cu::frontend {
using ir::DiagId;

namespace {

// Where the user wrote this member's value.
clang::SourceLocation placeOf(const clang::Expr *options, const clang::FieldDecl *field) {
  const clang::Expr *inner = options;
  while (true) {
    inner = inner->IgnoreParenImpCasts();
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    else if (const auto *full = llvm::dyn_cast<clang::FullExpr>(inner))
      inner = full->getSubExpr();
    else
      break;
  }
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(inner)) {
    if (const clang::InitListExpr *semantic = list->getSemanticForm()) list = semantic;
    if (field->getFieldIndex() < list->getNumInits()) {
      auto place = list->getInit(field->getFieldIndex())->getExprLoc();
      if (place.isValid()) return place;
    }
  }
  return options->getBeginLoc();
}

std::string allowed(const OptionLimits &limits) {
  return fmt::format("{} to {}{}", std::max<int64_t>(limits.least, 1), limits.most,
                     limits.least < 1 ? ", or 0 to let the compiler choose" : "");
}

}  // namespace

std::optional<std::map<std::string, int64_t>> checkOptions(
    const clang::APValue &options, const clang::CXXRecordDecl *type,
    llvm::ArrayRef<OptionLimits> limits, const clang::Expr *text, clang::SourceLocation loc,
    SourceText &source, ir::Diagnostics &diagnostics) {
  std::map<std::string, int64_t> values;
  bool isRight = true;
  for (const clang::FieldDecl *field : type->fields()) {
    const clang::APValue &value = options.getStructField(field->getFieldIndex());
    if (!value.isInt()) continue;
    const std::string name = field->getNameAsString();
    const int64_t number = values[name] = value.getInt().getExtValue();
    for (const OptionLimits &limit : limits) {
      if (limit.name != name || (number >= limit.least && number <= limit.most)) continue;
      diagnostics.report(DiagId::OptionRange, source.locate(text ? placeOf(text, field) : loc),
                         {name, std::to_string(number), allowed(limit)});
      isRight = false;
    }
  }
  return isRight ? std::optional(std::move(values)) : std::nullopt;
}

std::optional<std::map<std::string, int64_t>> evaluateOptions(const clang::ASTContext &context,
                                                              const clang::Expr *options,
                                                              llvm::ArrayRef<OptionLimits> limits,
                                                              SourceText &source,
                                                              ir::Diagnostics &diagnostics) {
  clang::Expr::EvalResult result;
  const clang::CXXRecordDecl *record = asRecord(options->getType());
  if (!record || options->isValueDependent() || !options->EvaluateAsRValue(result, context) ||
      !result.Val.isStruct()) {
    diagnostics.report(DiagId::OptionNotConstant, source.locate(options->getExprLoc()));
    return std::nullopt;
  }
  return checkOptions(result.Val, record, limits, options, options->getExprLoc(), source,
                      diagnostics);
}

}  // namespace tile2cu::frontend
