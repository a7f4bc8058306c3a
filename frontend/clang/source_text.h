// Locations and text of the user's source: locations for the IR, statements on one line, comments.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "passes/ir/module.h"

namespace tile2cu::frontend {

class SourceText {
 public:
  SourceText(clang::SourceManager &sources, const clang::LangOptions &language, ir::Module &module)
      : sources_(sources), language_(language), module_(module) {}

  // The location of a macro is where it is expanded.
  ir::Location locate(clang::SourceLocation loc);
  clang::SourceLocation unlocate(const ir::Location &loc) const;
  bool inSystemHeader(clang::SourceLocation loc) const;
  // Whether it is in the input itself, not in a header.
  bool inMainFile(clang::SourceLocation loc) const;
  // The header that the input includes to get the text at `loc`, as it names it: "geometry.h" or
  // <geometry.h>, with the quotes or brackets. Empty if a macro names it, or `loc` is not in a
  // header.
  std::string headerOf(clang::SourceLocation loc) const;
  // The same, but empty if the text includes tile2cu/tile.h, which is not for nvcc.
  std::string plainHeaderOf(clang::SourceLocation loc) const;

  // The text of a range on one line: white space collapsed, without comments and a final semicolon.
  std::string oneLine(clang::SourceRange range) const;
  // The comment block that ends on the line above `begin`, and the comment after `end` on its line.
  std::string commentAbove(clang::SourceLocation begin);
  std::string commentBeside(clang::SourceLocation end);

 private:
  struct Comment {
    unsigned firstLine, lastLine, column;
    bool ownLine;  // only white space precedes it
    std::string text;
  };
  const std::vector<Comment> &comments(clang::FileID file);

  clang::SourceManager &sources_;
  const clang::LangOptions &language_;
  ir::Module &module_;
  std::vector<clang::FileID> files_;  // of module_.files
  std::map<clang::FileID, std::vector<Comment>> comments_;
};

}  // namespace tile2cu::frontend
