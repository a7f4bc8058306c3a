// The text of statements and of what stands in no function.
#include "emit/cuda/printer.h"

#include <algorithm>

#include "emit/cuda/format.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
namespace {

// How a statement is printed.
enum class Form : uint8_t {
  Line,           // one, unless clang-format breaks it
  WithoutBraces,  // a loop or branch around one statement
  Lines,
};

// The statements of a block.
struct Contents {
  size_t statements = 0;  // with comments
  bool isShort = true;    // each is a line that fits, or a loop or branch without braces
  bool isUnrolled = false;

  bool isShortStatement() const { return statements == 1 && isShort && !isUnrolled; }
  bool isLoopOverRegisters() const { return statements == 1 && isUnrolled; }
};

// Prints statements. The text is laid out later, but has the braces of its last layout.
struct StmtPrinter {
  std::string &out;
  llvm::ArrayRef<std::string> files = {};  // whose lines are told; none: no directives
  SourceLine around = {};                  // of statements that have none
  size_t depth = 0;                        // how many blocks are around the statement
  TextSources *sources = nullptr;          // null: nobody asks for them

  // The next row comes from this line of the source.
  void directive(SourceLine source) {
    if (!source) source = around;
    if (!files.empty() && source) {
      out += ' ';  // as in `all`
      out += lineDirective(source.line, files[source.file]);
    }
    note(source);
  }
  // The text that follows comes from this line.
  void note(SourceLine source) {
    if (sources && source) sources->push_back({out.size(), source});
  }
  // Without the end of its last row.
  Form one(const Stmt &stmt) {
    const Form form = std::visit(*this, stmt.node);
    if (stmt.note.empty()) return form;
    out += "  // " + stmt.note;
    return Form::Lines;
  }
  void add(const Stmts &stmts, Contents &block) {
    for (size_t i = 0; i < stmts.size(); ++i) {
      const Stmt &stmt = stmts[i];
      if (const Section *section = stmt.as<Section>()) {
        add(section->body, block);  // which leaves no trace
        continue;
      }
      ++block.statements;
      if (repeatsLine(llvm::ArrayRef(stmts).drop_front(i))) continue;
      if (const For *loop = stmt.as<For>(); loop && !loop->unroll.empty()) {
        // clang-format would align a comment above it with it, were they in one column.
        if (i > 0 && stmts[i - 1].as<Comment>()) out += ' ';
        out += "#pragma " + loop->unroll + "\n";
        block.isUnrolled |= loop->isUnrolled();
        block.statements += !loop->isUnrolled();  // its #pragma
      }
      if (stmt.as<Comment>())
        note(stmt.source);
      else if (!stmt.as<Blank>())
        directive(stmt.source);
      const size_t start = out.size();
      const Form form = one(stmt);
      const bool fits = 2 * depth + out.size() - start <= kColumns;
      block.isShort &= form == Form::WithoutBraces || (form == Form::Line && fits);
      out += '\n';
    }
  }
  Contents all(const Stmts &stmts) {
    Contents block;
    add(stmts, block);
    return block;
  }

  static std::string headOf(const auto &loopOrBranch) {
    std::string text;
    StmtPrinter{text}.head(loopOrBranch);
    return text;
  }
  // A line without what C++ needs and the tile source does not: const and the semicolon.
  static std::string readAs(const Stmt &stmt) {
    std::string text;
    StmtPrinter{text}.one(stmt);
    if (text.ends_with(';')) text.pop_back();
    if (text.starts_with("const ")) text.erase(0, 6);
    return text;
  }
  // Whether the statement reads like this one of the source: hits += 1 like hits = hits + 1.
  static bool readsAs(const Stmt &stmt, const std::string &text) {
    if (!stmt.as<Declare>() && !stmt.as<Assign>()) return false;
    if (readAs(stmt) == text) return true;
    const Assign *assign = stmt.as<Assign>();
    if (!assign || !assign->value || assign->op.size() != 2) return false;
    std::string target, line;
    print(assign->target, target);
    StmtPrinter{line}.step(*assign);
    return text == target + " = " + target + " " + assign->op.substr(0, 1) +
                       line.substr(target.size() + 1 + assign->op.size());
  }
  // Whether the first statement is a comment that quotes the line which follows. The comment is a
  // statement of the tile source, and has no tree: only the texts can say whether a reader would
  // see the same line twice. Nothing else depends on it.
  static bool repeatsLine(llvm::ArrayRef<Stmt> stmts) {
    const Comment *comment = stmts.front().as<Comment>();
    if (!comment || comment->quote == Quote::None) return false;
    std::string text = comment->text.str();
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (comment->quote == Quote::Statement) return stmts.size() > 1 && readsAs(stmts[1], text);
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
  Form operator()(const Declare &declare) {
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
    return Form::Line;
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
  Form operator()(const Assign &assign) {
    step(assign);
    out += ';';
    return Form::Line;
  }
  Form operator()(const Eval &eval) {
    print(eval.value, out);
    out += ';';
    return Form::Line;
  }
  Contents inside(const Stmts &stmts) {
    ++depth;
    const Contents contents = all(stmts);
    --depth;
    return contents;
  }
  Form block(const Stmts &stmts, const char *end = "}") {
    out += " {\n";
    inside(stmts);
    out += end;
    return Form::Lines;
  }
  void withoutBraces(const Stmts &stmts) {
    out += '\n';
    inside(stmts);
    out.pop_back();  // the end of the line
  }
  void insert(size_t at, llvm::StringRef text) {
    out.insert(at, text);
    if (!sources) return;
    for (TextSource &later : llvm::reverse(*sources)) {
      if (later.offset < at) break;
      later.offset += text.size();
    }
  }
  // The body of a loop or branch, whose braces are added when it is known to need them.
  Form body(const Stmts &stmts, bool isUnrolled = false) {
    const size_t start = out.size();
    out += '\n';
    const Contents contents = inside(stmts);
    if (contents.isShortStatement() || (isUnrolled && contents.isLoopOverRegisters())) {
      out.pop_back();  // the end of the line
      return Form::WithoutBraces;
    }
    insert(start, " {");
    out += '}';
    return Form::Lines;
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
  Form operator()(const If &branch) {
    head(branch);
    if (branch.isShort) {
      out += ' ';
      one(branch.then.front());
      return Form::Line;
    }
    if (branch.isChain) return sidesOfChain(branch);
    if (branch.otherwise.empty()) return body(branch.then);
    return sides(branch);
  }
  // With braces, and `else if` where the other side is one more branch.
  Form sides(const If &branch) {
    block(branch.then);
    if (branch.otherwise.empty()) return Form::Lines;
    out += " else";
    const If *next = onlyBranch(branch.otherwise);
    if (!next) return block(branch.otherwise);
    out += ' ';
    head(*next);
    return sides(*next);
  }
  // The branch that is alone in these statements, but for its head in the tile source.
  const If *onlyBranch(llvm::ArrayRef<Stmt> stmts) const {
    while (!stmts.empty() && (stmts.front().as<Blank>() || repeatsLine(stmts)))
      stmts = stmts.drop_front();
    const bool isAlone = stmts.size() == 1 && stmts.front().note.empty() && files.empty();
    const If *branch = isAlone ? stmts.front().as<If>() : nullptr;
    return branch && !branch->isChain ? branch : nullptr;
  }
  Form sidesOfChain(const If &branch) {
    withoutBraces(branch.then);
    if (branch.otherwise.empty()) return Form::WithoutBraces;
    out += "\nelse";
    if (const If *next = branch.otherwise.front().as<If>()) {
      out += ' ';
      (*this)(*next);
    } else {
      withoutBraces(branch.otherwise);
    }
    return Form::Lines;
  }
  Form operator()(const For &loop) {
    head(loop);
    return body(loop.body, loop.isUnrolled());
  }
  Form operator()(const While &loop) {
    head(loop);
    return body(loop.body);
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
  Form operator()(const LocalFunction &function) {
    out += "const auto ";
    out += function.name.wanted();
    out += " = [&]";
    parameters(function.parameters);
    return block(function.body, "};");
  }
  Form operator()(const CallOperator &function) {
    out += "__device__ __forceinline__ ";
    print(function.result, out);
    out += " operator()";
    parameters(function.parameters);
    out += " const";
    return block(function.body);
  }
  Form operator()(const Section &section) {
    all(section.body);
    return Form::Lines;
  }
  Form operator()(const Jump &jump) {
    out += jump.word;
    if (jump.value) {
      out += ' ';
      print(jump.value, out);
    }
    out += ';';
    return Form::Line;
  }
  Form operator()(const Record &record) {
    out += record.word + " {";
    if (!record.note.empty()) out += "  // " + record.note;
    out += '\n';
    inside(record.members);
    out += "};";
    return Form::Lines;
  }
  void rows(llvm::StringRef text) {
    for (const llvm::StringRef row : llvm::split(text, '\n')) {
      if (row.data() != text.data()) out += '\n';
      // A line that ends in a backslash would make the next line a part of the comment.
      out += ("// " + row.rtrim(" \t\\")).str();
    }
  }
  Form operator()(const Comment &comment) {
    rows(comment.text.str());
    return Form::Lines;
  }
  Form operator()(const Blank &) { return Form::Lines; }
};

}  // namespace

void print(const Stmts &stmts, std::string &out) { StmtPrinter{out}.all(stmts); }

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

// `depth`: of its statements.
static void print(const Function &function, std::string &out, llvm::ArrayRef<std::string> files,
                  size_t depth, TextSources *sources) {
  StmtPrinter printer{out, files, function.source, depth, sources};
  printHead(function, printer);
  out += " {\n";
  printer.all(function.body);
  printer.directive(function.source);  // of the code at its end
  out += "}\n";
}

void print(const Function &function, std::string &out, llvm::ArrayRef<std::string> files,
           TextSources *sources) {
  print(function, out, files, 1, sources);
  out += '\n';
}

std::string declarationOf(const Function &function) {
  std::string text;
  StmtPrinter printer{text};
  printHead(function, printer);
  return text + ";\n";
}

static void printStruct(const Struct &record, std::string &out, llvm::ArrayRef<std::string> files,
                        TextSources *sources) {
  printStart(record.comment, record.numbers, out);
  out += "struct ";
  out += record.name.wanted();
  out += " {\n";
  StmtPrinter printer{out, files, record.source, 1, sources};
  printer.all(record.members);
  bool isFirst = record.members.empty();
  const auto separate = [&] {
    if (!isFirst) out += '\n';
    isFirst = false;
  };
  for (const Struct &inside : record.structs) {
    separate();
    printStruct(inside, out, files, sources);
  }
  if (!record.data.empty()) separate();
  printer.all(record.data);
  for (const Function &function : record.functions) {
    separate();
    print(function, out, files, 2, sources);
  }
  out += "};\n";
}

void print(const Struct &record, std::string &out, llvm::ArrayRef<std::string> files,
           TextSources *sources) {
  printStruct(record, out, files, sources);
  out += '\n';
}

std::string textOf(const Stmts &stmts) {
  std::string text;
  print(stmts, text);
  return text;
}

}  // namespace tile2cu::emit
