// Runs passes over a module, and shows what they do: --print-before, --print-after, --verify,
// --time-passes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "transpiler/options.h"
#include "transpiler/pipeline.h"
#include "transpiler/stopwatch.h"

namespace tile2cu::transpiler {

struct NamedPass {
  llvm::StringRef name;
  ir::Level needs, leaves;
  passes::Keeps keeps;
  llvm::StringRef description;
  PassFunction run;
};

// The passes of the pipeline with their names from passes.def.
std::vector<NamedPass> namedPipeline();

// The passes that --passes= lists ("all", "none" or names), or nothing, with `problem` set, if a
// name is unknown. The names in --print-before and --print-after are checked too.
std::optional<std::vector<NamedPass>> selectPasses(const Options &options, std::string &problem);

// Why `passes` cannot run in this order on IR of level `input`: one of them needs another level
// than it gets. Empty if they can.
std::string orderProblem(llvm::ArrayRef<NamedPass> passes, ir::Level input);

// The passes of the pipeline that `module` has not seen yet: those that follow `module.after`.
// Nothing, with an error reported, if textual IR names a pass there that does not leave IR of its
// level, or names none although passes have run.
std::optional<std::vector<NamedPass>> passesLeft(const ir::Module &module,
                                                 ir::Diagnostics &diagnostics);

// `orderProblem` has found nothing. Stops at the first pass that fails (and has reported why).
// Keeps `module.after` up to date. `ran`, if there is one, is called after each pass.
llvm::LogicalResult runPasses(llvm::ArrayRef<NamedPass> passes, ir::Module &module,
                              passes::PassContext &context, const Options &options,
                              Stopwatch &stopwatch, llvm::raw_ostream &log,
                              llvm::function_ref<void(const NamedPass &)> ran = {});

}  // namespace tile2cu::transpiler
