// Host side: launch functions and the launchers that users call.
#include "emit/host/host_expr.h"
#include "emit/host/tensor_maps.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/transform/merge_kernels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include "passes/analysis/integer/grid_factors.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/value/cluster.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

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

}  // namespace

std::string launchName(const KernelGroup &group) {
  return "launch_" + group.name.substr(0, group.name.size() - 7);
}

namespace {

// The text of one launch function, piece by piece.
struct LaunchText {
  const KernelGroup &group;
  const EmitOptions &options;
  const Kernel &kernel = group.first();
  const Op *grid = kernel.grid();
  const bool pairs = passes::comesInPairs(kernel);
  std::string function = group.name + group.templateNames();
  std::string threads = group.blockThreads(), perBlock = group.warps(), smem = sharedSize();
  std::string programs = local("programs"), error = local("error");
  std::string text = {};

  // The kernel for clusters of so many blocks.
  std::string kernelOf(const char *blocks) const {
    std::string head, names = group.templateNames();
    addBlocks(head, names, blocks);
    return group.name + names;
  }

  std::string local(const std::string &name) const { return localName(kernel, name); }

  std::string sharedSize() const {
    if (group.smem.empty()) return "0";
    std::string one = "sizeof(" + group.smemType() + ")";
    return kernel.packed() ? perBlock + " * " + one : one;
  }

  // The text of an extent of the grid. The condition under which the launcher refuses it is
  // appended to `refused`: `name`, or one of its factors, is negative (grid_factors.h).
  std::string extentText(const Value *extent, const std::string &name, std::string &refused) {
    const auto textOf = [&](const Value *value) { return withoutCast(hostExpr(value, kernel)); };
    std::vector<const Value *> factors = passes::factorsOf(extent);
    refused += (refused.empty() ? "" : " || ") + name + " < 0";
    if (!passes::productFits(factors) && factors.size() > 1) {
      std::string sizes;
      for (const Value *factor : factors)
        sizes += (sizes.empty() ? "" : ", ") + textOf(factor).text;
      return "tile2cu::grid_size({" + sizes + "})";
    }
    factors.pop_back();  // not negative if the product and the others are not
    for (const Value *factor : factors) {
      const auto range = passes::rangeOf(factor, passes::Assume::Nothing);
      if (!range || range->low < 0)
        refused += " || " + binary(Prec::Relational, "<", textOf(factor), primary("0")).text;
    }
    return textOf(extent).text;
  }

  // programs, or programs_x and so on; returns their product.
  std::string countPrograms() {
    std::vector<std::string> names;
    const char *const kAxes[] = {"_x", "_y", "_z"};
    std::string negative, zero;
    std::vector<Expr> divisors;
    for (const Value *extent : grid->operands()) hostDivisors(extent, kernel, divisors);
    for (const Expr &divisor : divisors)
      text += "if (" + binary(Prec::Equality, "==", divisor, primary("0")).text +
              ") return cudaErrorInvalidValue;\n";
    for (unsigned i = 0; i < grid->numOperands(); ++i) {
      std::string name = grid->numOperands() == 1 ? programs : programs + kAxes[i];
      text +=
          "const int64_t " + name + " = " + extentText(grid->operand(i), name, negative) + ";\n";
      zero += (i ? " || " : "") + name + " == 0";
      names.push_back(name);
    }
    text += "if (" + negative + ") return cudaErrorInvalidValue;\n";
    text += "if (" + zero + ") return cudaSuccess;\n";
    // Each product is checked before it is made.
    std::string total = names[0];
    for (size_t i = 1; i < names.size(); ++i) {
      text += "if (" + total + " > INT_MAX / " + names[i] + ") return cudaErrorInvalidValue;\n";
      total += " * " + names[i];
    }
    return total;
  }

  bool usesNumSms() const {
    return group.takesNumSms() ||
           (grid && llvm::any_of(grid->operands(), [](const Value *e) { return usesSms(e); }));
  }

  void askDevice() {
    const std::string asked = local("counted");
    text += "int num_sms = 0;\nconst cudaError_t " + asked +
            " = tile2cu::multiprocessors(num_sms);\nif (" + asked + " != cudaSuccess) return " +
            asked + ";\n";
  }

  // More than 48 KiB of shared memory has to be asked for, once for each device.
  void askShared() {
    int64_t most = 0;
    for (const KernelInstance &instance : group.instances)
      most = std::max<int64_t>(
          most, instance.sharedBytes * (kernel.packed() ? instance.kernel->programsPerBlock : 1));
    if (most <= 48 * 1024) return;
    const std::string asked = local("asked"), current = local("current"), set = local("set");
    text += "static std::atomic<uint64_t> " + asked + "{0};\nint " + current +
            " = 0;\ncudaError_t " + set + " = cudaGetDevice(&" + current + ");\n" + "if (" + set +
            " != cudaSuccess) return " + set + ";\n" + "if (!(" + asked +
            ".load(std::memory_order_relaxed) >> (" + current + " % 64) & 1)) {\n" + set +
            " = cudaFuncSetAttribute(" + (pairs ? kernelOf("1") : function) +
            ", cudaFuncAttributeMaxDynamicSharedMemorySize, int(" + smem + "));\n" +
            (pairs ? "if (" + set + " == cudaSuccess) " + set + " = cudaFuncSetAttribute(" +
                         kernelOf("2") + ", cudaFuncAttributeMaxDynamicSharedMemorySize, int(" +
                         smem + "));\n"
                   : "") +
            "if (" + set + " != cudaSuccess) return " + set + ";\n" + asked +
            ".fetch_or(uint64_t{1} << (" + current + " % 64), std::memory_order_relaxed);\n}\n";
  }

  // The number of blocks, an expression.
  std::string countBlocks(const std::string &total) {
    const std::string blocks = local("blocks");
    std::string needed = total;
    if (kernel.packed()) needed = "tile2cu::cdiv(" + total + ", " + perBlock + ")";
    if (grid->getBool("persistent")) {
      text +=
          "// Not more blocks than the device runs at a time: each takes several "
          "programs.\nint64_t " +
          blocks + " = " + needed + ";\nconst cudaError_t " + error +
          " = tile2cu::limit_to_resident(" + blocks + ", " + function + ", " + threads + ", " +
          smem + ");\nif (" + error + " != cudaSuccess) return " + error + ";\n";
      return blocks;
    }
    if (kernel.packed()) {
      text += "const int64_t " + blocks + " = " + needed + ";\n";
      needed = blocks;
    }
    if (grid->numOperands() == 1)
      text += "if (" + needed + " > INT_MAX) return cudaErrorInvalidValue;\n";
    return needed;
  }

  // CUtensorMap a_map; ...
  void makeMaps() {
    const auto maps = tensorMaps(kernel);
    if (maps.empty()) return;
    std::string names, makes;
    const std::string made = local("made");
    for (const Op *map : maps) {
      names += (names.empty() ? "CUtensorMap " : ", ") + map->result()->name;
      makes += makes.empty() ? "cudaError_t " + made + " = " + tensorMapCall(map, kernel) + ";\n"
                             : "if (" + made + " == cudaSuccess) " + made + " = " +
                                   tensorMapCall(map, kernel) + ";\n";
    }
    text += names + ";\n" + makes + "if (" + made + " != cudaSuccess) return " + made + ";\n";
  }

  // Whether neighbouring blocks come in pairs (form_clusters.h): what that needs, and where it pays.
  void findCluster() {
    std::vector<Expr> even;
    for (const Value *count : passes::evenCounts(kernel)) addOnce(even, hostExpr(count, kernel));
    std::string pays, which;
    walk(*kernel.producer, [&](const Op *op) {
      if (op->kind != OpKind::TensorCopy || !op->getBool("paired")) return;
      const Op *map = op->operand(0)->definition;
      pays += (pays.empty() ? "" : " || ") + linesText(map, kernel);
      which += (which.empty() ? "" : ", ") + hostExpr(map->operand(0), kernel).text;
    });
    text += "// Two blocks next to each other bring " + which +
            " for both where rows cross lines of the cache.\nconst int " + local("cluster") + " = ";
    for (const Expr &count : even)
      text += binary(Prec::Equality, "==", binary(Prec::Multiplicative, "%", count, primary("2")),
                     primary("0"))
                  .text +
              " && ";
    text += (pays.find("||") == std::string::npos ? pays : "(" + pays + ")") + " ? 2 : 1;\n";
  }

  std::string run() {
    const std::string stream = local("stream");
    text = group.templateHead() + "static cudaError_t " + launchName(group) + "(" +
           parameterList(kernel, false) + (grid ? "" : ", dim3 grid") + ", cudaStream_t " + stream +
           ") {\n";
    std::string blocks = "grid";
    if (usesNumSms()) askDevice();
    if (grid) {
      std::string total = countPrograms();
      askShared();
      blocks = "unsigned(" + countBlocks(total) + ")";
    } else {
      askShared();
    }
    std::string arguments = argumentList(kernel);
    if (group.takesNumSms()) arguments += (arguments.empty() ? "" : ", ") + std::string("num_sms");
    if (pairs) findCluster();
    makeMaps();
    for (const Op *map : tensorMaps(kernel)) arguments += ", " + map->result()->name;
    if (pairs)
      text += "return tile2cu::launch_clusters(" + local("cluster") + ", " + local("cluster") +
              " == 2 ? " + kernelOf("2") + " : " + kernelOf("1") + ", " + blocks + ", " + threads +
              ", " + smem + ", " + stream + ", " + arguments + ");\n";
    else if (options.emulator)
      text += "return emulate::launch(" + function + ", dim3(" + blocks + "), dim3(" + threads +
              "), " + smem + ", " + stream + (arguments.empty() ? "" : ", " + arguments) + ");\n";
    else if (kernel.producer)
      text += "return tile2cu::launch_early(" + function + ", " + blocks + ", " + threads + ", " +
              smem + ", " + stream + ", " + arguments + ");\n";
    else
      text += function + "<<<" + blocks + ", " + threads + ", " + smem + ", " + stream + ">>>(" +
              arguments + ");\nreturn cudaGetLastError();\n";
    return text + "}\n\n";
  }
};

}  // namespace

std::string launchText(const KernelGroup &group, const EmitOptions &options) {
  return LaunchText{group, options}.run();
}

std::string launcherSignature(const Launcher &launcher, const EmitOptions &options,
                              bool definition) {
  const Kernel &kernel = *launcher.candidates.front();
  bool explicitGrid = !kernel.grid();
  std::string parameters = parameterList(kernel, false);
  if (explicitGrid) parameters += (parameters.empty() ? "" : ", ") + std::string("dim3 grid");
  parameters += std::string(parameters.empty() ? "" : ", ") + "cudaStream_t " +
                localName(kernel, "stream") +
                (definition && !options.headerName.empty() ? "" : " = nullptr");
  return std::string(options.externC ? "extern \"C\" " : "") + "cudaError_t " + launcher.name +
         "(" + parameters + ")";
}

namespace {

// What a kernel's variant with facts asks of the arguments, beyond what `known` does.
std::vector<std::string> conditionsOf(const Kernel &kernel, const Facts &known = {}) {
  std::map<int64_t, std::string> aligned;
  std::vector<std::string> divisible, conditions;
  for (const auto &[index, divisor] : kernel.facts.divisibility) {
    if (auto it = known.divisibility.find(index);
        it != known.divisibility.end() && it->second % divisor == 0)
      continue;
    const Parameter &parameter = kernel.parameters[index];
    if (parameter.type.isPointer())
      aligned[divisor] += (aligned[divisor].empty() ? "" : ", ") + parameter.name;
    else
      divisible.push_back(parameter.name + " % " + std::to_string(divisor) + " == 0");
  }
  for (const auto &[bytes, names] : aligned)
    conditions.push_back("tile2cu::aligned<" + std::to_string(bytes) + ">(" + names + ")");
  llvm::append_range(conditions, divisible);
  for (const Expr &size : tensorSizes(kernel))
    conditions.push_back(binary(Prec::Relational, ">", size, primary("0")).text);
  return conditions;
}

std::string factsOf(const Kernel &kernel) { return llvm::join(conditionsOf(kernel), " && "); }

// The requirements of a kernel, one text each, those that guard a division before it.
std::vector<std::string> requirementsOf(const Kernel &kernel) {
  std::vector<std::string> needs;
  for (const auto &op : kernel.body.ops) {
    if (op->kind != OpKind::Require) continue;
    Expr condition = hostExpr(op->operand(0), kernel);
    std::vector<Expr> divisors;
    hostDivisors(op->operand(0), kernel, divisors);
    for (const Expr &divisor : divisors)
      condition =
          binary(Prec::And, "&&", binary(Prec::Equality, "!=", divisor, primary("0")), condition);
    needs.push_back(condition.prec > Prec::And ? "(" + condition.text + ")" : condition.text);
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
  std::vector<std::vector<std::string>> needs = {};  // of each candidate
  std::string vectors = {}, hopper = {};             // names of conditions: nameFacts, nameHopper
  bool onHopper = false;                             // `hopper` is all that it takes
  std::string text = {};

  // launch_softmax<1024, 4, 4>
  std::string launchFunction(const Kernel *kernel) const {
    const bool isNear = kernel->nameSpace.empty() || kernel->nameSpace == launcher.nameSpace;
    for (const KernelGroup &group : groups)
      for (size_t i = 0; i < group.instances.size(); ++i)
        if (group.instances[i].kernel == kernel)
          return (isNear ? "" : "::" + kernel->nameSpace + "::") + launchName(group) +
                 group.templateValues(i);
    T2C_UNREACHABLE("a launcher's kernel has no text");
  }

  std::string argumentText() const {
    std::string arguments = argumentList(first);
    if (!first.grid()) arguments += (arguments.empty() ? "" : ", ") + std::string("grid");
    return "(" + arguments + (arguments.empty() ? "" : ", ") + localName(first, "stream") + ")";
  }

  // What every candidate requires is checked once, and first.
  void checkCommon() {
    for (const Kernel *kernel : launcher.candidates) needs.push_back(requirementsOf(*kernel));
    std::vector<std::string> common;
    for (const std::string &condition : needs.front())
      if (llvm::all_of(needs, [&](const std::vector<std::string> &each) {
            return llvm::is_contained(each, condition);
          }))
        common.push_back(condition);
    for (auto &each : needs)
      llvm::erase_if(each, [&](const std::string &c) { return llvm::is_contained(common, c); });
    if (!common.empty()) text += "if (!(" + allOf(common) + ")) return cudaErrorInvalidValue;\n";
  }

  // The condition under which accesses may be whole vectors, by name if it is the same for all candidates.
  void nameFacts() {
    std::set<std::string> facts;
    for (const Kernel *kernel : launcher.candidates)
      if (std::string own = factsOf(*kernel); !own.empty()) facts.insert(own);
    if (facts.size() != 1) return;
    vectors = localName(first, "vectors");
    text +=
        "// Whole vectors where addresses and sizes allow it, else element by element.\nconst "
        "bool " +
        vectors + " = " + *facts.begin() + ";\n";
  }

  // What the arguments have to be for a candidate's form for Hopper.
  std::vector<std::string> hopperConditions(const Kernel &kernel) const {
    std::vector<std::string> conditions = conditionsOf(*kernel.hopperVariant, kernel.facts);
    if (std::string facts = factsOf(kernel); !facts.empty())
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
    text += "// Products of warpgroups on Hopper" +
            std::string(asked.empty() ? "" : ", where addresses and sizes allow it") +
            ".\nconst bool " + hopper + " = tile2cu::on_hopper()" +
            (asked.empty() ? "" : " && " + asked) + ";\n";
  }

  // The launch function of a candidate: by itself, or `hopper ? launch_x_hopper : facts ? launch_x<4> : launch_x<1>`.
  std::string choice(const Kernel *kernel, const std::string &arguments) const {
    std::string facts = factsOf(*kernel), onlyHopper;
    if (kernel->hopperVariant) {
      std::vector<std::string> conditions{hopper};
      if (!onHopper) llvm::append_range(conditions, hopperConditions(*kernel));
      onlyHopper =
          allOf(conditions) + " ? " + launchFunction(kernel->hopperVariant) + arguments + " : ";
    }
    const std::string function = launchFunction(kernel) + arguments;
    if (facts.empty() || !kernel->scalarVariant) return onlyHopper + function;
    return onlyHopper + (vectors.empty() ? facts : vectors) + " ? " + function + " : " +
           launchFunction(kernel->scalarVariant) + arguments;
  }

  // Several candidates: the arguments are written once.
  void chooseAmong() {
    const std::string launch = localName(first, "launch");
    text += "// The first configuration whose requirements hold.\ndecltype(&" +
            launchFunction(&first) + ") " + launch + " = nullptr;\n";
    bool open = false, complete = false;
    for (size_t i = 0; i < launcher.candidates.size() && !complete; ++i) {
      std::string chosen = launch + " = " + choice(launcher.candidates[i], "") + ";\n";
      complete = needs[i].empty();
      std::string head = complete ? "" : "if (" + allOf(needs[i]) + ")";
      text += (open ? "else " : "") + head + (open || !complete ? "\n" : "") + chosen;
      open = true;
    }
    if (!complete) text += "else\nreturn cudaErrorInvalidValue;\n";
    text += "return " + launch + argumentText() + ";\n";
  }

  // An element of a tuner's list of candidates: null where the requirements do not hold.
  std::string orNull(size_t i) const {
    std::string chosen = choice(launcher.candidates[i], "");
    if (needs[i].empty()) return chosen;
    if (chosen.find(" ? ") != std::string::npos) chosen = "(" + chosen + ")";
    return allOf(needs[i]) + " ? " + chosen + " : nullptr";
  }

  std::string keyText() const {
    std::string key;
    for (const std::string &name : launcher.tuning->key) {
      const bool narrows = llvm::any_of(first.parameters, [&](const Parameter &parameter) {
        return parameter.name == name && parameter.type.scalar() == Scalar::U64;
      });
      key += (key.empty() ? "" : ", ") + (narrows ? "int64_t(" + name + ")" : name);
    }
    return "{" + key + "}";
  }

  // The fastest of the candidates, which the tuner finds.
  void tune() {
    const std::string candidates = localName(first, "candidates"), run = localName(first, "run"),
                      launch = localName(first, "launch"), stream = localName(first, "stream");
    text += "// Null: one that these arguments do not fit.\nconst decltype(&" +
            launchFunction(&first) + ") " + candidates + "[] = {";
    for (size_t i = 0; i < launcher.candidates.size(); ++i) text += orNull(i) + ",\n";
    text += "};\nconst auto " + run + " = [&](auto* " + launch + ") { return " + launch +
            argumentText() + "; };\n";
    const std::string call = "return " + tunerName(launcher) + ".launch";
    if (!launcher.tuning->timed) {
      text += "// Not timed: a run changes what the next would read.\n" + call + "_untimed(" +
              candidates + ", " + keyText() + ", " + run + ");\n";
      return;
    }
    std::string preserved;
    for (const Tuning::Memory &memory : launcher.tuning->preserved)
      preserved += (preserved.empty() ? "" : ", ") + std::string("tile2cu::preserve(") +
                   memory.pointer + ", " + llvm::join(memory.sizes, ", ") + ")";
    text += "// Times them where the key is new.\n" + call + "(" + candidates + ", " + keyText() +
            ", " + stream + ", " + run + (preserved.empty() ? "" : ", {" + preserved + "}") +
            ");\n";
  }

  std::string run() {
    checkCommon();
    nameFacts();
    nameHopper();
    if (launcher.tuning)
      tune();
    else if (launcher.candidates.size() == 1)
      text += "return " + choice(&first, argumentText()) + ";\n";
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
      hashed += group.printed + group.printedBefore;
  return "// Knows which candidate is the fastest; the number stands for the text of the kernels.\n"
         "static tile2cu::tuner<" +
         std::to_string(launcher.candidates.size()) + ", " +
         std::to_string(launcher.tuning->key.size()) + "> " + tunerName(launcher) + "(\"" +
         launcher.name + "\", 0x" + llvm::utohexstr(llvm::xxh3_64bits(hashed), true) + "u);\n\n";
}

}  // namespace

std::string pinSignature(const Launcher &launcher, const EmitOptions &options) {
  return std::string(options.externC ? "extern \"C\" " : "") + "cudaError_t " + launcher.name +
         "_pin(int candidate)";
}

std::string launcherText(const Launcher &launcher, const std::vector<KernelGroup> &groups,
                         const EmitOptions &options) {
  const std::string body = LauncherText{launcher, groups}.run();
  std::string text = launcher.comment.empty() ? "" : "// " + launcher.comment + "\n";
  for (size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
       at = text.find('\n', at + 4))
    text.insert(at + 1, "// ");
  text += launcherSignature(launcher, options, true) + " {\n" + body + "}\n\n";
  if (!launcher.tuning) return text;
  return tunerText(launcher, groups, body) + text + pinSignature(launcher, options) + " { return " +
         tunerName(launcher) + ".pin(candidate); }\n\n";
}

}  // namespace tile2cu::emit
