// The text of expressions.
#include "emit/cuda/printer.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
namespace {

void printWrapped(const Expr &e, bool parentheses, std::string &out) {
  if (parentheses) out += '(';
  print(e, out);
  if (parentheses) out += ')';
}

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

void printList(llvm::ArrayRef<Expr> all, std::string &out) {
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0) out += ", ";
    print(all[i], out);
  }
}

void printBinary(const Expr &e, std::string &out) {
  const Expr &a = e.operand(0), &b = e.operand(1);
  printWrapped(a, needsParentheses(e, a, false), out);
  out += " " + e.spelling() + " ";
  printWrapped(b, needsParentheses(e, b, true), out);
}

// Two signs do not become one: -(-x).
void printUnary(const Expr &e, std::string &out) {
  const Expr &a = e.operand(0);
  const bool isSigned = a.isNegative() || a.is(ExprKind::Unary, "-");
  out += e.spelling();
  printWrapped(a, a.prec() > Prec::Unary || (e.spelling() == "-" && isSigned), out);
}

void printConditional(const Expr &e, std::string &out) {
  const Expr &condition = e.operand(0), &a = e.operand(1), &b = e.operand(2);
  printWrapped(condition, condition.prec() >= Prec::Conditional, out);
  out += " ? ";
  printWrapped(a, a.prec() >= Prec::Conditional, out);
  out += " : ";
  print(b, out);
}

// f(x, y): the first operand, then the others between the signs.
void printApplied(const Expr &e, const char *open, const char *close, std::string &out) {
  print(e.operand(0), out);
  out += open;
  printList(e.operands().drop_front(), out);
  out += close;
}

// The comma at the end keeps the rows when they are formatted.
void printRows(const Expr &e, std::string &out) {
  print(e.operand(0), out);
  out += '{';
  for (const Expr &value : e.operands().drop_front()) {
    print(value, out);
    out += ",\n";
  }
  out += '}';
}

void printLambda(const Expr &e, std::string &out) {
  out += "[&](";
  for (size_t i = 1; i < e.operands().size(); ++i)
    out += (i > 1 ? ", " : "") + e.spelling() + " " + e.operand(i).spelling();
  out += ") { return ";
  print(e.operand(0), out);
  out += "; }";
}

}  // namespace

void print(const Expr &e, std::string &out) {
  if (!e) return;
  switch (e.kind()) {
    case ExprKind::Literal:
    case ExprKind::Name:
    case ExprKind::Word:
      out += e.spelling();
      return;
    case ExprKind::Unary:
      return printUnary(e, out);
    case ExprKind::Binary:
      return printBinary(e, out);
    case ExprKind::Conditional:
      return printConditional(e, out);
    case ExprKind::Call:
      return printApplied(e, "(", ")", out);
    case ExprKind::Template:
      return printApplied(e, "<", ">", out);
    case ExprKind::Launch:
      return printApplied(e, "<<<", ">>>", out);
    case ExprKind::Braces:
      return printApplied(e, "{", "}", out);
    case ExprKind::Rows:
      return printRows(e, out);
    case ExprKind::Index:
      printWrapped(e.operand(0), e.operand(0).prec() > Prec::Primary, out);
      out += '[';
      print(e.operand(1), out);
      out += ']';
      return;
    case ExprKind::Pointer:
      print(e.operand(0), out);
      out += '*';
      return;
    case ExprKind::Lambda:
      return printLambda(e, out);
    case ExprKind::Member:
      printWrapped(e.operand(0), e.operand(0).prec() > Prec::Primary, out);
      out += "." + e.spelling();
      return;
    case ExprKind::Scoped:
      print(e.operand(0), out);
      out += "::" + e.spelling();
      return;
  }
  T2C_UNREACHABLE("no expression");
}

std::string Expr::str() const {
  std::string text;
  print(*this, text);
  return text;
}

}  // namespace tile2cu::emit
