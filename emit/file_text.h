// The part of a file between the declarations of its device helpers and their definitions, and its
// layout.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "emit/cuda/used_words.h"
#include "emit/emit.h"

namespace tile2cu::emit {

// Where a namespace begins or ends.
struct NamespaceEdge {
  std::string name;
  bool isEnd = false;
};

using TopLevel = std::variant<Struct, Function>;

// A declaration, variables, or what is text already: comments, and in headers the heads of
// functions. An empty line stands after it.
using Piece = std::variant<Struct, Function, TextFunction, Stmts, NamespaceEdge, std::string>;

// Pieces, in the namespaces that they belong to.
class Pieces {
 public:
  void enter(const std::string &nameSpace);  // empty: the global one
  void add(std::string text) { all_.emplace_back(std::move(text)); }
  // Both in the global namespace.
  void append(const Pieces &others) {
    all_.insert(all_.end(), others.all_.begin(), others.all_.end());
  }
  // Adds the words that the declaration names to `words`.
  template <class T>
  void add(T declaration, UsedWords &words) {
    words.add(declaration);
    all_.emplace_back(std::move(declaration));
  }
  const std::vector<Piece> &all() const { return all_; }

 private:
  std::vector<Piece> all_;
  std::string nameSpace_;
};

// The file that begins with `head`, in which the pieces follow. With #line directives, each
// statement of a declaration stands on one row, and the rows after the declaration are the emitted
// file's own again. `sources`, if it is not null, gets the rows at which statements begin.
std::string layOut(std::string head, const Pieces &pieces, const ir::Module &module,
                   const EmitOptions &options, std::vector<RowSource> *sources = nullptr);

}  // namespace tile2cu::emit
