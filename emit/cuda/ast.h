// A small AST of CUDA. It knows nothing of Tile IR.
//
// Expressions are trees of shared, immutable nodes, so that copying one costs nothing. What a tree
// prints as, with just the parentheses that it needs, is the printer's business (printer.h);
// builder.h makes trees.
#pragma once
#include <memory>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
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

enum class ExprKind : uint8_t {
  Literal,      // a number: 1024, 1.5f, -1, INFINITY
  Name,         // a variable, parameter or constant of the emitted text: row, VEC
  Word,         // what C++, CUDA or the device helpers name: true, const float*, tile2cu::exp
  Unary,        // -x
  Binary,       // x + y
  Conditional,  // x ? y : z
  Call,         // f(x, y): the function, then its arguments
  Template,     // f<4, VEC>: the template, then its arguments
  Index,        // x[i]
  Member,       // x.value
  Braces,       // Values{x, y}: the type, then the values
  Verbatim,     // text that no node stands for yet
};

// An expression, or none.
class Expr {
 public:
  struct Node;

  Expr() = default;
  explicit Expr(Node node);

  explicit operator bool() const { return node_ != nullptr; }
  ExprKind kind() const;
  Prec prec() const;
  // A literal's digits, a name, an operator, the name of a member.
  const std::string &spelling() const;
  llvm::ArrayRef<Expr> operands() const;
  const Expr &operand(size_t i) const { return operands()[i]; }

  bool is(ExprKind kind) const { return node_ && this->kind() == kind; }
  bool is(ExprKind kind, llvm::StringRef spelling) const {
    return is(kind) && this->spelling() == spelling;
  }
  bool isName() const { return is(ExprKind::Name); }
  bool isLiteral() const { return is(ExprKind::Literal); }
  bool isLiteral(llvm::StringRef spelling) const { return is(ExprKind::Literal, spelling); }
  bool isNegative() const;  // a literal below 0
  // A number, a name or a word, which is read at a glance.
  bool isAtom() const;
  // function(x), of a function or type that is called so.
  bool isCallOf(llvm::StringRef function) const;

  // What it prints as; empty if there is none.
  std::string str() const;

  friend bool operator==(const Expr &a, const Expr &b);

 private:
  std::shared_ptr<const Node> node_;
};

struct Expr::Node {
  ExprKind kind;
  Prec prec = Prec::Primary;
  std::string spelling = {};
  llvm::SmallVector<Expr, 2> operands = {};
};

inline ExprKind Expr::kind() const { return node_->kind; }
inline Prec Expr::prec() const { return node_ ? node_->prec : Prec::Primary; }
inline const std::string &Expr::spelling() const { return node_->spelling; }
inline llvm::ArrayRef<Expr> Expr::operands() const { return node_->operands; }

// Calls `visit` for each node of the tree, a node before its operands.
void walk(const Expr &e, llvm::function_ref<void(const Expr &)> visit);
// Whether `holds` for a node of the tree.
bool anyOf(const Expr &e, llvm::function_ref<bool(const Expr &)> holds);
// Whether the tree mentions the name.
bool mentions(const Expr &e, llvm::StringRef name);

}  // namespace tile2cu::emit
