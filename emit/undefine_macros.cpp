// Macros of the command line whose names the emitted file uses for other things.
#include "emit/undefine_macros.h"

#include "emit/cuda/text_words.h"
#include "emit/device/embedded_helpers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
namespace {

// Where a name occurs: in code, or in a line of the preprocessor.
class Search {
 public:
  explicit Search(std::string name) : name_(std::move(name)) {}

  bool isUndefined() const { return inCode_ && !inDirective_; }

  void operator()(const std::string &) {}  // a comment
  void operator()(const NamespaceEdge &edge) { word("namespace " + edge.name); }
  void operator()(const Function &function) {
    word(function.head);
    word(function.name);
    numbers(function.numbers);
    expr(function.launchBounds);
    parameters(function.parameters);
    (*this)(function.body);
  }
  // The text may use the macro as such.
  void operator()(const TextFunction &function) { (*this)(function.head); }
  void operator()(const Struct &record) {
    word("struct");
    name(record.name);
    numbers(record.numbers);
    (*this)(record.members);
    for (const Struct &inside : record.structs) (*this)(inside);
    (*this)(record.data);
    for (const Function &function : record.functions) (*this)(function);
  }
  void operator()(const Stmts &stmts) {
    forEachSymbol(stmts, [&](const Symbol &symbol) { name(symbol); });
    forEachExpr(stmts, [&](const Expr &e) { expr(e); });
    heads(stmts);
  }

  // Device helpers are text: the files of the runtime.
  void helpers(llvm::StringRef text) {
    if (!text.contains(name_)) return;
    for (const llvm::StringRef line : llvm::split(text, '\n')) {
      const llvm::StringRef code = line.split("//").first.ltrim();
      if (mentions(code.str(), name_)) (code.starts_with("#") ? inDirective_ : inCode_) = true;
    }
  }

 private:
  void word(const std::string &spelling) { inCode_ |= mentions(spelling, name_); }
  void name(const Symbol &symbol) { inCode_ |= symbol.wanted() == name_; }
  void expr(const Expr &e) {
    walk(e, [&](const Expr &node) {
      const bool isString = llvm::StringRef(node.spelling()).starts_with("\"");
      if (!isString) word(node.spelling());
      if (node.isName()) name(node.symbol());
      if (node.is(ExprKind::Lambda)) word("return");
    });
  }
  void numbers(llvm::ArrayRef<Symbol> all) {
    if (!all.empty()) word("template int");
    for (const Symbol &number : all) name(number);
  }
  void parameters(llvm::ArrayRef<FunctionParameter> all) {
    for (const FunctionParameter &parameter : all) {
      name(parameter.name);
      if (parameter.isConst) word("const");
      if (parameter.isRestrict) word("__restrict__");
      expr(parameter.type);
      for (const Expr &extent : parameter.extents) expr(extent);
      expr(parameter.init);
    }
  }

  // The words of statements besides their names and expressions, which the printer writes and no
  // node has.
  void head(const Declare &declare) {
    if (declare.isConst) word("const");
    if (declare.isStatic) word("static");
    if (declare.alignment) word("alignas");
  }
  void head(const If &branch) { word(branch.otherwise.empty() ? "if" : "if else"); }
  void head(const For &loop) {
    word("for");
    inDirective_ |= mentions("pragma " + loop.unroll, name_) && !loop.unroll.empty();
  }
  void head(const While &) { word("while"); }
  void head(const LocalFunction &function) {
    word("const auto");
    parameters(function.parameters);
  }
  void head(const Jump &jump) { word(jump.word); }
  void head(const Record &record) { word(record.word); }
  void head(const CallOperator &function) {
    word("__device__ __forceinline__ operator const");
    parameters(function.parameters);
  }
  template <class T>
  void head(const T &) {}
  void heads(const Stmts &stmts) {
    for (const Stmt &stmt : stmts) {
      std::visit([&](const auto &node) { head(node); }, stmt.node);
      forEachBody(stmt, [&](const Stmts &body) { heads(body); });
    }
  }

  const std::string name_;
  bool inCode_ = false, inDirective_ = false;
};

}  // namespace

std::string undefineMacros(const EmitOptions &options, const Pieces &pieces,
                           llvm::StringRef helpers, bool includesHelpers) {
  std::string undefined;
  for (const std::string &macro : options.macros) {
    Search search(macro);
    for (const Piece &piece : pieces.all()) std::visit(search, piece);
    search.helpers(helpers);
    if (includesHelpers)
      for (const EmbeddedFile &file : embeddedDeviceHelpers()) search.helpers(file.text);
    if (search.isUndefined()) undefined += "#undef " + macro + "\n";
  }
  if (undefined.empty()) return "";
  return "\n// Names that tile2cu's command line defined as macros, and that this file uses for "
         "other things.\n" +
         undefined + "\n";
}

}  // namespace tile2cu::emit
