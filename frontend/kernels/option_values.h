// Evaluates option structs of the user: {.num_warps = 8} for a configuration, {.num_stages = 2} for
// a loop.
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

// The range of an option. 0, where it is allowed, lets the compiler choose.
struct OptionLimits {
  llvm::StringRef name;
  int64_t least, most;
};

// The values by option name. Reports an error and returns nullopt if a value is not a constant or
// is out of range.
std::optional<std::map<std::string, int64_t>> evaluateOptions(const clang::ASTContext &context,
                                                              const clang::Expr *options,
                                                              llvm::ArrayRef<OptionLimits> limits,
                                                              SourceText &source,
                                                              ir::Diagnostics &diagnostics);

// The same for options that are already evaluated. `text` is the expression that shows them, or
// null, in which case messages point to `loc`.
std::optional<std::map<std::string, int64_t>> checkOptions(
    const clang::APValue &options, const clang::CXXRecordDecl *type,
    llvm::ArrayRef<OptionLimits> limits, const clang::Expr *text, clang::SourceLocation loc,
    SourceText &source, ir::Diagnostics &diagnostics);

}  // namespace tile2cu::frontend
