// Macros of the command line whose names the emitted file uses for other things.
#include "emit/undefine_macros.h"

#include "emit/cuda/text_words.h"
#include "emit/device/embedded_helpers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tile2cu::emit {
namespace {

// Words that the printer writes without a node that has them.
constexpr llvm::StringLiteral kKeywords[] = {
    "alignas", "auto",  "break",    "const",      "continue",        "else",         "for",
    "if",      "int",   "operator", "return",     "static",          "struct",       "template",
    "union",   "while", "extern",   "__device__", "__forceinline__", "__restrict__", "namespace",
};

// Where a name occurs: in code, or in a line of the preprocessor.
class Search {
 public:
  explicit Search(const std::string &name)
      : name_(name), inCode_(llvm::is_contained(kKeywords, name)) {}

  bool isUndefined() const { return inCode_ && !inDirective_; }

  void operator()(const std::string &) {}  // a comment
  void operator()(const NamespaceEdge &edge) { word(edge.name); }
  void operator()(const Function &function) {
    word(function.head);
    word(function.name);
    for (const std::string &number : function.numbers) word(number);
    expr(function.launchBounds);
    for (const FunctionParameter &parameter : function.parameters) {
      word(parameter.name);
      expr(parameter.type);
      for (const Expr &extent : parameter.extents) expr(extent);
      expr(parameter.init);
    }
    (*this)(function.body);
  }
  void operator()(const Struct &record) {
    word(record.name);
    for (const std::string &number : record.numbers) word(number);
    (*this)(record.members);
  }
  void operator()(const Stmts &stmts) {
    forEachName(stmts, [&](llvm::StringRef name) { word(name.str()); });
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
  void expr(const Expr &e) {
    walk(e, [&](const Expr &node) {
      const bool isString = llvm::StringRef(node.spelling()).starts_with("\"");
      if (!isString) word(node.spelling());
    });
  }
  // What statements say besides names and expressions.
  void heads(const Stmts &stmts) {
    for (const Stmt &stmt : stmts) {
      if (const For *loop = stmt.as<For>()) inDirective_ |= mentions(loop->unroll, name_);
      if (const Record *record = stmt.as<Record>()) word(record->word);
      forEachBody(stmt, [&](const Stmts &body) { heads(body); });
    }
  }

  const std::string name_;
  bool inCode_, inDirective_ = false;
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
