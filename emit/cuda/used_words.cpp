#include "emit/cuda/used_words.h"

#include "emit/cuda/text_words.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {

// The names in a word: const and __half of `const __half`, std::min and int64_t of
// `std::min<int64_t>`. Such a word is one node: several nodes would change what becomes a function,
// because transforms count nodes, and the numbers of tuners. So its names are the tokens of its
// spelling.
static void addNamesOf(llvm::StringRef word, std::set<std::string> &names) {
  const auto isInName = [](char c) { return isWordCharacter(c) || c == ':'; };
  while (!(word = word.drop_until(isInName)).empty()) {
    const llvm::StringRef name = word.take_while(isInName);
    names.insert(name.str());
    word = word.drop_front(name.size());
  }
}

void UsedWords::add(const Expr &e) {
  walk(e, [&](const Expr &node) {
    const llvm::StringRef spelling = node.spelling();
    // INFINITY is a number and a macro.
    const bool isMacro = node.isLiteral() && llvm::isAlpha(spelling[node.isNegative() ? 1 : 0]);
    const bool isString = spelling.starts_with("\"");
    if (isMacro || (node.is(ExprKind::Word) && !isString)) addNamesOf(spelling, all_);
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

void UsedWords::add(const TextFunction &function) {
  add(function.head);
  addNamesOf(function.head.head, all_);  // the type of the result
  addNamesOf(function.text, all_);
}

void UsedWords::add(const Struct &record) {
  add(record.members);
  for (const Struct &inside : record.structs) add(inside);
  add(record.data);
  for (const Function &function : record.functions) add(function);
}

}  // namespace tile2cu::emit
