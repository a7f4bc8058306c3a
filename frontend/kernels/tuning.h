// Evaluates the arguments of `tune(key{"m", "n"}, preserve("c", "m", "n"), candidate(...), ...)`
// that precede the candidates.
#pragma once
#include <optional>

#include "frontend/clang/source_text.h"
#include "frontend/kernels/launcher_values.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::frontend {

// Reports names that are not parameters of `kernel`, the kernel of the first candidate, or whose
// parameters have the wrong type. Returns nullopt then.
std::optional<ir::Tuning> tuningOf(const LauncherValue &launcher, const clang::FunctionDecl *kernel,
                                   SourceText &source, ir::Diagnostics &diagnostics);

}  // namespace tile2cu::frontend
