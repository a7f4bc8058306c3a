#include "passes/ir/text/lexer.h"

#include <algorithm>
#include <cmath>

#include "llvm/ADT/StringExtras.h"

namespace tile2cu::ir {
namespace {

bool isLetter(char c) {
  return llvm::isAlpha(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool isWord(char c) { return isLetter(c) || llvm::isDigit(c); }

}  // namespace

void Lexer::skipSpace() {
  while (at_ < text_.size()) {
    if (llvm::isSpace(text_[at_]))
      ++at_;
    else if (text_.substr(at_).starts_with("//"))
      at_ = std::min(text_.find('\n', at_), text_.size());
    else
      break;
  }
}

Lexer::Lexer(llvm::StringRef text) : text_(text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') lineStarts_.push_back(i + 1);
  skipSpace();
}

Lexer::Place Lexer::place(size_t offset) const {
  auto next = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  return {static_cast<unsigned>(next - lineStarts_.begin()),
          static_cast<unsigned>(offset - *std::prev(next) + 1)};
}

bool Lexer::peek(llvm::StringRef token) const {
  llvm::StringRef rest = text_.substr(at_);
  if (!rest.starts_with(token)) return false;
  return !isWord(token.back()) || rest.size() == token.size() || !isWord(rest[token.size()]);
}

bool Lexer::peekDigit() const { return at_ < text_.size() && llvm::isDigit(text_[at_]); }

bool Lexer::atLineStart() const {
  llvm::StringRef line = text_.take_front(at_);
  return line.substr(line.rfind('\n') + 1).trim().empty();
}

bool Lexer::eat(llvm::StringRef token) {
  if (!peek(token)) return false;
  at_ += token.size();
  skipSpace();
  return true;
}

std::optional<std::string> Lexer::identifier() {
  if (atEnd() || !isLetter(text_[at_])) return std::nullopt;
  llvm::StringRef word = text_.substr(at_).take_while(isWord);
  at_ += word.size();
  skipSpace();
  return word.str();
}

std::optional<int64_t> Lexer::integer() {
  llvm::StringRef rest = text_.substr(at_);
  size_t sign = rest.starts_with("-") ? 1 : 0;
  llvm::StringRef digits = rest.substr(sign).take_while(llvm::isDigit);
  int64_t value = 0;
  if (digits.empty() || rest.take_front(sign + digits.size()).getAsInteger(10, value))
    return std::nullopt;
  at_ += sign + digits.size();
  skipSpace();
  return value;
}

std::optional<std::string> Lexer::quoted() {
  if (atEnd() || text_[at_] != '"') return std::nullopt;
  std::string result;
  for (size_t i = at_ + 1; i < text_.size(); ++i) {
    if (text_[i] == '"') {
      at_ = i + 1;
      skipSpace();
      return result;
    }
    if (text_[i] == '\\' && i + 1 < text_.size()) {
      ++i;
      result += text_[i] == 'n' ? '\n' : text_[i];
    } else {
      result += text_[i];
    }
  }
  return std::nullopt;
}

std::optional<double> Lexer::real() {
  llvm::StringRef rest = text_.substr(at_);
  size_t sign = rest.starts_with("-") ? 1 : 0;
  llvm::StringRef word = rest.substr(sign).take_while(
      [](char c) { return isWord(c) || c == '.' || c == '+' || c == '-'; });
  double value = 0;
  if (word == "inf")
    value = INFINITY;
  else if (word == "nan")
    value = NAN;
  else if (word.empty() || !llvm::isDigit(word[0]) ||
           word.find_first_of(".e") == llvm::StringRef::npos || word.getAsDouble(value))
    return std::nullopt;
  at_ += sign + word.size();
  skipSpace();
  return sign ? -value : value;
}

std::optional<Dim> Lexer::size() {
  const llvm::StringRef rest = text_.substr(at_), digits = rest.take_while(llvm::isDigit);
  int64_t value = 0;
  if (digits.empty() || digits.getAsInteger(10, value)) return std::nullopt;
  llvm::StringRef after = rest.substr(digits.size());
  Dim size(value);
  if (after.consume_front(":")) {
    const llvm::StringRef text = after.take_while([](char c) {
      return llvm::isAlnum(c) || llvm::StringRef("_*/+-").contains(c) ||
             static_cast<unsigned char>(c) >= 0x80;
    });
    const auto formula = Formula::parse(text);
    if (!formula) return std::nullopt;
    after = after.substr(text.size());
    size = Dim(value, *formula);
  }
  at_ = text_.size() - after.size();
  skipSpace();
  return size;
}

std::optional<Dim> Lexer::extent() {
  const size_t start = at_;
  const auto result = size();
  if (result && text_.substr(at_).starts_with("x")) {
    ++at_;
    skipSpace();
    return result;
  }
  at_ = start;
  return std::nullopt;
}

std::string Lexer::here() const {
  if (atEnd()) return "the end of the text";
  llvm::StringRef rest = text_.substr(at_);
  llvm::StringRef word = rest.take_while(isWord);
  return "'" + (word.empty() ? rest.take_front(1) : word).str() + "'";
}

}  // namespace tile2cu::ir
