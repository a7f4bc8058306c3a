// A small AST of CUDA. It knows nothing of Tile IR.
//
// A statement may hold lists of statements. Expressions are trees of shared, immutable nodes, so
// that a copy costs little. builder.h makes both; only the printer (printer.h) knows the text, and
// which parentheses an expression needs.
#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "emit/cuda/comment_text.h"
#include "emit/cuda/symbol.h"
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
  Name,         // the symbol of a variable, parameter or constant: row, VEC
  Word,         // what C++, CUDA or the device helpers name: true, const float*, tile2cu::exp
  Unary,        // -x
  Binary,       // x + y
  Conditional,  // x ? y : z
  Call,         // f(x, y): the function, then its arguments
  Template,     // f<4, VEC>: the template, then its arguments
  Launch,       // f<<<blocks, threads>>>: the kernel, then how it is launched
  Index,        // x[i]
  Member,       // x.value
  Braces,       // Values{x, y}: the type, if any, then the values
  Rows,         // {x, y,}: the same with a value a row
  Pointer,      // T*, a type
  Lambda,       // [&](int x, int y) { return z; }: z, then the names of the parameters; `int`
  Scoped,       // X::identity: the type
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
  // A literal's digits, a word, an operator, the name of a member; empty for a symbol.
  const std::string &spelling() const;
  // That of a name; else none.
  const Symbol &symbol() const;
  llvm::ArrayRef<Expr> operands() const;
  const Expr &operand(size_t i) const { return operands()[i]; }

  bool is(ExprKind kind) const { return node_ && this->kind() == kind; }
  bool is(ExprKind kind, llvm::StringRef spelling) const {
    return is(kind) && this->spelling() == spelling;
  }
  bool isName() const { return is(ExprKind::Name); }
  bool isName(const Symbol &symbol) const { return isName() && this->symbol() == symbol; }
  bool isLiteral() const { return is(ExprKind::Literal); }
  bool isLiteral(llvm::StringRef spelling) const { return is(ExprKind::Literal, spelling); }
  bool isNegative() const;  // a literal below 0
  // A number, a name, a word or a member of a type, which is read at a glance.
  bool isAtom() const;
  // function(x), of a function or type that is called so.
  bool isCallOf(llvm::StringRef function) const;

  bool isSameNode(const Expr &other) const { return node_ == other.node_; }

  // Its text; empty if there is none.
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
  Symbol symbol = {};
};

inline ExprKind Expr::kind() const { return node_->kind; }
inline Prec Expr::prec() const { return node_ ? node_->prec : Prec::Primary; }
inline const std::string &Expr::spelling() const { return node_->spelling; }
inline const Symbol &Expr::symbol() const { return node_->symbol; }
inline llvm::ArrayRef<Expr> Expr::operands() const { return node_->operands; }

// Calls `visit` for each node of the tree, a node before its operands.
void walk(const Expr &e, llvm::function_ref<void(const Expr &)> visit);
// Whether `holds` for a node of the tree.
bool anyOf(const Expr &e, llvm::function_ref<bool(const Expr &)> holds);
// Whether the tree mentions the symbol.
bool mentions(const Expr &e, const Symbol &symbol);

// ---- statements

struct Stmt;
using Stmts = std::vector<Stmt>;

// x, x[4], x = 0 or x{0} of a declaration. An empty extent is left out: x[].
struct Declarator {
  Symbol name;
  std::vector<Expr> extents = {};
  Expr init = {};
  bool isDirect = false;  // `init` is {0} or (0), and follows the name
  bool operator==(const Declarator &) const = default;
};

// const int x = y;
struct Declare {
  Expr type;
  std::vector<Declarator> all;
  bool isConst = false;
  bool isDroppable = false;  // where nobody reads it
  int64_t alignment = 0;     // in bytes; 0: the type's own
  bool isStatic = false;
  bool operator==(const Declare &) const = default;
};

// x = y; x += y; ++x;
struct Assign {
  Expr target;
  std::string op;  // =, +=, ++
  Expr value = {};
  bool operator==(const Assign &) const = default;
};

// f(x);
struct Eval {
  Expr value;
  bool operator==(const Eval &) const = default;
};

// In a chain, each side is one statement without braces, and a branch in `otherwise` goes on as
// `else if`.
struct If {
  Expr condition;
  Stmts then, otherwise;
  bool isShort = false;  // one statement, on the line of the condition
  bool isChain = false;
};

// for (int i = 0; i < n; ++i) { ... }; without a condition it goes on until it is left.
struct For {
  Declare start = {};
  Expr condition = {};
  Assign advance = {};
  Stmts body;
  std::string unroll = {};  // the #pragma above it, without its #pragma
  // Over the registers of a thread.
  bool isUnrolled() const { return unroll == "unroll"; }
};

struct While {
  Expr condition;
  Stmts body;
};

// int x; const T& x; T (&x)[4], by reference always; float* __restrict__ x; int x = 0
struct FunctionParameter {
  Expr type;
  Symbol name;
  std::vector<Expr> extents = {};
  bool isConst = false;
  bool isReference = false;
  bool isRestrict = false;
  Expr init = {};
  bool operator==(const FunctionParameter &) const = default;
};

// const auto f = [&](int x) { ... };
struct LocalFunction {
  Symbol name;
  std::vector<FunctionParameter> parameters;
  Stmts body;
};

// Statements that may become a function of their own, for what they do: multiply_acc.
struct Section {
  std::string role;
  Stmts body;
};

// break; continue; return x;
struct Jump {
  std::string word;
  Expr value = {};
  bool operator==(const Jump &) const = default;
};

// struct Values { ... }; or union { ... }; among the members of another one
struct Record {
  std::string word;  // with the name, if it has one
  std::string note;  // the comment at the end of the first line
  Stmts members;
};

// The call operator of a functor: float operator()(float x, float y) const { ... }
struct CallOperator {
  Expr result;
  std::vector<FunctionParameter> parameters;
  Stmts body;
};

// The part of the tile source that a comment quotes. It is not printed above a line that reads the
// same.
enum class Quote : uint8_t {
  None,
  Statement,  // the statement that follows the comment
  Head,       // the head of the loop or branch that follows, maybe after other statements
};

// One row or several.
struct Comment {
  CommentText text;
  Symbol about = {};  // the variable whose declaration follows, or none
  Quote quote = Quote::None;
  bool operator==(const Comment &) const = default;
};

struct Blank {
  bool operator==(const Blank &) const = default;
};

// A line of the tile source.
struct SourceLine {
  unsigned file = 0;  // which of the module's files
  unsigned line = 0;  // 0: none
  explicit operator bool() const { return line > 0; }
};

// The effect of a statement beyond the values that its thread computes.
enum class Effect : uint8_t {
  None,
  Synchronizes,  // a barrier, an asynchronous copy or the wait for it, an MMA
  Wgmma,         // the same, of wgmma
};

struct Stmt {
  std::variant<Declare, Assign, Eval, If, For, While, LocalFunction, Section, Jump, Record,
               CallOperator, Comment, Blank>
      node;
  std::string note = {};   // the comment at the end of its line
  SourceLine source = {};  // that it came from
  Effect effect = Effect::None;

  template <class T>
  T *as() {
    return std::get_if<T>(&node);
  }
  template <class T>
  const T *as() const {
    return std::get_if<T>(&node);
  }
};

// ---- what stands in no function

// template <int ROWS> static __device__ void f(const float* x) { ... }
struct Function {
  CommentText comment;          // rows; empty: none
  std::vector<Symbol> numbers;  // that it is a template of
  std::string head;             // static __device__ __forceinline__ void
  Expr launchBounds;            // of a kernel
  std::string name;
  std::vector<FunctionParameter> parameters;
  Stmts body;
  SourceLine source = {};  // of its head, and of statements without a line
};

// A function whose body is the user's text.
struct TextFunction {
  Function head;     // without statements
  std::string text;  // rows, the last one without its end
};

// template <int ROWS> struct Smem { ... };
struct Struct {
  std::string comment;
  std::vector<Symbol> numbers;
  Symbol name;
  Stmts members;
  SourceLine source = {};
  // After the members, in this order:
  std::vector<Struct> structs = {};
  Stmts data = {};  // variables of each object
  std::vector<Function> functions = {};
};

// So that lists grow without copies. (The moves of an llvm::SmallVector may throw.)
static_assert(std::is_nothrow_move_constructible_v<Stmt>);

// Whether `holds` for one of the statements or of those in their bodies.
bool anyOf(llvm::ArrayRef<Stmt> stmts, llvm::function_ref<bool(const Stmt &)> holds);
// Whether the statements have the same text.
bool operator==(const Stmt &a, const Stmt &b);

// The variable that an assignment to this changes: x of x, x[i], x.value and as_vec<4>(&x[i]).
// None: what a pointer points to.
Symbol assignedSymbol(const Expr &target);

// Calls `visit` for each expression of the statements, in the order in which they are printed.
void forEachExpr(const Stmt &stmt, llvm::function_ref<void(const Expr &)> visit);
void forEachExpr(const Stmts &stmts, llvm::function_ref<void(const Expr &)> visit);
// The same for the expressions outside of the statement's bodies.
void forEachOwnExpr(const Stmt &stmt, llvm::function_ref<void(const Expr &)> visit);
// Calls `visit` for each list of statements in the statement.
void forEachBody(Stmt &stmt, llvm::function_ref<void(Stmts &)> visit);
void forEachBody(const Stmt &stmt, llvm::function_ref<void(const Stmts &)> visit);
// Calls `visit` for each symbol that the statements mention: those that they declare, too.
using SymbolVisitor = llvm::function_ref<void(const Symbol &)>;
void forEachSymbol(const Stmt &stmt, SymbolVisitor visit);
void forEachSymbol(const Stmts &stmts, SymbolVisitor visit);
// The same for those that they declare.
void forEachDeclaredSymbol(const Stmts &stmts, SymbolVisitor visit);
// The same as forEachSymbol outside of the statement's bodies.
void forEachOwnSymbol(const Stmt &stmt, SymbolVisitor visit);
SymbolSet symbolsIn(const Stmts &stmts);
void addSymbols(const Expr &e, SymbolSet &symbols);
void addSymbols(const Stmts &stmts, SymbolSet &symbols);

// The statements without comments and empty lines.
Stmts withoutComments(Stmts stmts);

// Puts other symbols in the place of some wherever they stand, in comments as well.
Expr renamed(const Expr &e, const SymbolMap &names);
void rename(FunctionParameter &parameter, const SymbolMap &names);
void rename(Stmts &stmts, const SymbolMap &names);

}  // namespace tile2cu::emit
