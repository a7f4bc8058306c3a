// The text of a comment, which may mention symbols. They have the names that they get in the
// function, and outside of it those that they are wanted to have.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "emit/cuda/symbol.h"
#include "llvm/ADT/ArrayRef.h"

namespace tile2cu::emit {

class CommentText {
 public:
  using Piece = std::variant<std::string, Symbol>;

  CommentText() = default;
  CommentText(const char *text) { *this += text; }
  CommentText(llvm::StringRef text) { *this += text; }
  CommentText(const std::string &text) { *this += text; }

  CommentText &operator+=(llvm::StringRef text);
  CommentText &operator+=(const char *text) { return *this += llvm::StringRef(text); }
  CommentText &operator+=(const std::string &text) { return *this += llvm::StringRef(text); }
  CommentText &operator+=(const Symbol &symbol);
  CommentText &operator+=(const CommentText &other);
  template <class T>
  friend CommentText operator+(CommentText text, const T &next) {
    return text += next;
  }

  bool empty() const { return pieces_.empty(); }
  size_t rows() const;
  // Text and symbols, in turns.
  const std::vector<Piece> &pieces() const { return pieces_; }
  bool mentionsSymbols() const;
  void rename(const SymbolMap &names);
  std::string str() const;
  // With breaks at spaces, so that no row has more columns. Its own breaks stay.
  CommentText wrapped(size_t columns) const;

  friend bool operator==(const CommentText &, const CommentText &) = default;

 private:
  std::vector<Piece> pieces_;
};

CommentText joined(llvm::ArrayRef<CommentText> texts, const char *between);
// a, b and c
CommentText inWords(llvm::ArrayRef<Symbol> names);

}  // namespace tile2cu::emit
