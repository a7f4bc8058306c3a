// Runs passes over a module, and shows what they do: --print-before, --print-after, --verify,
// --time-passes.
#pragma once
#include <optional>
#include <string>
#include <vector>

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

// Whether all passes can run. If textual IR shows that passes have already run, this is an error
// that is reported.
bool checkUntouched(ir::Module &module, ir::Diagnostics &diagnostics);

// `orderProblem` has found nothing. Stops at the first pass that fails (and has reported why).
llvm::LogicalResult runPasses(llvm::ArrayRef<NamedPass> passes, ir::Module &module,
                              passes::PassContext &context, const Options &options,
                              Stopwatch &stopwatch, llvm::raw_ostream &log);

}  // namespace tile2cu::transpiler
