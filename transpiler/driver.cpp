#include "transpiler/driver.h"

#include <map>
#include <optional>

#include "emit/emit.h"
#include "fmt/format.h"
#include "frontend/frontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/ir/diagnostics/remarks.h"
#include "passes/ir/text/print.h"
#include "passes/target/tunables.h"
#include "transpiler/annotate.h"
#include "transpiler/explain.h"
#include "transpiler/install_paths.h"
#include "transpiler/native_arch.h"
#include "transpiler/output_files.h"
#include "transpiler/page_output.h"
#include "transpiler/pass_runner.h"
#include "transpiler/source.h"
#include "transpiler/watch.h"

namespace tile2cu::transpiler {
namespace {

constexpr int64_t kMostTunable = 1000000;

int fail(ExitCode code, const std::string &problem) {
  llvm::errs() << "tile2cu: error: " << problem << '\n';
  if (code == kUsageError) llvm::errs() << "try 'tile2cu --help'\n";
  return code;
}

void listOps() {
  constexpr ir::OpKind kinds[] = {
#define OP(Name, ...) ir::OpKind::Name,
#include "passes/ir/ops.def"
  };
  for (ir::OpKind kind : kinds) {
    llvm::outs() << ir::mnemonic(kind);
    llvm::interleave(
        ir::operandNames(kind),
        [](llvm::StringRef name) {
          const bool isAny = name.consume_back("_any");
          const bool isOptional = name.consume_back("_opt") || isAny;
          llvm::outs() << ' ' << (isOptional ? "[" : "") << name << (isAny ? "..." : "")
                       << (isOptional ? "]" : "");
        },
        [] {});
    llvm::outs() << '\n';
  }
}

void listPasses() {
  for (const NamedPass &pass : namedPipeline()) {
    std::string level = ir::name(pass.needs).str();
    if (pass.leaves != pass.needs) level += " -> " + ir::name(pass.leaves).str();
    llvm::outs() << llvm::left_justify(pass.name, 28) << llvm::left_justify(level, 18)
                 << pass.description << '\n';
  }
}

void listTunables() {
  for (const passes::TunableRow &row : passes::tunableRows())
    llvm::outs() << row.name << " = " << row.value << "\n    " << row.meaning
                 << "\n    measured: " << row.measured << '\n';
}

// Carries out --tunable=NAME=N. Returns the problem, if there is one.
std::string applyTunables(const List &changes) {
  for (const std::string &change : changes) {
    const auto [name, text] = llvm::StringRef(change).split('=');
    int64_t value = 0;
    if (text.getAsInteger(10, value) || value < 0 || value > kMostTunable)
      return fmt::format("--tunable: '{}' is not NAME=N, with N from 0 to {}", change,
                         kMostTunable);
    if (!passes::setTunable(name, value))
      return "--tunable: '" + name.str() + "' is not a tunable; see --list-tunables";
  }
  return "";
}

// The names of lists as "sm_80,native". Nothing, with `problem` set, if there is no GPU for native.
std::optional<List> namesOfTargets(const List &lists, std::string &problem) {
  List names;
  for (const std::string &list : lists) {
    for (llvm::StringRef name : llvm::split(list, ',')) {
      if (name != "native") {
        names.push_back(name.str());
        continue;
      }
      const auto native = nativeArchitectures(problem);
      if (!native) return std::nullopt;
      llvm::append_range(names, *native);
    }
  }
  return names;
}

// "sm_80,sm_90a" -> targets, ascending. Nothing, with `problem` set, if one is unknown.
std::optional<std::vector<passes::Target>> parseTargets(const List &lists, std::string &problem) {
  std::vector<passes::Target> targets;
  const std::optional<List> names = namesOfTargets(lists, problem);
  if (!names) return std::nullopt;
  for (llvm::StringRef name : *names) {
    const auto target = passes::parseTarget(name);
    if (!target) {
      problem = "--arch: there is no architecture '" + name.str() + "'; sm_80 and sm_90a are some";
      return std::nullopt;
    }
    if (!llvm::is_contained(targets, *target)) targets.push_back(*target);
  }
  if (targets.empty()) targets.push_back({});
  llvm::sort(targets, [](const passes::Target &a, const passes::Target &b) { return a.sm < b.sm; });
  return targets;
}

// "dir/softmax.tile.cpp" -> "softmax"
std::string stem(llvm::StringRef input) {
  llvm::StringRef name = llvm::sys::path::filename(input);
  for (llvm::StringRef extension : {".cpp", ".cc", ".cxx", ".cu", ".h", ".hpp", ".t2ir"}) {
    if (name.consume_back(extension)) break;
  }
  name.consume_back(".tile");
  return name.str();
}

// "softmax.cu" for dir/softmax.tile.cpp
std::string defaultName(const Options &options) {
  const char *extension = writesIr(options)            ? ".t2ir"
                          : options.emit == "emulator" ? ".emulate.cpp"
                                                       : ".cu";
  return stem(options.input) + extension;
}

std::string outputPath(const Options &options) {
  if (writesIntoFolder(options)) return options.output + defaultName(options);
  if (!options.output.empty()) return options.output;
  if (options.input == "-" || writesIr(options)) return "-";
  return defaultName(options);
}

// The path of the output with another extension; on standard output, of the one that it would have
// by default.
std::string nextToOutput(const Options &options, llvm::StringRef extension) {
  const std::string output = outputPath(options);
  llvm::SmallString<256> path(output == "-" ? stem(options.input) : output);
  llvm::sys::path::replace_extension(path, extension);
  return std::string(path);
}

// The path of the header that --header writes, which --torch needs; empty without both.
std::string headerPath(const Options &options) {
  const bool isDefault = options.header.empty() ? !options.torch.empty() : options.header == "auto";
  return isDefault ? nextToOutput(options, "h") : options.header;
}

// The path of the operators that --torch writes: softmax_torch.cpp next to softmax.cu.
std::string torchPath(const Options &options) {
  if (options.torch != "auto") return options.torch;
  const std::string path = nextToOutput(options, "");
  return path + "_torch.cpp";
}

// The path of the header that --helpers=header writes.
std::string helperPath(const Options &options) { return nextToOutput(options, "device.cuh"); }

// The name of the output; on standard output, the one that it would have by default.
std::string nameOf(const std::string &output, const Options &options) {
  return output == "-" ? stem(options.input) + ".cu" : output;
}

emit::EmitOptions emitOptions(const Options &options, const Source &source,
                              const ir::Module &module, llvm::StringRef header,
                              const passes::Target &oldest) {
  emit::EmitOptions result;
  result.written = {oldest.sm, oldest.isHopper()};
  result.sourceName =
      options.input == "-" ? "<stdin>" : llvm::sys::path::filename(options.input).str();
  for (const std::string &file : module.files)
    result.fileNames.push_back(llvm::sys::path::filename(file).str());
  // Textual IR does not say which of its files was the input.
  if (!llvm::StringRef(options.input).ends_with(".t2ir")) {
    const std::string main = options.input == "-" ? "<stdin>" : options.input;
    result.mainFile = llvm::find(module.files, main) - module.files.begin();
  }
  result.headerName = llvm::sys::path::filename(header).str();
  result.emulator = options.emit == "emulator";
  result.externC = options.externC;
  result.helpers = options.helpers == "include"  ? emit::Helpers::Include
                   : options.helpers == "header" ? emit::Helpers::Header
                                                 : emit::Helpers::End;
  result.helperHeader = llvm::sys::path::filename(helperPath(options)).str();
  result.preciseMath = options.math == "precise";
  result.macros = source.macros();
  result.lineDirectives = options.lineDirectives;
  result.outputName = nameOf(outputPath(options), options);
  return result;
}

// The texts of the files that `module` is translated to; nothing after an error in `diagnostics`.
std::optional<std::vector<OutputFile>> render(const PageContext &context, ir::Module &module,
                                              ir::Diagnostics &diagnostics) {
  const Options &options = context.options;
  std::vector<OutputFile> outputs;
  const std::string path = outputPath(options);
  if (writesIr(options)) {
    outputs.push_back({path, ir::toString(module)});
    return outputs;
  }
  const std::string header = headerPath(options);
  emit::EmitOptions how =
      emitOptions(options, context.source, module, header, context.targets.front());
  how.rowSources = !options.html.empty() || options.annotate == "teach";
  std::optional<emit::CudaText> text = emit::emitCuda(module, how, diagnostics);
  if (!text) return std::nullopt;
  std::optional<OutputFile> page;
  if (!options.html.empty()) page = pageOutput(context, module, *text, how.outputName, diagnostics);
  if (options.annotate == "teach") text->file = withDecisions(*text, module, context.decisions);
  if (options.annotate == "none")
    for (std::string *each : {&text->file, &text->helpers}) *each = withoutComments(*each);
  outputs.push_back({path, std::move(text->file)});
  if (!text->helpers.empty()) outputs.push_back({helperPath(options), std::move(text->helpers)});
  if (!header.empty()) {
    std::optional<std::string> declarations = emit::emitHeader(module, how, diagnostics);
    if (!declarations) return std::nullopt;
    outputs.push_back({header, std::move(*declarations)});
  }
  if (page) outputs.push_back(std::move(*page));
  if (!options.torch.empty()) outputs.push_back({torchPath(options), emit::emitTorch(module, how)});
  return outputs;
}

// The make rule of -MD.
OutputFile depfile(const Options &options, llvm::ArrayRef<OutputFile> outputs,
                   const Source &source) {
  List targets = options.depfileTargets;
  if (targets.empty()) {
    for (const OutputFile &output : outputs) {
      targets.push_back(nameOf(output.path, options));
    }
  }
  std::string path = options.depfilePath.empty() ? outputs[0].path + ".d" : options.depfilePath;
  return {path, makeRule(targets, source.files(), options.depfilePhony)};
}

// Whether --explain writes files, too: the user named an output.
bool writesFiles(const Options &options) {
  return !options.output.empty() || !options.header.empty() || !options.html.empty() ||
         !options.torch.empty() || options.depfile;
}

// Why not all of `outputs` can be written; empty if they can.
std::string clash(const Options &options, llvm::ArrayRef<OutputFile> outputs) {
  for (const OutputFile &output : outputs) {
    bool same = false;
    if (!llvm::sys::fs::equivalent(output.path, options.input, same) && same) {
      return "the output would replace the input '" + options.input + "'; see -o";
    }
    if (llvm::count_if(outputs,
                       [&](const OutputFile &other) { return other.path == output.path; }) > 1) {
      return "two outputs would go to '" + output.path + "'";
    }
  }
  return "";
}

// One input. Messages go to `messages` if it is not null; with --watch, the names of the files that
// it reads go to `files`.
int runInput(const Options &options, llvm::ArrayRef<passes::Target> targets,
             ir::MessageList *messages, List &files) {
  auto failed = [&](ExitCode code, const std::string &text) {
    if (!messages) return fail(code, text);
    messages->add({ir::Severity::Error, text});
    return int(code);
  };
  std::string problem;
  std::optional<std::vector<NamedPass>> passes = selectPasses(options, problem);
  if (!passes) return failed(kUsageError, problem);
  // The source and the module are never freed: destroying Clang's objects would take longer than
  // the passes.
  static std::vector<Source *> sources;
  Source *source = sources.emplace_back(openSource(options, messages, problem).release());
  if (!source) return failed(kUserError, problem);

  Stopwatch stopwatch;
  static std::vector<ir::Module *> modules;
  ir::Module &module = *modules.emplace_back(new ir::Module);
  ir::Diagnostics diagnostics;
  std::vector<ir::Decision> decisions;
  auto shown = [&](bool succeeded) {
    if (options.explain || options.annotate == "teach")
      llvm::append_range(decisions, diagnostics.decisions);
    ir::reportDecisions(module, diagnostics);
    source->print(diagnostics);
    return succeeded && !source->hasErrors();
  };
  passes::PassContext context{diagnostics, targets.vec(), options.math == "precise",
                              options.checks};
  std::optional<std::vector<OutputFile>> outputs;
  bool good = shown(source->read(module, diagnostics));
  if (options.watch) llvm::append_range(files, source->files());
  if (good && options.passes == "all") {
    passes = passesLeft(module, diagnostics);
    good = shown(passes.has_value());
  }
  stopwatch.lap(source->readStep());
  problem = good ? orderProblem(*passes, module.level) : "";
  if (!problem.empty()) return failed(kUsageError, problem);
  page::Trace trace;
  const auto record = [&](const NamedPass &pass) {
    trace.add(pass.name.str(), pass.description.str(), module);
  };
  const auto ran = options.html.empty() ? llvm::function_ref<void(const NamedPass &)>() : record;
  if (good && ran) trace.add("front end", "the source as Tile IR", module);
  good =
      good &&
      shown(succeeded(runPasses(*passes, module, context, options, stopwatch, llvm::errs(), ran)));
  if (good) {
    outputs = render({options, *source, targets, trace, decisions}, module, diagnostics);
    stopwatch.lap("emit");
    good = shown(outputs.has_value());
  }
  source->printSummary();
  if (!good) return kUserError;

  if (options.explain) llvm::outs() << explainText(module, decisions);
  if (options.explain && !writesFiles(options)) return kDone;
  if (options.depfile) outputs->push_back(depfile(options, *outputs, *source));
  problem = clash(options, *outputs);
  if (!problem.empty()) return failed(kUsageError, problem);
  if (!writeFiles(*outputs, problem)) return failed(kUserError, problem);
  stopwatch.lap("write");
  if (options.timePasses) stopwatch.print(llvm::errs());
  return kDone;
}

// Why the outputs of several inputs cannot all be written; empty if they can.
std::string clashOfInputs(const Options &options) {
  std::map<std::string, std::string> inputOf;  // by output
  for (const std::string &input : options.inputs) {
    Options one = options;
    one.input = input;
    const auto [other, isNew] = inputOf.try_emplace(outputPath(one), input);
    if (!isNew)
      return fmt::format("'{}' and '{}' would both be written to '{}'", other->second, input,
                         other->first);
  }
  return "";
}

// All inputs; with --watch the names of the files that they read go to `files`.
int runInputs(const Options &options, llvm::ArrayRef<passes::Target> targets, List &files) {
  ir::MessageList list;
  const bool isText = options.diagnosticsFormat == "text";
  int worst = kDone;
  for (const std::string &input : options.inputs) {
    Options one = options;
    one.input = input;
    worst = std::max(worst, runInput(one, targets, isText ? nullptr : &list, files));
  }
  if (options.diagnosticsFormat == "json") llvm::errs() << list.asJson();
  if (options.diagnosticsFormat == "sarif") llvm::errs() << list.asSarif(T2C_VERSION);
  return worst;
}

}  // namespace

int run(const Options &options) {
  if (options.listOps) listOps();
  if (options.listPasses) listPasses();
  if (options.listTunables) listTunables();
  if (options.listOps || options.listPasses || options.listTunables) return kDone;
  if (!options.precompileHeader.empty()) {
    frontend::FrontendOptions front;
    front.runtimeInclude = runtimeIncludeDir();
    front.resourceDir = clangResourceDir();
    if (frontend::precompileHeader(front, options.precompileHeader)) return kDone;
    return fail(kUserError, "cannot write '" + options.precompileHeader + "'");
  }
  std::string problem = applyTunables(options.tunables);
  if (!problem.empty()) return fail(kUsageError, problem);
  if (!options.emit.empty() && options.emit != "ir" && options.passes != "all")
    return fail(kUsageError, "--passes: --emit=" + options.emit + " needs all passes");
  const auto targets = parseTargets(options.arch, problem);
  if (!targets) return fail(kUsageError, problem);
  problem = clashOfInputs(options);
  if (!problem.empty()) return fail(kUsageError, problem);

  const auto once = [&](List &files) { return runInputs(options, *targets, files); };
  if (options.watch) return watch(options.inputs, options.diagnosticsFormat == "text", once);
  List files;
  return once(files);
}

}  // namespace tile2cu::transpiler
