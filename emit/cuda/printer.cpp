// The text of statements and of what stands in no function.
#include "emit/cuda/printer.h"

#include <algorithm>

#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
namespace {

// The statements of a block; a head ends with its brace, so that the text can be read line by line.
struct StmtPrinter {
  std::string &out;
  llvm::ArrayRef<std::string> files = {};  // whose lines are told; none: no directives
  SourceLine around = {};                  // of statements that have none

  // The next row comes from this line of the source.
  void directive(SourceLine source) {
    if (!source) source = around;
    if (files.empty() || !source) return;
    out += ' ';  // as in `all`
    out += lineDirective(source.line, files[source.file]);
  }
  // Without the end of its last row.
  void one(const Stmt &stmt) {
    std::visit(*this, stmt.node);
    if (!stmt.note.empty()) out += "  // " + stmt.note;
  }
  void all(const Stmts &stmts) {
    for (size_t i = 0; i < stmts.size(); ++i) {
      const Stmt &stmt = stmts[i];
      if (const Section *section = stmt.as<Section>()) {
        all(section->body);  // which leaves no trace
        continue;
      }
      if (repeatsHead(llvm::ArrayRef(stmts).drop_front(i))) continue;
      if (const For *loop = stmt.as<For>(); loop && !loop->unroll.empty()) {
        // clang-format would align a comment above it with it, were they in one column.
        if (i > 0 && stmts[i - 1].as<Comment>()) out += ' ';
        out += "#pragma " + loop->unroll + "\n";
      }
      if (!stmt.as<Comment>() && !stmt.as<Blank>()) directive(stmt.source);
      one(stmt);
      out += '\n';
    }
  }

  static std::string headOf(const auto &loopOrBranch) {
    std::string text;
    StmtPrinter{text}.head(loopOrBranch);
    return text;
  }
  // Whether the first statement is a comment that reads like the head of the loop or branch which
  // it is about.
  static bool repeatsHead(llvm::ArrayRef<Stmt> stmts) {
    const Comment *comment = stmts.front().as<Comment>();
    if (!comment || !comment->isHead) return false;
    std::string text = comment->text.str();
    std::replace(text.begin(), text.end(), '\n', ' ');
    for (const Stmt &stmt : stmts.drop_front()) {
      if (const For *loop = stmt.as<For>()) return headOf(*loop) == text;
      if (const While *loop = stmt.as<While>()) return headOf(*loop) == text;
      if (const If *branch = stmt.as<If>()) return headOf(*branch) == text;
    }
    return false;
  }

  void extents(llvm::ArrayRef<Expr> all) {
    for (const Expr &extent : all) {
      out += '[';
      print(extent, out);
      out += ']';
    }
  }
  void declarator(const Declarator &of) {
    out += of.name.wanted();
    extents(of.extents);
    if (!of.init) return;
    if (!of.isDirect) out += " = ";
    print(of.init, out);
  }
  void operator()(const Declare &declare) {
    const bool isPointer = declare.type.is(ExprKind::Pointer);
    if (declare.isStatic) out += "static ";
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
    const bool isWrapped = needsParentheses(sign, assign.value);
    if (isWrapped) out += '(';
    print(assign.value, out);
    if (isWrapped) out += ')';
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
    all(stmts);
    out += end;
  }
  void block(const Stmts &stmts, bool withoutBraces) {
    if (!withoutBraces) return block(stmts);
    out += '\n';
    all(stmts);
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
      return one(branch.then.front());
    }
    block(branch.then, branch.withoutBraces);
    if (branch.otherwise.empty()) return;
    out += branch.withoutBraces ? "\nelse" : " else";
    const If *next = branch.otherwise.front().as<If>();
    if (!branch.withoutBraces || !next) return block(branch.otherwise, branch.withoutBraces);
    out += ' ';
    (*this)(*next);
  }
  void operator()(const For &loop) {
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
    out += of.extents.empty() ? " " : " (&";
    out += of.name.wanted();
    if (!of.extents.empty()) out += ")";
    extents(of.extents);
    if (!of.init) return;
    out += " = ";
    print(of.init, out);
  }
  void parameters(llvm::ArrayRef<FunctionParameter> all) {
    out += '(';
    for (size_t i = 0; i < all.size(); ++i) {
      if (i > 0) out += ", ";
      parameter(all[i]);
    }
    out += ')';
  }
  void operator()(const LocalFunction &function) {
    out += "const auto ";
    out += function.name.wanted();
    out += " = [&]";
    parameters(function.parameters);
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
  void operator()(const Section &section) { all(section.body); }
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
    all(record.members);
    out += "};";
  }
  void rows(llvm::StringRef text) {
    for (const llvm::StringRef row : llvm::split(text, '\n')) {
      if (row.data() != text.data()) out += '\n';
      // A line that ends in a backslash would make the next line a part of the comment.
      out += ("// " + row.rtrim(" \t\\")).str();
    }
  }
  void operator()(const Comment &comment) { rows(comment.text.str()); }
  void operator()(const Blank &) {}
};

}  // namespace

void print(const Stmts &stmts, std::string &out) { StmtPrinter{out}.all(stmts); }

size_t widthOf(const Stmt &stmt) {
  std::string text;
  StmtPrinter{text}.one(stmt);
  return text.size();
}

static void printStart(const std::string &comment, llvm::ArrayRef<Symbol> numbers,
                       std::string &out) {
  if (!comment.empty()) {
    StmtPrinter{out}.rows(comment);
    out += '\n';
  }
  for (const Symbol &number : numbers) {
    out += &number == numbers.begin() ? "template <int " : ", int ";
    out += number.wanted();
  }
  if (!numbers.empty()) out += ">\n";
}

// Everything before the body.
static void printHead(const Function &function, StmtPrinter &printer) {
  std::string &out = printer.out;
  printStart(function.comment.str(), function.numbers, out);
  if (!function.launchBounds) printer.directive(function.source);
  out += function.head + " ";
  if (function.launchBounds) {
    out += function.launchBounds.str() + "\n";
    printer.directive(function.source);
  }
  out += function.name;
  printer.parameters(function.parameters);
}

void print(const Function &function, std::string &out, llvm::ArrayRef<std::string> files) {
  StmtPrinter printer{out, files, function.source};
  printHead(function, printer);
  out += " {\n";
  printer.all(function.body);
  printer.directive(function.source);  // of the code at its end
  out += "}\n\n";
}

std::string declarationOf(const Function &function) {
  std::string text;
  StmtPrinter printer{text};
  printHead(function, printer);
  return text + ";\n";
}

void print(const Struct &record, std::string &out, llvm::ArrayRef<std::string> files) {
  printStart(record.comment, record.numbers, out);
  out += "struct ";
  out += record.name.wanted();
  out += " {\n";
  StmtPrinter{out, files, record.source}.all(record.members);
  out += "};\n\n";
}

std::string textOf(const Stmts &stmts) {
  std::string text;
  print(stmts, text);
  return text;
}

}  // namespace tile2cu::emit
