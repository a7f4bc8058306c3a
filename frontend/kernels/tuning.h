// `tune(key{"m", "n"}, preserve("c", "m", "n"), candidate(...), ...)`: what stands before the candidates.
#pragma once
#include <optional>

#include "frontend/clang/source_text.h"
#include "frontend/kernels/launcher_values.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"

namespace tile2cu::frontend {

// Reports names that are no parameters of `kernel`, the first candidate, or not of the right type;
// nullopt then.
std::optional<ir::Tuning> tuningOf(const LauncherValue &launcher, const clang::FunctionDecl *kernel,
                                   SourceText &source, ir::Diagnostics &diagnostics);

}  // namespace tile2cu::frontend
