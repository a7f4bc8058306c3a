// Names that are free in a scope: no C++ or CUDA name, and none that a scope around it has.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

// An identifier that is like the wanted one.
std::string identifier(llvm::StringRef wanted);

class FreeNames {
 public:
  FreeNames() { open(); }
  // `wanted`, or wanted_2, wanted_3, ... if a scope that is open has the name, or `others` do. It
  // is taken until the current scope ends.
  std::string take(llvm::StringRef wanted, const std::set<std::string> &others = {});
  bool isFree(llvm::StringRef name) const { return !isUsed(name.str()); }
  // Takes the name if it is free.
  bool reserve(llvm::StringRef name);
  void open();
  void close();

 private:
  bool isUsed(const std::string &name) const;

  std::vector<std::set<std::string>> scopes_;
  // For each scope, x -> n: while the scope is open, the names x, x_2, ..., x_n are all used. A
  // search begins after them, so that taking one name n times does not need n^2 look-ups.
  std::vector<std::map<std::string, int>> taken_;
};

// A name for one element of a tile with a plural name: cols -> col.
std::string singular(llvm::StringRef name);
// softmax_wide -> SoftmaxWide
std::string camelCase(llvm::StringRef name);

}  // namespace tile2cu::emit
