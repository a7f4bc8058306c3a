// Names of one kernel's text: the user's survive, a number is added only where two would clash in one scope.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

class Names {
 public:
  Names();
  // A name that no enclosing scope uses, nor any of `others`: `wanted`, or wanted_2, wanted_3, ... It is taken until the current
  // scope ends.
  std::string take(llvm::StringRef wanted, const std::set<std::string> &others = {});
  // The same for the whole kernel, whatever scope is open: a constant is declared at the top.
  std::string takeForKernel(llvm::StringRef wanted);
  // Takes the name if it is free.
  bool reserve(llvm::StringRef name);
  // Ends the scope of one name.
  void release(const std::string &name) {
    scopes_.back().erase(name);
    taken_.back().erase(name);
    taken_.back().erase(name.substr(0, name.rfind('_')));
  }
  void open() {
    scopes_.emplace_back();
    constants_.emplace_back();
    taken_.emplace_back();
  }
  void close() {
    scopes_.pop_back();
    constants_.pop_back();
    taken_.pop_back();
  }
  // The constant of an enclosing scope that was declared as `initializer`; empty: none.
  std::string constant(const std::string &initializer) const;
  void rememberConstant(const std::string &initializer, const std::string &name) {
    constants_.back()[initializer] = name;
  }

 private:
  std::vector<std::map<std::string, std::string>> constants_;
  bool used(const std::string &name) const;
  std::string freeName(llvm::StringRef wanted, const std::set<std::string> &others = {});
  std::vector<std::set<std::string>> scopes_;
  // For each scope, x -> n: while the scope is open, the names x, x_2, ..., x_n are all used. A search begins behind them, so that
  // taking one name n times is not n^2 look-ups.
  std::vector<std::map<std::string, int>> taken_;
};

// What one element of a tile with a plural name is called: cols -> col.
std::string singular(llvm::StringRef name);
// softmax_wide -> SoftmaxWide
std::string camelCase(llvm::StringRef name);
// row_sum -> ROW_SUM
std::string upperCase(llvm::StringRef name);

}  // namespace tile2cu::emit
