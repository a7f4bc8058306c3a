#include "emit/cuda/used_words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {

void UsedWords::add(const Expr &e) {
  walk(e, [&](const Expr &node) {
    const std::string &spelling = node.spelling();
    // INFINITY is a number and a macro.
    const bool isMacro =
        node.isLiteral() && llvm::isAlpha(node.isNegative() ? spelling[1] : spelling[0]);
    const bool isString = llvm::StringRef(spelling).starts_with("\"");
    if (isMacro || (node.is(ExprKind::Word) && !isString)) all_.insert(spelling);
  });
}

void UsedWords::add(const Stmts &stmts) {
  forEachExpr(stmts, [&](const Expr &e) { add(e); });
}

void UsedWords::add(llvm::ArrayRef<FunctionParameter> parameters) {
  for (const FunctionParameter &parameter : parameters) {
    add(parameter.type);
    for (const Expr &extent : parameter.extents) add(extent);
    add(parameter.init);
  }
}

void UsedWords::add(const Function &function) {
  add(function.launchBounds);
  add(function.parameters);
  add(function.body);
}

void UsedWords::add(const Struct &record) { add(record.members); }

bool UsedWords::contain(llvm::StringRef text) const {
  return llvm::any_of(all_, [&](llvm::StringRef word) { return word.contains(text); });
}

}  // namespace tile2cu::emit
