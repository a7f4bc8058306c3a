// C++ expressions with just the parentheses that they need.
#pragma once
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

// C++'s precedence, tighter first.
enum class Prec : int {
  Primary = 0,
  Unary,
  Multiplicative,
  Additive,
  Shift,
  Relational,
  Equality,
  BitAnd,
  BitXor,
  BitOr,
  And,
  Or,
  Conditional,
};

struct Expr {
  std::string text;
  Prec prec = Prec::Primary;

  bool isName() const;     // an identifier
  bool isLiteral() const;  // a number
  bool isAtom() const { return isName() || isLiteral(); }
};

Expr primary(std::string text);
// `a op b`; readers are not asked to know the precedence of & | ^ << >>, so these get parentheses next to anything else.
Expr binary(Prec prec, llvm::StringRef op, const Expr &a, const Expr &b);
// `a && b`; one of them alone where the other has no text.
Expr bothOf(const Expr &a, const Expr &b);
// "if (condition) ", and nothing without a condition.
std::string guard(const Expr &condition);
Expr unary(llvm::StringRef op, const Expr &a);
Expr conditional(const Expr &condition, const Expr &a, const Expr &b);
Expr call(llvm::StringRef function, llvm::ArrayRef<Expr> arguments);
// name[index][index]...
Expr subscript(const std::string &name, llvm::ArrayRef<std::string> indices);

// `a + b`, `a * b` for index arithmetic: 0 and 1 vanish.
Expr sum(const Expr &a, const Expr &b);
Expr product(const Expr &a, const Expr &b);

// A letter, digit or underscore, or a byte of a letter beyond ASCII.
bool isWordCharacter(char c);
// Where the identifier `name` next occurs in `text`; npos if nowhere.
size_t findWord(const std::string &text, const std::string &name, size_t from = 0);
// Whether it occurs.
bool mentions(const std::string &text, const std::string &name);
// Writes `to` wherever it occurs.
void replaceWord(std::string &text, const std::string &from, const std::string &to);
// ROW_STEPS of ROW_STEPS_2; others as they are.
std::string withoutNumber(const std::string &name);

}  // namespace tile2cu::emit
