#include "emit/cuda/comment_text.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {

CommentText &CommentText::operator+=(llvm::StringRef text) {
  if (text.empty()) return *this;
  if (pieces_.empty() || !std::holds_alternative<std::string>(pieces_.back()))
    pieces_.emplace_back(std::string());
  std::get<std::string>(pieces_.back()) += text;
  return *this;
}

CommentText &CommentText::operator+=(const Symbol &symbol) {
  // A known name is text, so that equal texts have equal pieces.
  if (!symbol.isOpen()) return *this += symbol.wanted();
  pieces_.emplace_back(symbol);
  return *this;
}

CommentText &CommentText::operator+=(const CommentText &other) {
  for (const Piece &piece : other.pieces_)
    std::visit([this](const auto &each) { *this += each; }, piece);
  return *this;
}

bool CommentText::mentionsSymbols() const {
  return llvm::any_of(pieces_,
                      [](const Piece &piece) { return std::holds_alternative<Symbol>(piece); });
}

void CommentText::rename(const SymbolMap &names) {
  if (!mentionsSymbols()) return;
  CommentText text;
  for (const Piece &piece : pieces_)
    if (const Symbol *symbol = std::get_if<Symbol>(&piece)) {
      const auto name = names.find(*symbol);
      text += name == names.end() ? *symbol : name->second;
    } else {
      text += std::get<std::string>(piece);
    }
  *this = std::move(text);
}

static llvm::StringRef textOf(const CommentText::Piece &piece) {
  const Symbol *symbol = std::get_if<Symbol>(&piece);
  return symbol ? symbol->wanted() : llvm::StringRef(std::get<std::string>(piece));
}

size_t CommentText::rows() const {
  size_t rows = 1;
  for (const Piece &piece : pieces_) rows += textOf(piece).count('\n');
  return rows;
}

std::string CommentText::str() const {
  std::string text;
  for (const Piece &piece : pieces_) text += textOf(piece);
  return text;
}

namespace {

// Adds words to a text. A word ends at a space or at the end of a row.
class Wrapper {
 public:
  explicit Wrapper(size_t columns) : columns_(columns) {}

  void add(const CommentText::Piece &piece) {
    if (const Symbol *symbol = std::get_if<Symbol>(&piece))
      return addPart(*symbol, symbol->wanted());
    llvm::StringRef text = std::get<std::string>(piece);
    while (true) {
      const size_t end = text.find_first_of(" \n");
      addPart(text.take_front(end), text.take_front(end));
      if (end == llvm::StringRef::npos) return;
      endWord();
      isFirst_ = text[end] == '\n';
      if (isFirst_) {
        text_ += "\n";
        width_ = 0;
      }
      text = text.drop_front(end + 1);
    }
  }
  CommentText take() {
    endWord();
    return std::move(text_);
  }

 private:
  template <class T>
  void addPart(const T &part, llvm::StringRef text) {
    word_ += part;
    wordWidth_ += text.size();
  }
  void endWord() {
    const bool isBroken = !isFirst_ && width_ > 0 && width_ + 1 + wordWidth_ > columns_;
    if (!isFirst_) text_ += isBroken ? "\n" : " ";
    width_ = isBroken ? wordWidth_ : width_ + !isFirst_ + wordWidth_;
    text_ += word_;
    word_ = {};
    wordWidth_ = 0;
    isFirst_ = false;
  }

  const size_t columns_;
  CommentText text_, word_;
  size_t width_ = 0, wordWidth_ = 0;
  bool isFirst_ = true;  // the word, in its row
};

}  // namespace

CommentText CommentText::wrapped(size_t columns) const {
  Wrapper wrapper(columns);
  for (const Piece &piece : pieces_) wrapper.add(piece);
  return wrapper.take();
}

CommentText joined(llvm::ArrayRef<CommentText> texts, const char *between) {
  CommentText all;
  for (const CommentText &text : texts) {
    if (&text != texts.begin()) all += between;
    all += text;
  }
  return all;
}

CommentText inWords(llvm::ArrayRef<Symbol> names) {
  CommentText text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace tile2cu::emit
