// The types, functions and macros of C++, CUDA and the device helpers that a file names, with their
// scopes (std::min). They say which headers and device helpers the file needs.
#pragma once
#include <set>
#include <string>

#include "emit/cuda/ast.h"

namespace tile2cu::emit {

class UsedWords {
 public:
  void add(const Expr &e);
  void add(const Stmts &stmts);
  void add(const Function &function);
  void add(const TextFunction &function);
  void add(const Struct &record);

  // A type that the text computes with, whether or not it names it.
  void addType(const std::string &name) { all_.insert(name); }

  bool contain(const std::string &name) const { return all_.contains(name); }
  const std::set<std::string> &all() const { return all_; }

 private:
  void add(llvm::ArrayRef<FunctionParameter> parameters);

  std::set<std::string> all_;
};

}  // namespace tile2cu::emit
