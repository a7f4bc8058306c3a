#include "emit/cuda/printer.h"

#include "llvm/ADT/StringExtras.h"
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

// Whether an operand of a binary operation needs parentheses. Readers are not asked to know the
// precedence of & | ^ << >>, so operands of these get them as well.
bool needsParentheses(const Expr &operation, const Expr &operand, bool isRight) {
  const Prec prec = operation.prec(), inner = operand.prec();
  if (inner <= Prec::Unary) return false;
  if (inner > prec || (isRight && inner == prec)) return true;
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
    case ExprKind::Template:
    case ExprKind::Braces: {
      const char *const signs = e.kind() == ExprKind::Call       ? "()"
                                : e.kind() == ExprKind::Template ? "<>"
                                                                 : "{}";
      print(e.operand(0), out);
      out += signs[0];
      printList(e.operands().drop_front(), out);
      out += signs[1];
      return;
    }
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
    case ExprKind::Lambda: {
      out += "[&](";
      for (size_t i = 1; i < e.operands().size(); ++i)
        out += (i > 1 ? ", int " : "int ") + e.operand(i).spelling();
      out += ") { return ";
      print(e.operand(0), out);
      out += "; }";
      return;
    }
    case ExprKind::Member:
      printWrapped(e.operand(0), e.operand(0).prec() > Prec::Primary, out);
      out += "." + e.spelling();
      return;
  }
  T2C_UNREACHABLE("no expression");
}

namespace {

// The statements of a block; a head ends with its brace, so that the text can be read line by line.
struct StmtPrinter {
  std::string &out;

  void extents(llvm::ArrayRef<Expr> all) {
    for (const Expr &extent : all) {
      out += '[';
      print(extent, out);
      out += ']';
    }
  }
  void declarator(const Declarator &of) {
    out += of.name;
    extents(of.extents);
    if (!of.init) return;
    out += " = ";
    print(of.init, out);
  }
  void operator()(const Declare &declare) {
    const bool isPointer = declare.type.is(ExprKind::Pointer);
    if (declare.alignment) out += "alignas(" + std::to_string(declare.alignment) + ") ";
    if (declare.isConst && !isPointer) out += "const ";
    print(declare.type, out);
    out += declare.isConst && isPointer ? " const " : " ";
    for (size_t i = 0; i < declare.all.size(); ++i) {
      if (i > 0) out += ", ";
      declarator(declare.all[i]);
    }
    out += ';';
  }
  // Without the semicolon. The value of x *= has the parentheses that it has in x * (y + z).
  void step(const Assign &assign) {
    if (!assign.value) {
      out += assign.op;
      return print(assign.target, out);
    }
    print(assign.target, out);
    out += " " + assign.op + " ";
    const std::string sign = assign.op.substr(0, assign.op.size() - 1);
    printWrapped(assign.value, needsParentheses(sign, assign.value), out);
  }
  // Whether the value of a compound assignment would need parentheses in the operation.
  static bool needsParentheses(llvm::StringRef sign, const Expr &value) {
    if (sign.empty() || value.prec() <= Prec::Unary) return false;
    const bool isSum = sign == "+" || sign == "-";
    return !isSum || value.prec() != Prec::Multiplicative;
  }
  void operator()(const Assign &assign) {
    step(assign);
    out += ';';
  }
  void operator()(const Eval &eval) {
    print(eval.value, out);
    out += ';';
  }
  void block(const Stmts &stmts, const char *end = "}") {
    out += " {\n";
    print(stmts, out);
    out += end;
  }
  void block(const Stmts &stmts, bool withoutBraces) {
    if (!withoutBraces) return block(stmts);
    out += '\n';
    print(stmts, out);
    out.pop_back();  // the end of the line
  }
  void head(const char *word, const Expr &condition) {
    out += word;
    out += " (";
    print(condition, out);
    out += ')';
  }
  void head(const If &branch) { head("if", branch.condition); }
  void head(const While &loop) { head("while", loop.condition); }
  void head(const For &loop) {
    out += "for (";
    if (!loop.condition) {
      out += ";;";
    } else {
      (*this)(loop.start);
      out += ' ';
      print(loop.condition, out);
      out += "; ";
      step(loop.advance);
    }
    out += ')';
  }
  void operator()(const If &branch) {
    head(branch);
    if (branch.isShort) {
      out += ' ';
      print(branch.then, out);
      out.pop_back();  // the end of the line
      return;
    }
    block(branch.then, branch.withoutBraces);
    if (branch.otherwise.empty()) return;
    out += " else";
    block(branch.otherwise);
  }
  void operator()(const For &loop) {
    if (!loop.unroll.empty()) out += "#pragma " + loop.unroll + "\n";
    head(loop);
    block(loop.body, loop.withoutBraces);
  }
  void operator()(const While &loop) {
    head(loop);
    block(loop.body, loop.withoutBraces);
  }
  void parameter(const FunctionParameter &of) {
    if (of.isConst) out += "const ";
    print(of.type, out);
    if (of.isRestrict) out += " __restrict__";
    if (of.isReference) out += '&';
    out += of.extents.empty() ? " " + of.name : " (&" + of.name + ")";
    extents(of.extents);
  }
  void parameters(llvm::ArrayRef<FunctionParameter> all) {
    out += '(';
    for (size_t i = 0; i < all.size(); ++i) {
      if (i > 0) out += ", ";
      parameter(all[i]);
    }
    out += ')';
  }
  void head(const LocalFunction &function) {
    out += "const auto " + function.name + " = [&]";
    parameters(function.parameters);
  }
  void operator()(const LocalFunction &function) {
    head(function);
    block(function.body, "};");
  }
  void operator()(const CallOperator &function) {
    out += "__device__ __forceinline__ ";
    print(function.result, out);
    out += " operator()";
    parameters(function.parameters);
    out += " const";
    block(function.body);
  }
  void operator()(const Section &section) { print(section.body, out); }
  void operator()(const Jump &jump) {
    out += jump.word;
    if (jump.value) {
      out += ' ';
      print(jump.value, out);
    }
    out += ';';
  }
  void operator()(const Record &record) {
    out += record.word + " {";
    if (!record.note.empty()) out += "  // " + record.note;
    out += '\n';
    print(record.members, out);
    out += "};";
  }
  void rows(llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef> lines;
    text.split(lines, '\n');
    // A line that ends in a backslash would make the next line a part of the comment.
    for (llvm::StringRef &line : lines) line = line.rtrim(" \t\\");
    out += "// " + llvm::join(lines, "\n// ");
  }
  void operator()(const Comment &comment) { rows(comment.text); }
  void operator()(const Blank &) {}
};

}  // namespace

static void printOne(const Stmt &stmt, std::string &out) {
  std::visit(StmtPrinter{out}, stmt.node);
  if (!stmt.note.empty()) out += "  // " + stmt.note;
}

void print(const Stmts &stmts, std::string &out) {
  for (const Stmt &stmt : stmts) {
    printOne(stmt, out);
    if (!stmt.as<Section>()) out += '\n';  // which leaves no trace
  }
}

size_t widthOf(const Stmt &stmt) {
  std::string text;
  printOne(stmt, text);
  return text.size();
}

size_t widthOf(llvm::ArrayRef<FunctionParameter> parameters) {
  std::string text;
  StmtPrinter{text}.parameters(parameters);
  return text.size();
}

template <class T>
static std::string headText(const T &stmt) {
  std::string text;
  StmtPrinter{text}.head(stmt);
  return text;
}
std::string headOf(const For &loop) { return headText(loop); }
std::string headOf(const While &loop) { return headText(loop); }
std::string headOf(const If &branch) { return headText(branch); }
std::string headOf(const LocalFunction &function) { return headText(function); }

static void printStart(const std::string &comment, llvm::ArrayRef<std::string> numbers,
                       std::string &out) {
  if (!comment.empty()) {
    StmtPrinter{out}.rows(comment);
    out += '\n';
  }
  for (const std::string &number : numbers)
    out += (&number == numbers.begin() ? "template <int " : ", int ") + number;
  if (!numbers.empty()) out += ">\n";
}

void print(const Function &function, std::string &out) {
  printStart(function.comment, function.numbers, out);
  out += function.head + " ";
  if (function.launchBounds) out += function.launchBounds.str() + "\n";
  out += function.name;
  StmtPrinter{out}.parameters(function.parameters);
  StmtPrinter{out}.block(function.body);
  out += "\n\n";
}

void print(const Struct &record, std::string &out) {
  printStart(record.comment, record.numbers, out);
  out += "struct " + record.name + " {\n";
  print(record.members, out);
  out += "};\n\n";
}

std::string textOf(const Stmts &stmts) {
  std::string text;
  print(stmts, text);
  return text;
}

std::string Expr::str() const {
  std::string text;
  print(*this, text);
  return text;
}

}  // namespace tile2cu::emit
