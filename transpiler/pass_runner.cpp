#include "transpiler/pass_runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/ir/text/print.h"
#include "passes/ir/verify/verify.h"

namespace tile2cu::transpiler {
namespace {

const std::vector<NamedPass> &allPasses() {
  static const std::vector<NamedPass> passes = {
#define PASS(function, needs, leaves, keeps, description)                  \
  {#function,   ir::Level::needs, ir::Level::leaves, passes::Keeps::keeps, \
   description, passes::function},
#include "passes/passes.def"
  };
  return passes;
}

const NamedPass *findPass(llvm::StringRef name) {
  auto it = llvm::find_if(allPasses(), [&](const NamedPass &pass) { return pass.name == name; });
  return it == allPasses().end() ? nullptr : &*it;
}

std::string unknownPass(llvm::StringRef option, llvm::StringRef name) {
  const NamedPass *closest = nullptr;
  unsigned best = 4;
  for (const NamedPass &pass : allPasses()) {
    unsigned distance = name.edit_distance(pass.name, true, best);
    if (distance < best) {
      best = distance;
      closest = &pass;
    }
  }
  std::string text = option.str() + ": there is no pass '" + name.str() + "'";
  return text + (closest ? "; did you mean '" + closest->name.str() + "'?" : "; see --list-passes");
}

bool listed(llvm::StringRef names, llvm::StringRef name) {
  return names == "all" || llvm::is_contained(llvm::split(names, ','), name);
}

void printModule(llvm::StringRef when, const NamedPass &pass, llvm::StringRef text,
                 llvm::raw_ostream &log) {
  log << "// ==== " << when << ' ' << pass.name << '\n' << text;
}

#ifdef NDEBUG
constexpr bool kAlwaysVerify = false;
#else
constexpr bool kAlwaysVerify = true;
#endif

// An analysis that a pass keeps although it has changed what the analysis says is an internal
// failure: the process ends.
void checkKept(const NamedPass &pass, ir::Module &module, const passes::PassContext &context) {
  const std::string stale = context.analyses.findStale(module);
  if (stale.empty()) return;
  const std::string text =
      "the pass '" + pass.name.str() + "' does not keep " + stale + ", though passes.def says so";
  T2C_UNREACHABLE(text.c_str());
}

}  // namespace

std::vector<NamedPass> namedPipeline() {
  std::vector<NamedPass> named;
  for (PassFunction function : pipeline()) {
    auto it =
        llvm::find_if(allPasses(), [&](const NamedPass &pass) { return pass.run == function; });
    T2C_ASSERT(it != allPasses().end());  // a pass of the pipeline has no row in passes.def
    named.push_back(*it);
  }
  return named;
}

std::optional<std::vector<NamedPass>> selectPasses(const Options &options, std::string &problem) {
  for (auto [option, names] :
       {std::pair<llvm::StringRef, llvm::StringRef>{"--print-before", options.printBefore},
        {"--print-after", options.printAfter}}) {
    if (names.empty() || names == "all") continue;
    for (llvm::StringRef name : llvm::split(names, ',')) {
      if (!findPass(name)) {
        problem = unknownPass(option, name);
        return std::nullopt;
      }
    }
  }
  if (options.passes == "all") return namedPipeline();
  std::vector<NamedPass> selected;
  if (options.passes == "none") return selected;
  for (llvm::StringRef name : llvm::split(options.passes, ',')) {
    const NamedPass *pass = findPass(name);
    if (!pass) {
      problem = unknownPass("--passes", name);
      return std::nullopt;
    }
    selected.push_back(*pass);
  }
  return selected;
}

std::string orderProblem(llvm::ArrayRef<NamedPass> passes, ir::Level input) {
  ir::Level level = input;
  std::string cause = "the input is";
  for (const NamedPass &pass : passes) {
    if (pass.needs != level)
      return "--passes: '" + pass.name.str() + "' needs IR of level " + ir::name(pass.needs).str() +
             ", but " + cause + " of level " + ir::name(level).str() + "; see --list-passes";
    level = pass.leaves;
    cause = "what '" + pass.name.str() + "' leaves is";
  }
  return "";
}

bool checkUntouched(ir::Module &module, ir::Diagnostics &diagnostics) {
  for (ir::Kernel &kernel : module.kernels) {
    const char *trace = nullptr;
    if (!kernel.facts.empty() || kernel.scalarVariant || kernel.hopperVariant || kernel.forHopper)
      trace = "the kernel has variants";
    else if (kernel.programsPerBlock != 1)
      trace = "several programs share a block";
    else if (!kernel.shared.empty() || kernel.producer)
      trace = "the kernel has shared memory";
    else if (module.level != ir::Level::Tile)
      trace = "its tiles have layouts";
    if (!trace) continue;
    diagnostics.report(ir::DiagId::InvalidTileIr, kernel.loc,
                       {std::string("passes have run on this IR already: ") + trace +
                        "; all passes run only on IR that has seen none of them (--passes=none "
                        "writes it), and --passes=NAME,... runs those that are left"});
    return false;
  }
  return true;
}

llvm::LogicalResult runPasses(llvm::ArrayRef<NamedPass> passes, ir::Module &module,
                              passes::PassContext &context, const Options &options,
                              Stopwatch &stopwatch, llvm::raw_ostream &log) {
  const bool keepText = !options.printAfter.empty();
  std::string before = keepText ? ir::toString(module) : "";
  const bool verifies = (options.verify || kAlwaysVerify) && !options.noVerify;
  context.analyses.setVerify(verifies);
  for (const NamedPass &pass : passes) {
    if (listed(options.printBefore, pass.name)) {
      printModule("before", pass, ir::toString(module), log);
    }
    stopwatch.skip();
    T2C_ASSERT(module.level == pass.needs);
    if (failed(pass.run(module, context))) return llvm::failure();
    stopwatch.lap(pass.name);
    T2C_ASSERT(module.level == pass.leaves);
    if (verifies && ir::findViolation(module, module.level)) {
      log << "tile2cu: the pass '" << pass.name << "' produced invalid IR:\n";
      ir::verify(module);
    }
    context.analyses.endPass(pass.keeps);
    if (verifies) checkKept(pass, module, context);
    if (keepText) {
      std::string after = ir::toString(module);
      if (listed(options.printAfter, pass.name)) {
        printModule("after", pass, after == before ? "// (unchanged)\n" : after, log);
      }
      before = std::move(after);
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::transpiler
