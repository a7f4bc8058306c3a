// The structs of options that the user writes: {.num_warps = 8} of a configuration, {.num_stages = 2} of a loop.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "frontend/clang/source_text.h"
#include "llvm/ADT/ArrayRef.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace clang {
class APValue;
class ASTContext;
class CXXRecordDecl;
class Expr;
}  // namespace clang

namespace tile2cu::frontend {

// What an option takes. 0, where it is allowed, stands for the rule that decides without the option.
struct OptionLimits {
  llvm::StringRef name;
  int64_t least, most;
};

// The numbers by their names; none, with an error at its place, where one is no constant or beyond its limits.
std::optional<std::map<std::string, int64_t>> evaluateOptions(const clang::ASTContext &context,
                                                              const clang::Expr *options,
                                                              llvm::ArrayRef<OptionLimits> limits,
                                                              SourceText &source,
                                                              ir::Diagnostics &diagnostics);

// The same of options that are evaluated already. `text`: the expression that shows them, or null,
// in which case messages point to `loc`.
std::optional<std::map<std::string, int64_t>> checkOptions(
    const clang::APValue &options, const clang::CXXRecordDecl *type,
    llvm::ArrayRef<OptionLimits> limits, const clang::Expr *text, clang::SourceLocation loc,
    SourceText &source, ir::Diagnostics &diagnostics);

}  // namespace tile2cu::frontend
