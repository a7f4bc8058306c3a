#include "frontend/clang/source_text.h"

#include <algorithm>

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

namespace tile2cu::frontend {

ir::Location SourceText::locate(clang::SourceLocation loc) {
  if (loc.isInvalid()) return {};
  loc = sources_.getFileLoc(loc);
  auto [file, offset] = sources_.getDecomposedLoc(loc);
  auto it = std::find(files_.begin(), files_.end(), file);
  if (it == files_.end()) {
    files_.push_back(file);
    module_.files.push_back(sources_.getFilename(loc).str());
    it = files_.end() - 1;
  }
  ir::Location result;
  result.file = it - files_.begin();
  result.line = sources_.getLineNumber(file, offset);
  result.column = sources_.getColumnNumber(file, offset);
  return result;
}

clang::SourceLocation SourceText::unlocate(const ir::Location &loc) const {
  if (loc.line == 0 || loc.file >= files_.size()) return {};
  return sources_.translateLineCol(files_[loc.file], loc.line, std::max(loc.column, 1u));
}

bool SourceText::inSystemHeader(clang::SourceLocation loc) const {
  return loc.isInvalid() || sources_.isInSystemHeader(sources_.getExpansionLoc(loc));
}

bool SourceText::inMainFile(clang::SourceLocation loc) const {
  return sources_.isInMainFile(sources_.getExpansionLoc(loc));
}

std::string SourceText::headerOf(clang::SourceLocation loc) const {
  clang::SourceLocation name;  // in the directive that includes the file of `loc`
  for (loc = sources_.getExpansionLoc(loc); loc.isValid() && !sources_.isInMainFile(loc);
       loc = sources_.getIncludeLoc(sources_.getFileID(loc)))
    name = sources_.getIncludeLoc(sources_.getFileID(loc));
  if (name.isInvalid() || name.isMacroID()) return "";
  const llvm::StringRef text(sources_.getCharacterData(name));
  const char end = text.starts_with("<") ? '>' : text.starts_with("\"") ? '"' : '\0';
  const size_t length = text.find(end, 1);
  return end && length != llvm::StringRef::npos ? text.take_front(length + 1).str() : "";
}

std::string SourceText::plainHeaderOf(clang::SourceLocation loc) const {
  const clang::FileID file = sources_.getFileID(sources_.getExpansionLoc(loc));
  return sources_.getBufferData(file).contains("tile2cu/tile.h") ? "" : headerOf(loc);
}

// Lexes `text` and joins its tokens with one space where there was any white space or comment.
static std::string collapse(llvm::StringRef text, const clang::LangOptions &language) {
  std::string buffer = text.str();  // the lexer wants a final zero
  clang::Lexer lexer(clang::SourceLocation(), language, buffer.data(), buffer.data(),
                     buffer.data() + buffer.size());
  std::string result;
  clang::Token token;
  for (;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) break;
    if (!result.empty() && (token.hasLeadingSpace() || token.isAtStartOfLine())) result += ' ';
    const char *end = buffer.data() + lexer.getCurrentBufferOffset();
    std::string spelling(end - token.getLength(), end);
    static const llvm::Regex lineEnd("\\\\[ \t]*\r?\n");
    while (token.needsCleaning() && lineEnd.match(spelling)) spelling = lineEnd.sub("", spelling);
    const bool isLong = spelling.find('\n') != std::string::npos;  // a raw string of several lines
    result += isLong ? "R\"(...)\"" : spelling;
  }
  return result;
}

std::string SourceText::oneLine(clang::SourceRange range) const {
  auto characters = clang::CharSourceRange::getTokenRange(sources_.getFileLoc(range.getBegin()),
                                                          sources_.getFileLoc(range.getEnd()));
  std::string text =
      collapse(clang::Lexer::getSourceText(characters, sources_, language_), language_);
  while (!text.empty() && (text.back() == ';' || text.back() == ' ')) text.pop_back();
  return text;
}

// "// text", "/* text */" and "/// text" without their marks; lines separated by \n.
static std::string commentText(llvm::StringRef raw) {
  const bool isBlock = raw.consume_front("/*");
  if (isBlock) {
    raw.consume_back("*/");
  } else {
    raw = raw.ltrim('/');
    raw.consume_front("<");
    raw.consume_front(" ");
  }
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::SplitString(raw, lines, "\r\n");
  std::string result;
  for (llvm::StringRef line : lines) {
    line = line.rtrim(" \t");
    if (isBlock || line.data() != raw.data()) line = line.ltrim();
    if (isBlock && line.consume_front("*")) line = line.trim();
    if (line.empty()) continue;
    if (!result.empty()) result += '\n';
    result += line;
  }
  return result;
}

// Directives to a formatter or linter, not text for the reader.
static bool isForTools(llvm::StringRef text) {
  return text.starts_with("clang-format ") || text.starts_with("NOLINT");
}

const std::vector<SourceText::Comment> &SourceText::comments(clang::FileID file) {
  auto [it, isNew] = comments_.try_emplace(file);
  if (!isNew) return it->second;
  llvm::StringRef text = sources_.getBufferData(file);
  clang::Lexer lexer(sources_.getLocForStartOfFile(file), language_, text.begin(), text.begin(),
                     text.end());
  lexer.SetCommentRetentionState(true);
  clang::Token token;
  for (;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) break;
    if (token.isNot(clang::tok::comment)) continue;
    unsigned begin = sources_.getFileOffset(token.getLocation()), end = begin + token.getLength();
    Comment comment;
    comment.firstLine = sources_.getLineNumber(file, begin);
    comment.lastLine = sources_.getLineNumber(file, end - 1);
    comment.column = sources_.getColumnNumber(file, begin);
    llvm::StringRef before = text.slice(begin - (comment.column - 1), begin);
    comment.ownLine = before.trim().empty();
    comment.text = commentText(text.slice(begin, end));
    if (!isForTools(comment.text)) it->second.push_back(std::move(comment));
  }
  return it->second;
}

std::string SourceText::commentAbove(clang::SourceLocation begin) {
  if (begin.isInvalid()) return "";
  begin = sources_.getFileLoc(begin);
  auto [file, offset] = sources_.getDecomposedLoc(begin);
  unsigned line = sources_.getLineNumber(file, offset);
  std::vector<std::string> lines;
  for (const Comment &comment : llvm::reverse(comments(file))) {
    if (comment.lastLine >= line) continue;
    if (!comment.ownLine || comment.lastLine + 1 != line) break;
    lines.push_back(comment.text);
    line = comment.firstLine;
  }
  std::reverse(lines.begin(), lines.end());
  return llvm::join(lines, "\n");
}

std::string SourceText::commentBeside(clang::SourceLocation end) {
  if (end.isInvalid()) return "";
  end = sources_.getFileLoc(end);
  auto [file, offset] = sources_.getDecomposedLoc(end);
  unsigned line = sources_.getLineNumber(file, offset),
           column = sources_.getColumnNumber(file, offset);
  for (const Comment &comment : comments(file))
    if (comment.firstLine == line && comment.column > column) return comment.text;
  return "";
}

}  // namespace tile2cu::frontend
