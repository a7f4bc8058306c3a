// The text of an AST. Nothing but the printer knows the precedence of operators.
#pragma once
#include <string>

#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// Appends the expression, with just the parentheses that it needs.
void print(const Expr &e, std::string &out);
void print(const Expr &e, CommentText &out);

// Appends the statements, not indented: a statement, a head or a closing brace a line. A loop or
// branch has no braces around one statement that fits on a line, and a loop over registers none
// around another one. (clang-format's RemoveBracesLLVM does this in part, and parses the text once
// more for it.)
void print(const Stmts &stmts, std::string &out);
std::string textOf(const Stmts &stmts);

// Where the text of a statement begins, and the line of the tile source that it came from.
struct TextSource {
  size_t offset;
  SourceLine source;
};
using TextSources = std::vector<TextSource>;

// An empty line follows. If `files` are given, the names of the tile source's files, a #line
// directive above each row that is code says which line of them it comes from. If `sources`
// is not null, it gets the sources of the statements, in the order of their offsets in `out`.
void print(const Function &function, std::string &out, llvm::ArrayRef<std::string> files = {},
           TextSources *sources = nullptr);
void print(const Struct &record, std::string &out, llvm::ArrayRef<std::string> files = {},
           TextSources *sources = nullptr);
// Its comment and its head, with a semicolon.
std::string declarationOf(const Function &function);

// #line 27 "softmax.tile.cpp", a whole row
std::string lineDirective(size_t line, llvm::StringRef file);

}  // namespace tile2cu::emit
