// The text of expressions.
#include "emit/cuda/printer.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
namespace {

bool isBitwise(Prec prec) {
  return prec == Prec::Shift || prec == Prec::BitAnd || prec == Prec::BitXor || prec == Prec::BitOr;
}

bool isComparison(Prec prec) { return prec == Prec::Relational || prec == Prec::Equality; }

// Whether an operand of a binary operation needs parentheses. Readers are not asked to know the
// precedence of & | ^ << >>, so operands of these get them as well, and so do comparisons that are
// compared: a != (b < c).
bool needsParentheses(const Expr &operation, const Expr &operand, bool isRight) {
  const Prec prec = operation.prec(), inner = operand.prec();
  if (inner <= Prec::Unary) return false;
  if (inner > prec || (isRight && inner == prec)) return true;
  if (isComparison(prec)) return isComparison(inner);
  if (inner == prec) return prec == Prec::Shift;  // a & b & c, but (a << b) << c
  return isBitwise(prec) || (prec == Prec::Or && inner == Prec::And);
}

void append(const Symbol &symbol, std::string &out) { out += symbol.wanted(); }
void append(const Symbol &symbol, CommentText &out) { out += symbol; }

// Text is a std::string, or a CommentText, in which symbols stay what they are.
template <class Text>
class ExprPrinter {
 public:
  explicit ExprPrinter(Text &out) : out_(out) {}

  void print(const Expr &e) {
    if (!e) return;
    switch (e.kind()) {
      case ExprKind::Name:
        return append(e.symbol(), out_);
      case ExprKind::Literal:
      case ExprKind::Word:
        out_ += e.spelling();
        return;
      case ExprKind::Unary:
        return unary(e);
      case ExprKind::Binary:
        return binary(e);
      case ExprKind::Conditional:
        return conditional(e);
      case ExprKind::Call:
        return applied(e, "(", ")");
      case ExprKind::Template:
        return applied(e, "<", ">");
      case ExprKind::Launch:
        return applied(e, "<<<", ">>>");
      case ExprKind::Braces:
        return applied(e, "{", "}");
      case ExprKind::Rows:
        return rows(e);
      case ExprKind::Index:
        wrapped(e.operand(0), e.operand(0).prec() > Prec::Primary);
        out_ += "[";
        print(e.operand(1));
        out_ += "]";
        return;
      case ExprKind::Pointer:
        print(e.operand(0));
        out_ += "*";
        return;
      case ExprKind::Lambda:
        return lambda(e);
      case ExprKind::Member:
        wrapped(e.operand(0), e.operand(0).prec() > Prec::Primary);
        out_ += "." + e.spelling();
        return;
      case ExprKind::Scoped:
        print(e.operand(0));
        out_ += "::" + e.spelling();
        return;
    }
    T2C_UNREACHABLE("no expression");
  }

 private:
  void wrapped(const Expr &e, bool parentheses) {
    if (parentheses) out_ += "(";
    print(e);
    if (parentheses) out_ += ")";
  }
  void list(llvm::ArrayRef<Expr> all) {
    for (size_t i = 0; i < all.size(); ++i) {
      if (i > 0) out_ += ", ";
      print(all[i]);
    }
  }
  void binary(const Expr &e) {
    const Expr &a = e.operand(0), &b = e.operand(1);
    wrapped(a, needsParentheses(e, a, false));
    out_ += " " + e.spelling() + " ";
    wrapped(b, needsParentheses(e, b, true));
  }
  // Two signs do not become one: -(-x).
  void unary(const Expr &e) {
    const Expr &a = e.operand(0);
    const bool isSigned = a.isNegative() || a.is(ExprKind::Unary, "-");
    out_ += e.spelling();
    wrapped(a, a.prec() > Prec::Unary || (e.spelling() == "-" && isSigned));
  }
  void conditional(const Expr &e) {
    const Expr &condition = e.operand(0), &a = e.operand(1), &b = e.operand(2);
    wrapped(condition, condition.prec() >= Prec::Conditional);
    out_ += " ? ";
    wrapped(a, a.prec() >= Prec::Conditional);
    out_ += " : ";
    print(b);
  }
  // f(x, y): the first operand, then the others between the signs.
  void applied(const Expr &e, const char *open, const char *close) {
    print(e.operand(0));
    out_ += open;
    list(e.operands().drop_front());
    out_ += close;
  }
  // The comma at the end keeps the rows when they are formatted.
  void rows(const Expr &e) {
    print(e.operand(0));
    out_ += "{";
    for (const Expr &value : e.operands().drop_front()) {
      print(value);
      out_ += ",\n";
    }
    out_ += "}";
  }
  void lambda(const Expr &e) {
    out_ += "[&](";
    for (size_t i = 1; i < e.operands().size(); ++i) {
      out_ += (i > 1 ? ", " : "") + e.spelling() + " ";
      print(e.operand(i));
    }
    out_ += ") { return ";
    print(e.operand(0));
    out_ += "; }";
  }

  Text &out_;
};

}  // namespace

void print(const Expr &e, std::string &out) { ExprPrinter(out).print(e); }
void print(const Expr &e, CommentText &out) { ExprPrinter(out).print(e); }

std::string Expr::str() const {
  std::string text;
  print(*this, text);
  return text;
}

}  // namespace tile2cu::emit
