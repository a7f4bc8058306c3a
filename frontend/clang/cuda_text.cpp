#include "frontend/clang/cuda_text.h"

#include <set>

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tile2cu::frontend {
namespace {

using clang::tok::TokenKind;

// Calls `visit(token, spelling)` for each token, comments as well, and returns the text after the
// last one.
template <class Visit>
std::string forEachToken(llvm::StringRef text, const clang::LangOptions &language, Visit visit) {
  const std::string buffer = text.str();  // the lexer wants a final zero
  clang::Lexer lexer(clang::SourceLocation(), language, buffer.data(), buffer.data(),
                     buffer.data() + buffer.size());
  lexer.SetCommentRetentionState(true);
  clang::Token token;
  size_t end = 0;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    end = lexer.getCurrentBufferOffset();
    visit(token, llvm::StringRef(buffer).slice(end - token.getLength(), end));
  }
  return buffer.substr(end);
}

// The bracket that `closing` closes; unknown if it closes none.
TokenKind openingOf(TokenKind closing) {
  switch (closing) {
    case clang::tok::r_brace:
      return clang::tok::l_brace;
    case clang::tok::r_paren:
      return clang::tok::l_paren;
    case clang::tok::r_square:
      return clang::tok::l_square;
    default:
      return clang::tok::unknown;
  }
}

// Looks at the tokens of a text, and keeps the first problem.
class Check {
 public:
  void operator()(const clang::Token &token, llvm::StringRef spelling) {
    if (token.is(clang::tok::comment)) return;
    if (token.isAtStartOfLine()) inDirective_ = token.is(clang::tok::hash);
    if (inDirective_) return directive(token, spelling);
    endsStatement_ = token.isOneOf(clang::tok::semi, clang::tok::r_brace);
    if (token.is(clang::tok::raw_identifier)) words_.insert(spelling.str());
    if (token.is(clang::tok::unknown)) {
      const bool isString = spelling.find_first_of("\"'") != llvm::StringRef::npos;
      report(isString ? "has a string or character that does not end"
                      : llvm::formatv("has '{0}', which C++ has not", spelling).str());
    }
    if (token.isOneOf(clang::tok::l_brace, clang::tok::l_paren, clang::tok::l_square))
      open_.emplace_back(token.getKind(), spelling.str());
    bracketEnd(token.getKind(), spelling);
  }

  // `rest`: what stands after the last token.
  std::string problem(llvm::StringRef rest, llvm::ArrayRef<std::string> parameters, bool returns) {
    if (!rest.trim().empty()) report("has a comment that does not end");
    if (!open_.empty())
      report(llvm::formatv("has a '{0}' that is not closed", open_.back().second));
    if (conditions_ > 0) report("has an #if without its #endif");
    for (const std::string &name : parameters)
      if (!words_.contains(name))
        report(llvm::formatv("does not use '{0}'; drop that parameter of the reference", name));
    if (returns && !words_.contains("return"))
      report("returns nothing; it is the body of a function, so write return");
    if (!endsStatement_) report("does not end in ';' or '}'");
    return problem_;
  }

 private:
  void report(const std::string &problem) {
    if (problem_.empty()) problem_ = problem;
  }

  void bracketEnd(TokenKind kind, llvm::StringRef spelling) {
    const TokenKind opening = openingOf(kind);
    if (opening == clang::tok::unknown) return;
    if (open_.empty() || open_.back().first != opening)
      return report(llvm::formatv("has a '{0}' that closes nothing", spelling));
    open_.pop_back();
  }

  // A token of a directive. The first one is the #, the second one its name.
  void directive(const clang::Token &token, llvm::StringRef spelling) {
    if (token.is(clang::tok::hash) && token.isAtStartOfLine()) {
      isName_ = true;
      return;
    }
    if (!isName_) return;
    isName_ = false;
    if (spelling == "pragma" || spelling == "elif" || spelling == "else") return;
    if (spelling == "if" || spelling == "ifdef" || spelling == "ifndef") {
      ++conditions_;
    } else if (spelling == "endif") {
      if (--conditions_ < 0) report("has an #endif without its #if");
    } else {
      report(
          llvm::formatv("has #{0}, which would hold for the rest of the file; write a "
                        "__device__ function in a header instead",
                        spelling));
    }
  }

  std::string problem_;
  std::set<std::string> words_;
  llvm::SmallVector<std::pair<TokenKind, std::string>, 8> open_;  // brackets
  int conditions_ = 0;                                            // #if without #endif so far
  bool inDirective_ = false, isName_ = false, endsStatement_ = false;
};

// Or a row of a comment that looks like one.
bool isDirective(llvm::StringRef row) { return row.ltrim().starts_with("#"); }

llvm::StringRef withoutEmptyEnds(llvm::StringRef text) {
  text = text.rtrim();
  while (true) {
    const size_t end = text.find('\n');
    if (end == llvm::StringRef::npos || !text.take_front(end).trim().empty()) return text;
    text = text.drop_front(end + 1);
  }
}

}  // namespace

std::string problemOf(llvm::StringRef text, llvm::ArrayRef<std::string> parameters, bool returns,
                      const clang::LangOptions &language) {
  // It would join the last row with the one after it.
  if (text.rtrim().ends_with("\\")) return "ends in a backslash";
  Check check;
  const std::string rest = forEachToken(
      text, language, [&](const auto &token, auto spelling) { check(token, spelling); });
  return check.problem(rest, parameters, returns);
}

std::string rowsOf(llvm::StringRef text, const clang::LangOptions &language) {
  bool hasLongString = false;
  forEachToken(text, language, [&](const auto &token, llvm::StringRef spelling) {
    hasLongString |= token.isNot(clang::tok::comment) && spelling.contains('\n');
  });
  text = withoutEmptyEnds(text);
  llvm::SmallVector<llvm::StringRef, 16> rows;
  text.split(rows, '\n');
  if (hasLongString) return llvm::join(rows, "\n");
  size_t indent = llvm::StringRef::npos;
  for (llvm::StringRef &row : rows) {
    row = row.rtrim(" \t\r");
    if (isDirective(row))
      row = row.ltrim();
    else if (!row.empty())
      indent = std::min(indent, row.size() - row.ltrim(' ').size());
  }
  std::string result;
  for (const llvm::StringRef row : rows) {
    if (!result.empty()) result += '\n';
    if (isDirective(row))
      result += row;
    else if (!row.empty())
      result += "  " + row.drop_front(indent).str();
  }
  return result;
}

}  // namespace tile2cu::frontend
