#include "emit/cuda/choose_names.h"

#include "emit/cuda/free_names.h"
#include "emit/cuda/text_words.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
namespace {

class Chooser {
 public:
  SymbolMap names;

  // Names that the statements mention already, and the names that the user wants.
  void reserveNamesOf(const Stmts &stmts) {
    forEachSymbol(stmts, [&](const Symbol &symbol) {
      if (!symbol.isOpen())
        reserve(symbol);
      else if (!symbol.isGenerated())
        ofUser_.insert(symbol.wanted().str());
    });
    forEachExpr(stmts, [&](const Expr &e) {
      walk(e, [&](const Expr &node) {
        if (node.is(ExprKind::Word)) reserve(node.spelling());
      });
    });
  }
  // The identifier that the word begins with.
  void reserve(llvm::StringRef word) { free_.reserve(word.take_while(isWordCharacter)); }
  void reserve(const Symbol &name) { free_.reserve(name.wanted()); }

  void parameters(llvm::ArrayRef<FunctionParameter> all) {
    for (const FunctionParameter &each : all) declare(each.name);
  }
  void block(const Stmts &stmts) {
    free_.open();
    all(stmts);
    free_.close();
  }
  void all(const Stmts &stmts) {
    for (const Stmt &stmt : stmts) one(stmt);
  }

 private:
  void declare(const Symbol &symbol) {
    if (!symbol.isOpen()) return;
    const bool isOurs = symbol.isGenerated();
    const auto isFree = [&](llvm::StringRef text) {
      return free_.isFree(text) && !(isOurs && ofUser_.count(text.str()));
    };
    names[symbol] =
        Symbol(free_.take(symbol.freeName(isFree), isOurs ? ofUser_ : std::set<std::string>()));
  }
  void declare(const Declare &declaration) {
    for (const Declarator &each : declaration.all) declare(each.name);
  }

  void function(llvm::ArrayRef<FunctionParameter> parameters, const Stmts &body) {
    free_.open();
    this->parameters(parameters);
    all(body);
    free_.close();
  }

  // The parameters of lambdas.
  void expr(const Expr &e) {
    walk(e, [&](const Expr &node) {
      if (!node.is(ExprKind::Lambda)) return;
      free_.open();
      for (const Expr &parameter : node.operands().drop_front()) declare(parameter.symbol());
      free_.close();
    });
  }

  void one(const Stmt &stmt) {
    forEachOwnExpr(stmt, [&](const Expr &e) { expr(e); });
    if (const auto *declaration = stmt.as<Declare>()) return declare(*declaration);
    if (const auto *section = stmt.as<Section>()) return all(section->body);
    if (const auto *local = stmt.as<LocalFunction>()) {
      declare(local->name);
      return function(local->parameters, local->body);
    }
    if (const auto *call = stmt.as<CallOperator>()) return function(call->parameters, call->body);
    free_.open();
    if (const auto *loop = stmt.as<For>()) declare(loop->start);
    forEachBody(stmt, [&](const Stmts &body) { block(body); });
    free_.close();
  }

  FreeNames free_;
  std::set<std::string> ofUser_;
};

void requireAll(const Stmts &stmts, const SymbolMap &names, const SymbolSet &others = {}) {
  forEachSymbol(stmts, [&](const Symbol &symbol) {
    if (symbol.isOpen() && !names.contains(symbol) && !others.contains(symbol))
      T2C_UNREACHABLE(("no declaration of " + symbol.wanted().str()).c_str());
  });
}

}  // namespace

void addNumbers(const Stmts &stmts, SymbolMap &numbers) {
  forEachDeclaredSymbol(stmts, [&](const Symbol &symbol) {
    if (symbol.isOpen()) numbers.try_emplace(symbol, symbol.renumbered(numbers.size()));
  });
}

SymbolMap chooseNames(Function &function, const SymbolSet &others) {
  Chooser chooser;
  for (const Symbol &name : others) chooser.reserve(name);
  for (const Symbol &number : function.numbers) chooser.reserve(number);
  for (const FunctionParameter &each : function.parameters)
    if (!each.name.isOpen()) chooser.reserve(each.name);
  chooser.reserveNamesOf(function.body);
  chooser.parameters(function.parameters);
  chooser.all(function.body);
  requireAll(function.body, chooser.names);
  for (FunctionParameter &each : function.parameters) rename(each, chooser.names);
  rename(function.body, chooser.names);
  function.comment.rename(chooser.names);
  return std::move(chooser.names);
}

void chooseNames(Stmts &members, const SymbolSet &others) {
  Chooser chooser;
  chooser.reserveNamesOf(members);
  chooser.all(members);
  requireAll(members, chooser.names, others);
  rename(members, chooser.names);
}

}  // namespace tile2cu::emit
