// A precompiled tile2cu/tile.h, made when tile2cu is built. It is read instead of the header if the
// result cannot differ from including it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "frontend/frontend.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tile2cu::frontend {

struct Precompiled {
  std::unique_ptr<llvm::MemoryBuffer> file;
  llvm::StringRef ast;             // Clang's part of it
  std::vector<std::string> files;  // the files of tile.h, in order, as an include names them
  std::string root;                // their paths are relative to this folder
  unsigned includeOffset = 0;      // of the header's name in the source
};

// The file that `options` names, if reading it has the same effect as the include of the header in
// `source` (the text of `name`): the include comes first, the flags and the headers are the same,
// and no file has changed. Null otherwise.
std::unique_ptr<Precompiled> openPrecompiled(const FrontendOptions &options,
                                             const clang::HeaderSearchOptions &search,
                                             llvm::StringRef name, llvm::StringRef source);

// Parses like SyntaxOnlyAction, after `header`. BeginSourceFile fails, without a message, if Clang
// does not accept the header.
std::unique_ptr<clang::FrontendAction> parseAfter(const Precompiled &header);

// Writes the file. `compiler` is set up to parse tile2cu/tile.h, at `header` in the folder `root`.
bool writePrecompiled(clang::CompilerInstance &compiler, const std::string &root,
                      const std::string &header, const std::string &path);

}  // namespace tile2cu::frontend
