// Tokens of the textual Tile IR, on demand: the parser asks for the token that it expects next.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "passes/ir/dim.h"

namespace tile2cu::ir {

class Lexer {
 public:
  explicit Lexer(llvm::StringRef text);

  bool atEnd() const { return at_ == text_.size(); }
  size_t offset() const { return at_; }
  void rewind(size_t offset) { at_ = offset; }
  struct Place {
    unsigned line, column;
  };
  Place place(size_t offset) const;

  // Whether the text continues with `token`; an identifier must end where the token does.
  bool peek(llvm::StringRef token) const;
  bool peekDigit() const;
  bool atLineStart() const;  // nothing but white space stands before on this line
  bool eat(llvm::StringRef token);
  // nullopt if something else stands here.
  std::optional<std::string> identifier();
  std::optional<int64_t> integer();
  std::optional<std::string> quoted();
  // A number with a point or an exponent, inf or nan; signed. Integers are left to `integer`.
  std::optional<double> real();
  // A size: 1024, 1024:BLOCK, 64:BLOCK/16
  std::optional<Dim> size();
  // `size x` of a shape: 1024x, 1024:BLOCK x
  std::optional<Dim> extent();

  // The text at this position, for messages.
  std::string here() const;

 private:
  void skipSpace();

  llvm::StringRef text_;
  size_t at_ = 0;
  std::vector<size_t> lineStarts_ = {0};
};

}  // namespace tile2cu::ir
