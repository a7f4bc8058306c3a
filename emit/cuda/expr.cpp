#include "emit/cuda/expr.h"

#include <cctype>

namespace tile2cu::emit {

bool Expr::isName() const {
  if (text.empty() || (!std::isalpha(static_cast<unsigned char>(text[0])) && text[0] != '_'))
    return false;
  for (char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

bool Expr::isLiteral() const {
  if (text.empty()) return false;
  size_t at = text[0] == '-' ? 1 : 0;
  if (text == "INFINITY" || text == "-INFINITY") return true;
  return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) &&
         text.find(' ') == std::string::npos;
}

Expr primary(std::string text) { return {std::move(text), Prec::Primary}; }

static std::string wrapped(const Expr &e, bool parentheses) {
  return parentheses ? "(" + e.text + ")" : e.text;
}

static bool confusing(Prec prec) {
  return prec == Prec::Shift || prec == Prec::BitAnd || prec == Prec::BitXor || prec == Prec::BitOr;
}

Expr binary(Prec prec, llvm::StringRef op, const Expr &a, const Expr &b) {
  auto needs = [&](const Expr &e, bool right) {
    if (e.prec == Prec::Primary || e.prec == Prec::Unary) return false;
    if (e.prec > prec || (right && e.prec == prec)) return true;
    if (e.prec == prec)
      return op == "-" || op == "/" || op == "%"
                 ? right
                 : confusing(prec) && op != "&" && op != "|" && op != "^";
    return confusing(prec) || (prec == Prec::Or && e.prec == Prec::And);
  };
  return {wrapped(a, needs(a, false)) + " " + op.str() + " " + wrapped(b, needs(b, true)), prec};
}

Expr bothOf(const Expr &a, const Expr &b) {
  if (a.text.empty()) return b;
  if (b.text.empty()) return a;
  return {wrapped(a, a.prec > Prec::And) + " && " + wrapped(b, b.prec > Prec::And), Prec::And};
}

std::string guard(const Expr &condition) {
  return condition.text.empty() ? "" : "if (" + condition.text + ") ";
}

Expr unary(llvm::StringRef op, const Expr &a) {
  bool parentheses = a.prec > Prec::Unary || (op == "-" && !a.text.empty() && a.text[0] == '-');
  return {op.str() + wrapped(a, parentheses), Prec::Unary};
}

Expr conditional(const Expr &condition, const Expr &a, const Expr &b) {
  return {wrapped(condition, condition.prec >= Prec::Conditional) + " ? " +
              wrapped(a, a.prec >= Prec::Conditional) + " : " +
              wrapped(b, b.prec > Prec::Conditional),
          Prec::Conditional};
}

Expr call(llvm::StringRef function, llvm::ArrayRef<Expr> arguments) {
  std::string text = function.str() + "(";
  for (size_t i = 0; i < arguments.size(); ++i) text += (i ? ", " : "") + arguments[i].text;
  return primary(text + ")");
}

Expr subscript(const std::string &name, llvm::ArrayRef<std::string> indices) {
  std::string text = name;
  for (const std::string &index : indices) text += "[" + index + "]";
  return primary(text);
}

Expr sum(const Expr &a, const Expr &b) {
  if (a.text == "0") return b;
  if (b.text == "0") return a;
  if (b.isLiteral() && b.text[0] == '-')
    return binary(Prec::Additive, "-", a, primary(b.text.substr(1)));
  return binary(Prec::Additive, "+", a, b);
}

Expr product(const Expr &a, const Expr &b) {
  if (a.text == "0" || b.text == "0") return primary("0");
  if (a.text == "1") return b;
  if (b.text == "1") return a;
  return binary(Prec::Multiplicative, "*", a, b);
}

bool isWordCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || byte >= 0x80;
}

size_t findWord(const std::string &text, const std::string &name, size_t from) {
  for (size_t at = text.find(name, from); at != std::string::npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    bool begins = at == 0 || !isWordCharacter(text[at - 1]);
    if (begins && (end == text.size() || !isWordCharacter(text[end]))) return at;
  }
  return std::string::npos;
}

bool mentions(const std::string &text, const std::string &name) {
  return findWord(text, name) != std::string::npos;
}

void replaceWord(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = findWord(text, from); at != std::string::npos;
       at = findWord(text, from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string withoutNumber(const std::string &name) {
  const size_t last = name.find_last_not_of("0123456789");
  const bool isNumbered =
      last != std::string::npos && last > 0 && last + 1 < name.size() && name[last] == '_';
  return isNumbered ? name.substr(0, last) : name;
}

}  // namespace tile2cu::emit
