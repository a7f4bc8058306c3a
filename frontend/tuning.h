// `tune(key{"m", "n"}, preserve("c", "m", "n"), candidate(...), ...)`: what stands before the candidates.
#pragma once
#include <optional>

#include "frontend/source_text.h"
#include "passes/ir/diagnostics.h"
#include "passes/ir/module.h"

namespace clang {
class ASTContext;
class CallExpr;
class FunctionDecl;
}  // namespace clang

namespace tile2cu::frontend {

// Reports names that are no parameters of `kernel`, the first candidate, or not of the right type; nullopt then.
std::optional<ir::Tuning> tuningOf(clang::ASTContext &context, SourceText &source,
                                   const clang::CallExpr *tune, const clang::FunctionDecl *kernel,
                                   ir::Diagnostics &diagnostics);

}  // namespace tile2cu::frontend
