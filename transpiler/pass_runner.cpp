#include "transpiler/pass_runner.h"

#include "fmt/format.h"
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
  return fmt::format(
      "{}: there is no pass '{}'; {}", option.str(), name.str(),
      closest ? fmt::format("did you mean '{}'?", closest->name.str()) : "see --list-passes");
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
  const std::string text = fmt::format("the pass '{}' does not keep {}, though passes.def says so",
                                       pass.name.str(), stale);
  T2C_UNREACHABLE(text.c_str());
}

// Textual IR that does not say which passes it has seen shall have seen none. An error is reported.
bool checkUntouched(const ir::Module &module, ir::Diagnostics &diagnostics) {
  for (const ir::Kernel &kernel : module.kernels) {
    const char *trace = nullptr;
    if (!kernel.assumptions.empty() || kernel.scalarVariant || kernel.hopperVariant ||
        kernel.forHopper)
      trace = "the kernel has variants";
    else if (kernel.programsPerBlock != 1)
      trace = "several programs share a block";
    else if (!kernel.shared.empty() || kernel.producer)
      trace = "the kernel has shared memory";
    else if (module.level != ir::Level::Tile)
      trace = "its tiles have layouts";
    if (!trace) continue;
    diagnostics.report(ir::DiagId::InvalidTileIr, kernel.loc,
                       {fmt::format("passes have run on this IR, but it does not say which: {}; "
                                    "begin the text with 'level {} after PASS', or name the passes "
                                    "that are left with --passes=NAME,...",
                                    trace, ir::name(module.level).str())});
    return false;
  }
  return true;
}

// "cse_dce 2" for the second cse_dce of the pipeline.
std::string turnName(llvm::ArrayRef<NamedPass> passes, size_t index) {
  const auto isSame = [&](const NamedPass &pass) { return pass.run == passes[index].run; };
  const std::string name = passes[index].name.str();
  if (llvm::count_if(passes, isSame) == 1) return name;
  return name + ' ' + std::to_string(llvm::count_if(passes.take_front(index + 1), isSame));
}

// The number of passes up to and with the one that `turnName` calls `after`; nothing if no pass is
// called so.
std::optional<size_t> passesDone(llvm::ArrayRef<NamedPass> passes, llvm::StringRef after) {
  if (after.empty()) return 0;
  for (size_t i = 0; i < passes.size(); ++i)
    if (turnName(passes, i) == after) return i + 1;
  return std::nullopt;
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
      return fmt::format(
          "--passes: '{}' needs IR of level {}, but {} of level {}; see --list-passes",
          pass.name.str(), ir::name(pass.needs).str(), cause, ir::name(level).str());
    level = pass.leaves;
    cause = "the output of '" + pass.name.str() + "' is";
  }
  return "";
}

std::optional<std::vector<NamedPass>> passesLeft(const ir::Module &module,
                                                 ir::Diagnostics &diagnostics) {
  std::vector<NamedPass> passes = namedPipeline();
  if (module.after.empty()) {
    if (!checkUntouched(module, diagnostics)) return std::nullopt;
    return passes;
  }
  const std::optional<size_t> done = passesDone(passes, module.after);
  std::string problem;
  if (!done)
    problem = "there is no pass '" + module.after + "' in the list of --list-passes";
  else if (passes[*done - 1].leaves != module.level)
    problem = fmt::format("the pass '{}' leaves IR of level {}, not {}", module.after,
                          ir::name(passes[*done - 1].leaves).str(), ir::name(module.level).str());
  if (!problem.empty()) {
    diagnostics.report(ir::DiagId::InvalidTileIr, module.afterLoc, {problem});
    return std::nullopt;
  }
  passes.erase(passes.begin(), passes.begin() + *done);
  return passes;
}

llvm::LogicalResult runPasses(llvm::ArrayRef<NamedPass> passes, ir::Module &module,
                              passes::PassContext &context, const Options &options,
                              Stopwatch &stopwatch, llvm::raw_ostream &log,
                              llvm::function_ref<void(const NamedPass &)> ran) {
  const bool keepText = !options.printAfter.empty();
  constexpr ir::PrintOptions kWithoutProgress{.progress = false};
  std::string before = keepText ? ir::toString(module, kWithoutProgress) : "";
  const bool verifies = (options.verify || kAlwaysVerify) && !options.noVerify;
  context.analyses.setVerify(verifies);
  const std::vector<NamedPass> all = namedPipeline();
  std::optional<size_t> done = passesDone(all, module.after);
  for (const NamedPass &pass : passes) {
    if (listed(options.printBefore, pass.name)) {
      printModule("before", pass, ir::toString(module), log);
    }
    stopwatch.skip();
    T2C_ASSERT(module.level == pass.needs);
    if (failed(pass.run(module, context))) return llvm::failure();
    done = done && *done < all.size() && all[*done].run == pass.run ? std::optional(*done + 1)
                                                                    : std::nullopt;
    module.after = done ? turnName(all, *done - 1) : "";
    stopwatch.lap(pass.name);
    T2C_ASSERT(module.level == pass.leaves);
    if (verifies && ir::findViolation(module, module.level)) {
      log << "tile2cu: the pass '" << pass.name << "' produced invalid IR:\n";
      ir::verify(module);
    }
    context.analyses.endPass(pass.keeps);
    if (verifies) checkKept(pass, module, context);
    if (ran) ran(pass);
    if (keepText) {
      std::string after = ir::toString(module, kWithoutProgress);
      if (listed(options.printAfter, pass.name)) {
        printModule("after", pass, after == before ? "// (unchanged)\n" : ir::toString(module),
                    log);
      }
      before = std::move(after);
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::transpiler
