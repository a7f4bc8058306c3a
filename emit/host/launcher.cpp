// Host side: the launchers that users call.
#include "emit/cuda/parameter_names.h"
#include "emit/host/host_expr.h"
#include "emit/host/launchers.h"
#include "emit/host/tensor_maps.h"
#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

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
                                      UsedWords &words, const Assumptions &known = {}) {
  std::map<int64_t, std::string> aligned;
  std::vector<std::string> divisible, conditions;
  for (const auto &[index, divisor] : kernel.assumptions.divisibility) {
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
    conditions.push_back(fmt::format("{}<{}>({})", words.use("tile2cu::aligned"), bytes, names));
  llvm::append_range(conditions, divisible);
  for (const Expr &size : tensorSizes(kernel, parameters))
    conditions.push_back(words.use(binary(Prec::Relational, ">", size, integer(0))));
  return conditions;
}

std::string factsOf(const Kernel &kernel, llvm::ArrayRef<Parameter> parameters, UsedWords &words) {
  return llvm::join(conditionsOf(kernel, parameters, words), " && ");
}

// The requirements of a kernel, one text each, those that guard a division before it.
std::vector<std::string> requirementsOf(const Kernel &kernel, llvm::ArrayRef<Parameter> parameters,
                                        UsedWords &words) {
  std::vector<std::string> needs;
  for (const auto &op : kernel.body.ops) {
    if (op->kind != OpKind::Require) continue;
    Expr condition = hostExpr(op->operand(0), parameters);
    std::vector<Expr> divisors;
    hostDivisors(op->operand(0), parameters, divisors);
    for (const Expr &divisor : divisors)
      condition =
          binary(Prec::And, "&&", binary(Prec::Equality, "!=", divisor, integer(0)), condition);
    const std::string text = words.use(condition);
    needs.push_back(condition.prec() > Prec::And ? fmt::format("({})", text) : text);
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
  UsedWords &words;
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
      needs.push_back(requirementsOf(*kernel, parameters, words));
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
      if (std::string own = factsOf(*kernel, parameters, words); !own.empty()) facts.insert(own);
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
        conditionsOf(*kernel.hopperVariant, parameters, words, kernel.assumptions);
    if (std::string facts = factsOf(kernel, parameters, words); !facts.empty())
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
const bool {} = {}(){}{};
)",
                        asked.empty() ? "" : ", where addresses and sizes allow it", hopper,
                        words.use("tile2cu::on_hopper"), asked.empty() ? "" : " && ", asked);
  }

  // The launch function of a candidate: by itself, or `hopper ? launch_x_hopper : facts ? launch_x<4> : launch_x<1>`.
  std::string choice(const Kernel *kernel, const std::string &arguments) const {
    std::string facts = factsOf(*kernel, parameters, words), onlyHopper;
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

  // Whether a candidate has several forms.
  bool isChoice(const Kernel &kernel) const {
    return kernel.hopperVariant ||
           (kernel.scalarVariant && !factsOf(kernel, parameters, words).empty());
  }

  // An element of a tuner's list of candidates: null where the requirements do not hold.
  std::string orNull(size_t i) const {
    std::string chosen = choice(launcher.candidates[i], "");
    if (needs[i].empty()) return chosen;
    if (isChoice(*launcher.candidates[i])) chosen = fmt::format("({})", chosen);
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
    return fmt::format("{}({})", words.use("tile2cu::preserve"), arguments);
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
    if (requiresSms()) text += askDevice(first, words);
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
                      const std::string &body, UsedWords &words) {
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
static {}<{}, {}> {}("{}", 0x{:x}u);

)",
      words.use("tile2cu::tuner"), launcher.candidates.size(), launcher.tuning->key.size(),
      tunerName(launcher), launcher.name, llvm::xxh3_64bits(hashed));
}

}  // namespace

std::string pinSignature(const Launcher &launcher, const EmitOptions &options) {
  return fmt::format("{}cudaError_t {}_pin(int candidate)", options.externC ? "extern \"C\" " : "",
                     launcher.name);
}

std::string launcherText(const Launcher &launcher, const std::vector<KernelGroup> &groups,
                         const EmitOptions &options, UsedWords &words) {
  const std::string body = LauncherText{launcher, groups, words}.run();
  std::string text = launcher.comment.empty() ? "" : "// " + launcher.comment + "\n";
  for (size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
       at = text.find('\n', at + 4))
    text.insert(at + 1, "// ");
  text += fmt::format("{} {{\n{}}}\n\n", launcherSignature(launcher, options, true), body);
  if (!launcher.tuning) return text;
  return fmt::format("{}{}{} {{ return {}.pin(candidate); }}\n\n",
                     tunerText(launcher, groups, body, words), text,
                     pinSignature(launcher, options), tunerName(launcher));
}

}  // namespace tile2cu::emit
