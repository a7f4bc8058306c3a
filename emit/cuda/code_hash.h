// A hash of code. It does not depend on the names of variables, on comments or on line breaks.
#pragma once
#include <cstdint>
#include <string>

#include "emit/cuda/ast.h"
#include "llvm/ADT/DenseMap.h"

namespace tile2cu::emit {

class CodeHash {
 public:
  void add(llvm::StringRef text);
  void add(uint64_t number);
  void add(const Stmts &stmts);
  void add(const Function &function);
  void add(const Struct &record);
  uint64_t value() const;

 private:
  // The names of what is around it are known.
  void addInside(const Function &function);
  void addInside(const Struct &record);
  void add(const Expr &e);
  void add(const Stmt &stmt);
  void add(const Declarator &declarator);
  void add(const FunctionParameter &parameter);
  void add(const Declare &declare);
  void add(const Assign &assign);
  void add(const Eval &eval) { add(eval.value); }
  void add(const If &branch);
  void add(const For &loop);
  void add(const While &loop);
  void add(const LocalFunction &function);
  void add(const Section &) {}  // its statements are part of the block around it
  void add(const Jump &jump);
  void add(const Record &record);
  void add(const CallOperator &function);
  void add(const Comment &) {}
  void add(const Blank &) {}
  template <class T>
  void addEach(const T &all);
  void add(const Symbol &symbol);

  std::string bytes_;                         // what is hashed
  llvm::DenseMap<Symbol, unsigned> numbers_;  // of a function, in order of first mention
};

}  // namespace tile2cu::emit
