// tile2cu/tile.h parsed beforehand: made when tile2cu is built, read instead of the header wherever that cannot be told
// apart from including it.
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
  std::vector<std::string> files;  // that tile.h consists of, in order, as an include names them
  std::string root;                // the folder that it is relative to
  unsigned includeOffset = 0;      // in the source: where the name of the header is
};

// The file that `options` names, if reading it does what including the header at the top of `source` (the text of
// `name`) would do: nothing stands before that line, the same flags, the same headers, unchanged. Null otherwise.
std::unique_ptr<Precompiled> openPrecompiled(const FrontendOptions &options,
                                             const clang::HeaderSearchOptions &search,
                                             llvm::StringRef name, llvm::StringRef source);

// Parses as SyntaxOnlyAction does, after `header`. BeginSourceFile fails, without a message, if Clang does not accept it.
std::unique_ptr<clang::FrontendAction> parseAfter(const Precompiled &header);

// Writes the file. `compiler` is set up to parse tile2cu/tile.h, at `header` in the folder `root`.
bool writePrecompiled(clang::CompilerInstance &compiler, const std::string &root,
                      const std::string &header, const std::string &path);

}  // namespace tile2cu::frontend
