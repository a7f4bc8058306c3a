// Host side: launch functions and the launchers that users call.
#include "emit/cuda/parameter_names.h"
#include "emit/host/host_expr.h"
#include "emit/host/tensor_maps.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/transform/merge_kernels.h"
#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include "passes/analysis/integer/grid_factors.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/value/cluster.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

namespace {

bool usesSms(const Value *value) {
  if (!value || value->isArgument()) return false;
  if (value->definition->kind == OpKind::NumSms) return true;
  for (const Value *operand : value->definition->operands())
    if (usesSms(operand)) return true;
  return false;
}

// Declares num_sms.
std::string askDevice(const Kernel &kernel) {
  return fmt::format(R"(int num_sms = 0;
const cudaError_t {counted} = tile2cu::multiprocessors(num_sms);
if ({counted} != cudaSuccess) return {counted};
)",
                     fmt::arg("counted", localName(kernel, "counted")));
}

}  // namespace

std::string launchName(const KernelGroup &group) {
  return "launch_" + group.name.substr(0, group.name.size() - 7);
}

namespace {

// The part that the launcher's signature shares with that of its launch function.
std::string launchParameters(const Kernel &kernel) {
  std::string parameters = parameterList(kernel);
  const auto append = [&](const std::string &text) {
    parameters += (parameters.empty() ? "" : ", ") + text;
  };
  if (!kernel.grid()) append("dim3 grid");
  append("cudaStream_t " + localName(kernel, "stream"));
  return parameters;
}

// The text of one launch function, piece by piece.
struct LaunchText {
  const KernelGroup &group;
  const EmitOptions &options;
  const Kernel &kernel = group.first();
  const Op *grid = kernel.grid();
  const bool pairs = passes::comesInPairs(kernel);
  std::string function = kernelWith({}).str();
  std::string threads = group.blockThreads().str(), perBlock = group.warps().str(),
              smem = sharedSize();
  std::string programs = local("programs"), error = local("error");
  std::string text = {};

  // The kernel for clusters of so many blocks.
  std::string kernelOf(int blocks) const { return kernelWith({integer(blocks)}).str(); }
  Expr kernelWith(llvm::ArrayRef<Expr> more) const {
    std::vector<Expr> arguments;
    for (const std::string &number : group.parameters()) arguments.push_back(named(number));
    llvm::append_range(arguments, more);
    return instanceOf(group.name, arguments);
  }

  std::string local(const std::string &name) const { return localName(kernel, name); }

  std::string sharedSize() const {
    if (group.smem.empty()) return "0";
    const std::string one = fmt::format("sizeof({})", group.smemType().str());
    return kernel.packed() ? fmt::format("{} * {}", perBlock, one) : one;
  }

  // The text of an extent of the grid. The condition under which the launcher refuses it is
  // appended to `refused`: `name`, or one of its factors, is negative (grid_factors.h).
  std::string extentText(const Value *extent, const std::string &name, std::string &refused) {
    const auto textOf = [&](const Value *value) { return shortHostExpr(value, kernel); };
    std::vector<const Value *> factors = passes::factorsOf(extent);
    refused += fmt::format("{}{} < 0", refused.empty() ? "" : " || ", name);
    if (!passes::productFits(factors) && factors.size() > 1) {
      std::vector<std::string> sizes;
      for (const Value *factor : factors) sizes.push_back(textOf(factor).str());
      return fmt::format("tile2cu::grid_size({{{}}})", fmt::join(sizes, ", "));
    }
    factors.pop_back();  // not negative if the product and the others are not
    for (const Value *factor : factors) {
      const auto range = passes::rangeOf(factor, passes::Assume::Nothing);
      if (!range || range->low < 0)
        refused += " || " + binary(Prec::Relational, "<", textOf(factor), integer(0)).str();
    }
    return textOf(extent).str();
  }

  // programs, or programs_x and so on; returns their product.
  std::string countPrograms() {
    std::vector<std::string> names;
    const char *const kAxes[] = {"_x", "_y", "_z"};
    std::string negative, zero;
    std::vector<Expr> divisors;
    for (const Value *extent : grid->operands())
      hostDivisors(extent, parametersOf(kernel), divisors);
    for (const Expr &divisor : divisors)
      text += fmt::format("if ({}) return cudaErrorInvalidValue;\n",
                          binary(Prec::Equality, "==", divisor, integer(0)).str());
    for (unsigned i = 0; i < grid->numOperands(); ++i) {
      std::string name = grid->numOperands() == 1 ? programs : local(programs + kAxes[i]);
      text += fmt::format("const int64_t {} = {};\n", name,
                          extentText(grid->operand(i), name, negative));
      zero += fmt::format("{}{} == 0", i ? " || " : "", name);
      names.push_back(name);
    }
    text += fmt::format("if ({}) return cudaErrorInvalidValue;\nif ({}) return cudaSuccess;\n",
                        negative, zero);
    // Each product is checked before it is made.
    std::string total = names[0];
    for (size_t i = 1; i < names.size(); ++i) {
      text +=
          fmt::format("if ({} > INT_MAX / {}) return cudaErrorInvalidValue;\n", total, names[i]);
      total += " * " + names[i];
    }
    return total;
  }

  bool usesNumSms() const {
    return group.takesNumSms() ||
           (grid && llvm::any_of(grid->operands(), [](const Value *e) { return usesSms(e); }));
  }

  // More than 48 KiB of shared memory has to be asked for, once for each device.
  void askShared() {
    int64_t most = 0;
    for (const KernelInstance &instance : group.instances)
      most = std::max<int64_t>(
          most, instance.sharedBytes * (kernel.packed() ? instance.kernel->programsPerBlock : 1));
    if (most <= 48 * 1024) return;
    const auto set = [&](const std::string &instance) {
      return fmt::format(
          "cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, int({}))",
          instance, smem);
    };
    std::string both;
    if (pairs)
      both = fmt::format("if ({set} == cudaSuccess) {set} = {call};\n",
                         fmt::arg("set", local("set")), fmt::arg("call", set(kernelOf(2))));
    text += fmt::format(
        R"(static std::atomic<uint64_t> {asked}{{0}};
int {current} = 0;
cudaError_t {set} = cudaGetDevice(&{current});
if ({set} != cudaSuccess) return {set};
if (!({asked}.load(std::memory_order_relaxed) >> ({current} % 64) & 1)) {{
{set} = {call};
{both}if ({set} != cudaSuccess) return {set};
{asked}.fetch_or(uint64_t{{1}} << ({current} % 64), std::memory_order_relaxed);
}}
)",
        fmt::arg("asked", local("asked")), fmt::arg("current", local("current")),
        fmt::arg("set", local("set")), fmt::arg("call", set(pairs ? kernelOf(1) : function)),
        fmt::arg("both", both));
  }

  // The number of blocks, an expression.
  std::string countBlocks(const std::string &total) {
    const std::string blocks = local("blocks");
    std::string needed = total;
    if (kernel.packed()) needed = fmt::format("tile2cu::cdiv({}, {})", total, perBlock);
    if (grid->getBool(Attr::persistent)) {
      text += fmt::format(
          R"(// Not more blocks than the device runs at a time: each takes several programs.
int64_t {blocks} = {needed};
const cudaError_t {error} = tile2cu::limit_to_resident({blocks}, {function}, {threads}, {smem});
if ({error} != cudaSuccess) return {error};
)",
          fmt::arg("blocks", blocks), fmt::arg("needed", needed), fmt::arg("error", error),
          fmt::arg("function", function), fmt::arg("threads", threads), fmt::arg("smem", smem));
      return blocks;
    }
    if (kernel.packed()) {
      text += fmt::format("const int64_t {} = {};\n", blocks, needed);
      needed = blocks;
    }
    if (grid->numOperands() == 1)
      text += fmt::format("if ({} > INT_MAX) return cudaErrorInvalidValue;\n", needed);
    return needed;
  }

  // CUtensorMap a_map; ...
  void makeMaps() {
    const auto maps = tensorMaps(kernel);
    if (maps.empty()) return;
    const std::string made = local("made");
    std::vector<std::string> names, calls;
    for (const Op *map : maps) {
      names.push_back(map->result()->name);
      calls.push_back(tensorMapCall(map, kernel));
    }
    text += fmt::format("CUtensorMap {};\n", fmt::join(names, ", "));
    for (size_t i = 0; i < calls.size(); ++i)
      text += i ? fmt::format("if ({0} == cudaSuccess) {0} = {1};\n", made, calls[i])
                : fmt::format("cudaError_t {0} = {1};\n", made, calls[i]);
    text += fmt::format("if ({0} != cudaSuccess) return {0};\n", made);
  }

  // Whether neighbouring blocks come in pairs (form_clusters.h): what that needs, and where it pays.
  void findCluster() {
    std::vector<Expr> even;
    for (const Value *count : passes::evenCounts(kernel)) addOnce(even, hostExpr(count, kernel));
    std::vector<std::string> pays, which, holds;
    walk(*kernel.producer, [&](const Op *op) {
      if (op->kind != OpKind::TensorCopy || !op->getBool(Attr::paired)) return;
      const Op *map = op->operand(0)->definition;
      pays.push_back(linesText(map, kernel));
      which.push_back(hostExpr(map->operand(0), kernel).str());
    });
    for (const Expr &count : even)
      holds.push_back(binary(Prec::Equality,
                             "==", binary(Prec::Multiplicative, "%", count, integer(2)), integer(0))
                          .str());
    const std::string lines = fmt::format("{}", fmt::join(pays, " || "));
    holds.push_back(pays.size() > 1 ? fmt::format("({})", lines) : lines);
    text += fmt::format(
        R"(// Two blocks next to each other bring {} for both where rows cross lines of the cache.
const int {} = {} ? 2 : 1;
)",
        fmt::join(which, ", "), local("cluster"), fmt::join(holds, " && "));
  }

  std::string run() {
    const std::string stream = local("stream");
    const std::vector<std::string> numbers = group.parameters();
    const std::string head =
        numbers.empty() ? "" : fmt::format("template <int {}>\n", fmt::join(numbers, ", int "));
    text = fmt::format("{}static cudaError_t {}({}) {{\n", head, launchName(group),
                       launchParameters(kernel));
    std::string blocks = "grid";
    if (usesNumSms()) text += askDevice(kernel);
    if (grid) {
      std::string total = countPrograms();
      askShared();
      blocks = fmt::format("unsigned({})", countBlocks(total));
    } else {
      askShared();
    }
    std::string arguments = argumentList(kernel);
    if (group.takesNumSms()) arguments += (arguments.empty() ? "" : ", ") + std::string("num_sms");
    if (pairs) findCluster();
    makeMaps();
    for (const Op *map : tensorMaps(kernel)) arguments += ", " + map->result()->name;
    const std::string launch =
        pairs ? "return tile2cu::launch_clusters({cluster}, {cluster} == 2 ? {two} : {one}, "
                "{blocks}, "
                "{threads}, {smem}, {stream}{comma}{arguments});\n"
        : options.emulator ? "return emulate::launch({kernel}, dim3({blocks}), dim3({threads}), "
                             "{smem}, {stream}{comma}{arguments});\n"
        : kernel.producer  ? "return tile2cu::launch_early({kernel}, {blocks}, {threads}, {smem}, "
                             "{stream}{comma}{arguments});\n"
                           : "{kernel}<<<{blocks}, {threads}, {smem}, {stream}>>>({arguments});\n"
                             "return cudaGetLastError();\n";
    text += fmt::format(
        fmt::runtime(launch), fmt::arg("kernel", function), fmt::arg("one", kernelOf(1)),
        fmt::arg("two", kernelOf(2)), fmt::arg("cluster", local("cluster")),
        fmt::arg("blocks", blocks), fmt::arg("threads", threads), fmt::arg("smem", smem),
        fmt::arg("stream", stream), fmt::arg("comma", arguments.empty() ? "" : ", "),
        fmt::arg("arguments", arguments));
    return text + "}\n\n";
  }
};

}  // namespace

std::string launchText(const KernelGroup &group, const EmitOptions &options) {
  return LaunchText{group, options}.run();
}

std::string launcherSignature(const Launcher &launcher, const EmitOptions &options,
                              bool definition) {
  return fmt::format("{}cudaError_t {}({}{})", options.externC ? "extern \"C\" " : "",
                     launcher.name, launchParameters(*launcher.candidates.front()),
                     definition && !options.headerName.empty() ? "" : " = nullptr");
}

namespace {

// A launcher has the parameters of its first candidate. Other candidates may call theirs otherwise,
// so that conditions on the arguments are written with the launcher's `parameters`.

// The assumptions of a kernel's variant about the arguments that `known` does not have.
std::vector<std::string> conditionsOf(const Kernel &kernel, llvm::ArrayRef<Parameter> parameters,
                                      const Facts &known = {}) {
  std::map<int64_t, std::string> aligned;
  std::vector<std::string> divisible, conditions;
  for (const auto &[index, divisor] : kernel.facts.divisibility) {
    if (auto it = known.divisibility.find(index);
        it != known.divisibility.end() && it->second % divisor == 0)
      continue;
    const Parameter &parameter = parameters[index];
    if (parameter.type.isPointer())
      aligned[divisor] += (aligned[divisor].empty() ? "" : ", ") + parameter.name;
    else
      divisible.push_back(fmt::format("{} % {} == 0", parameter.name, divisor));
  }
  for (const auto &[bytes, names] : aligned)
    conditions.push_back(fmt::format("tile2cu::aligned<{}>({})", bytes, names));
  llvm::append_range(conditions, divisible);
  for (const Expr &size : tensorSizes(kernel, parameters))
    conditions.push_back(binary(Prec::Relational, ">", size, integer(0)).str());
  return conditions;
}

std::string factsOf(const Kernel &kernel, llvm::ArrayRef<Parameter> parameters) {
  return llvm::join(conditionsOf(kernel, parameters), " && ");
}

// The requirements of a kernel, one text each, those that guard a division before it.
std::vector<std::string> requirementsOf(const Kernel &kernel,
                                        llvm::ArrayRef<Parameter> parameters) {
  std::vector<std::string> needs;
  for (const auto &op : kernel.body.ops) {
    if (op->kind != OpKind::Require) continue;
    Expr condition = hostExpr(op->operand(0), parameters);
    std::vector<Expr> divisors;
    hostDivisors(op->operand(0), parameters, divisors);
    for (const Expr &divisor : divisors)
      condition =
          binary(Prec::And, "&&", binary(Prec::Equality, "!=", divisor, integer(0)), condition);
    needs.push_back(condition.prec() > Prec::And ? fmt::format("({})", condition.str())
                                                 : condition.str());
  }
  return needs;
}

std::string allOf(const std::vector<std::string> &conditions) {
  return llvm::join(conditions, " && ");
}

std::string tunerName(const Launcher &launcher) { return launcher.name + "_tuner"; }

// The body of the function that users call, piece by piece.
struct LauncherText {
  const Launcher &launcher;
  const std::vector<KernelGroup> &groups;
  const Kernel &first = *launcher.candidates.front();
  const std::vector<Parameter> parameters = parametersOf(first);  // as the text calls them
  std::vector<std::vector<std::string>> needs = {};               // of each candidate
  std::string vectors = {}, hopper = {};  // names of conditions: nameFacts, nameHopper
  bool onHopper = false;                  // `hopper` is all that it takes
  std::string text = {};

  // launch_softmax<1024, 4, 4>
  std::string launchFunction(const Kernel *kernel) const {
    const bool isNear = kernel->nameSpace.empty() || kernel->nameSpace == launcher.nameSpace;
    for (const KernelGroup &group : groups)
      for (size_t i = 0; i < group.instances.size(); ++i)
        if (group.instances[i].kernel == kernel)
          return (isNear ? "" : "::" + kernel->nameSpace + "::") +
                 group.valuesOf(launchName(group), i).str();
    T2C_UNREACHABLE("a launcher's kernel has no text");
  }

  std::string argumentText() const {
    std::string arguments = argumentList(first);
    if (!first.grid()) arguments += (arguments.empty() ? "" : ", ") + std::string("grid");
    return fmt::format("({}{}{})", arguments, arguments.empty() ? "" : ", ",
                       localName(first, "stream"));
  }

  // What every candidate requires is checked once, and first.
  void checkCommon() {
    for (const Kernel *kernel : launcher.candidates)
      needs.push_back(requirementsOf(*kernel, parameters));
    std::vector<std::string> common;
    for (const std::string &condition : needs.front())
      if (llvm::all_of(needs, [&](const std::vector<std::string> &each) {
            return llvm::is_contained(each, condition);
          }))
        common.push_back(condition);
    for (auto &each : needs)
      llvm::erase_if(each, [&](const std::string &c) { return llvm::is_contained(common, c); });
    if (!common.empty())
      text += fmt::format("if (!({})) return cudaErrorInvalidValue;\n", allOf(common));
  }

  // The condition under which accesses may be whole vectors, by name if it is the same for all candidates.
  void nameFacts() {
    std::set<std::string> facts;
    for (const Kernel *kernel : launcher.candidates)
      if (std::string own = factsOf(*kernel, parameters); !own.empty()) facts.insert(own);
    if (facts.size() != 1) return;
    vectors = localName(first, "vectors");
    text += fmt::format(
        R"(// Whole vectors where addresses and sizes allow it, else element by element.
const bool {} = {};
)",
        vectors, *facts.begin());
  }

  // What the arguments have to be for a candidate's form for Hopper.
  std::vector<std::string> hopperConditions(const Kernel &kernel) const {
    std::vector<std::string> conditions =
        conditionsOf(*kernel.hopperVariant, parameters, kernel.facts);
    if (std::string facts = factsOf(kernel, parameters); !facts.empty())
      conditions.insert(conditions.begin(), vectors.empty() ? facts : vectors);
    return conditions;
  }

  // The condition under which forms for Hopper run: with what they ask of the arguments, if that is the same for all.
  void nameHopper() {
    std::set<std::string> conditions;
    for (size_t i = 0; i < launcher.candidates.size(); ++i) {
      const Kernel &kernel = *launcher.candidates[i];
      if (kernel.hopperVariant) conditions.insert(allOf(hopperConditions(kernel)));
      if (!launcher.tuning && needs[i].empty()) break;  // those behind it are never taken
    }
    if (conditions.empty()) return;
    hopper = localName(first, "hopper");
    onHopper = conditions.size() == 1;
    const std::string asked = onHopper ? *conditions.begin() : "";
    text += fmt::format(R"(// Products of warpgroups on Hopper{}.
const bool {} = tile2cu::on_hopper(){}{};
)",
                        asked.empty() ? "" : ", where addresses and sizes allow it", hopper,
                        asked.empty() ? "" : " && ", asked);
  }

  // The launch function of a candidate: by itself, or `hopper ? launch_x_hopper : facts ? launch_x<4> : launch_x<1>`.
  std::string choice(const Kernel *kernel, const std::string &arguments) const {
    std::string facts = factsOf(*kernel, parameters), onlyHopper;
    if (kernel->hopperVariant) {
      std::vector<std::string> conditions{hopper};
      if (!onHopper) llvm::append_range(conditions, hopperConditions(*kernel));
      onlyHopper = fmt::format("{} ? {}{} : ", allOf(conditions),
                               launchFunction(kernel->hopperVariant), arguments);
    }
    const std::string function = launchFunction(kernel) + arguments;
    if (facts.empty() || !kernel->scalarVariant) return onlyHopper + function;
    return fmt::format("{}{} ? {} : {}{}", onlyHopper, vectors.empty() ? facts : vectors, function,
                       launchFunction(kernel->scalarVariant), arguments);
  }

  // Several candidates: the arguments are written once.
  void chooseAmong() {
    const std::string launch = localName(first, "launch");
    text += fmt::format(R"(// The first configuration whose requirements hold.
decltype(&{}) {} = nullptr;
)",
                        launchFunction(&first), launch);
    bool open = false, complete = false;
    for (size_t i = 0; i < launcher.candidates.size() && !complete; ++i) {
      complete = needs[i].empty();
      const std::string head = complete ? "" : fmt::format("if ({})", allOf(needs[i]));
      text +=
          fmt::format("{}{}{}{} = {};\n", open ? "else " : "", head, open || !complete ? "\n" : "",
                      launch, choice(launcher.candidates[i], ""));
      open = true;
    }
    if (!complete) text += "else\nreturn cudaErrorInvalidValue;\n";
    text += fmt::format("return {}{};\n", launch, argumentText());
  }

  // An element of a tuner's list of candidates: null where the requirements do not hold.
  std::string orNull(size_t i) const {
    std::string chosen = choice(launcher.candidates[i], "");
    if (needs[i].empty()) return chosen;
    if (chosen.find(" ? ") != std::string::npos) chosen = fmt::format("({})", chosen);
    return fmt::format("{} ? {} : nullptr", allOf(needs[i]), chosen);
  }

  // The parameter of the launcher that the source calls so; null if it names a constant.
  const Parameter *parameterOf(llvm::StringRef name) const {
    for (size_t i = 0; i < parameters.size(); ++i)
      if (first.parameters[i].name == name) return &parameters[i];
    return nullptr;
  }

  std::string keyText() const {
    std::vector<std::string> key;
    for (const std::string &source : launcher.tuning->key) {
      const Parameter *parameter = parameterOf(source);
      const bool narrows = parameter->type.scalar() == Scalar::U64;
      key.push_back(narrows ? fmt::format("int64_t({})", parameter->name) : parameter->name);
    }
    return fmt::format("{{{}}}", fmt::join(key, ", "));
  }

  // The memory that is restored before each run: `tile2cu::preserve(pointer, size, size)`.
  std::string preserveText(const Tuning::Memory &memory) const {
    std::string arguments = parameterOf(memory.pointer)->name;
    for (const std::string &size : memory.sizes) {
      const Parameter *parameter = parameterOf(size);
      arguments += ", " + (parameter ? parameter->name : size);
    }
    return fmt::format("tile2cu::preserve({})", arguments);
  }

  // The fastest of the candidates, which the tuner finds.
  void tune() {
    const std::string candidates = localName(first, "candidates"), run = localName(first, "run"),
                      launch = localName(first, "launch"), stream = localName(first, "stream");
    text +=
        fmt::format("// Null: one that these arguments do not fit.\nconst decltype(&{}) {}[] = {{",
                    launchFunction(&first), candidates);
    for (size_t i = 0; i < launcher.candidates.size(); ++i) text += orNull(i) + ",\n";
    text += fmt::format("}};\nconst auto {} = [&](auto* {}) {{ return {}{}; }};\n", run, launch,
                        launch, argumentText());
    if (!launcher.tuning->timed) {
      text += fmt::format(R"(// Not timed: a run changes what the next would read.
return {}.launch_untimed({}, {}, {});
)",
                          tunerName(launcher), candidates, keyText(), run);
      return;
    }
    std::vector<std::string> preserved;
    for (const Tuning::Memory &memory : launcher.tuning->preserved)
      preserved.push_back(preserveText(memory));
    text +=
        fmt::format(R"(// Times them where the key is new.
return {}.launch({}, {}, {}, {}{});
)",
                    tunerName(launcher), candidates, keyText(), stream, run,
                    preserved.empty() ? "" : fmt::format(", {{{}}}", fmt::join(preserved, ", ")));
  }

  // Whether a requirement asks how many multiprocessors there are.
  bool requiresSms() const {
    return llvm::any_of(launcher.candidates, [](const Kernel *kernel) {
      return llvm::any_of(kernel->body.ops, [](const auto &op) {
        return op->kind == OpKind::Require && usesSms(op->operand(0));
      });
    });
  }

  std::string run() {
    if (requiresSms()) text += askDevice(first);
    checkCommon();
    nameFacts();
    nameHopper();
    if (launcher.tuning)
      tune();
    else if (launcher.candidates.size() == 1)
      text += fmt::format("return {};\n", choice(&first, argumentText()));
    else
      chooseAmong();
    return text;
  }
};

}  // namespace

namespace {

// The tuner of a launcher. What it has found holds for these kernels and this list of candidates.
std::string tunerText(const Launcher &launcher, const std::vector<KernelGroup> &groups,
                      const std::string &body) {
  std::string hashed = launcher.nameSpace + body;
  for (const KernelGroup &group : groups)
    if (llvm::any_of(group.instances, [&](const KernelInstance &instance) {
          return llvm::any_of(launcher.candidates, [&](const Kernel *candidate) {
            return instance.kernel == candidate || instance.kernel == candidate->hopperVariant;
          });
        }))
      hashed += group.code;
  return fmt::format(
      R"(// Knows which candidate is the fastest; the number stands for the code of the kernels.
static tile2cu::tuner<{}, {}> {}("{}", 0x{:x}u);

)",
      launcher.candidates.size(), launcher.tuning->key.size(), tunerName(launcher), launcher.name,
      llvm::xxh3_64bits(hashed));
}

}  // namespace

std::string pinSignature(const Launcher &launcher, const EmitOptions &options) {
  return fmt::format("{}cudaError_t {}_pin(int candidate)", options.externC ? "extern \"C\" " : "",
                     launcher.name);
}

std::string launcherText(const Launcher &launcher, const std::vector<KernelGroup> &groups,
                         const EmitOptions &options) {
  const std::string body = LauncherText{launcher, groups}.run();
  std::string text = launcher.comment.empty() ? "" : "// " + launcher.comment + "\n";
  for (size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
       at = text.find('\n', at + 4))
    text.insert(at + 1, "// ");
  text += fmt::format("{} {{\n{}}}\n\n", launcherSignature(launcher, options, true), body);
  if (!launcher.tuning) return text;
  return fmt::format("{}{}{} {{ return {}.pin(candidate); }}\n\n",
                     tunerText(launcher, groups, body), text, pinSignature(launcher, options),
                     tunerName(launcher));
}

}  // namespace tile2cu::emit
