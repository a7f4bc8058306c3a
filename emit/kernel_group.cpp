#include "emit/kernel_group.h"

#include <algorithm>
#include <set>

#include "emit/names.h"
#include "emit/scalar_text.h"
#include "passes/ir/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

std::string parameterList(const Kernel &kernel, bool device) {
  std::string text;
  for (const Parameter &parameter : kernel.parameters) {
    std::string type = cppType(parameter.type.element());
    if (device && parameter.isRestrict) type += " __restrict__";
    text += (text.empty() ? "" : ", ") + type + " " + parameter.name;
  }
  return text;
}

std::string argumentList(const Kernel &kernel) {
  std::string text;
  for (const Parameter &parameter : kernel.parameters) text += (text.empty() ? "" : ", ") + parameter.name;
  return text;
}

namespace {

// Elements that a thread holds of the largest tile.
int64_t elementsPerThread(Kernel &kernel) {
  int64_t most = 1;
  walk(kernel.body, [&](Op *op) {
    if (op->kind == OpKind::Nest) most = std::max(most, op->layout->elementsPerThread());
  });
  return most;
}

// The widest access of the kernel, in elements.
int64_t widestAccess(Kernel &kernel) {
  int64_t widest = 1;
  walk(kernel.body, [&](Op *op) {
    if (op->kind == OpKind::Load || op->kind == OpKind::Store) widest = std::max(widest, op->getInt("vector", 1));
  });
  return widest;
}

int64_t sharedBytes(const Kernel &kernel) {
  int64_t total = 0;
  std::map<int, int64_t> slots;
  for (const SharedBuffer &buffer : kernel.shared) {
    int64_t bytes = (buffer.bytes() + 15) / 16 * 16;
    if (buffer.slot < 0) total += bytes;
    else slots[buffer.slot] = std::max(slots[buffer.slot], bytes);
  }
  for (auto &[slot, bytes] : slots) total += bytes;
  return total;
}

std::string configName(const Kernel &kernel) {
  std::string name = camelCase(kernel.name);
  for (const TemplateArgument &argument : kernel.templateArguments) {
    std::string value = argument.value;
    for (char &c : value)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    name += std::isdigit(static_cast<unsigned char>(name.back())) && std::isdigit(static_cast<unsigned char>(value[0])) ? "x" + value
                                                                                                                        : camelCase(value);
  }
  return name;
}

// What must be equal for two kernels to share their text.
std::string identity(const KernelInstance &instance) {
  const Kernel &kernel = *instance.kernel;
  std::string key = kernel.nameSpace + "\n" + kernel.name + "\n" + parameterList(kernel, true) + "\n" + instance.text.functors + "\n" +
                    instance.text.sharedMembers + "\n" + instance.text.body + "\n";
  for (const Constant &constant : instance.text.constants) key += constant.name + "=" + constant.derivation + ";";
  key += kernel.programsPerBlock > 1 ? "packed" : "";
  key += kernel.explicitGrid ? "explicit" : "";
  for (auto &op : kernel.body.ops)
    if (op->kind == OpKind::Grid)
      for (Value *extent : op->operands()) key += hostExpr(extent, kernel).text + ",";
  return key;
}

}  // namespace

std::vector<KernelGroup> groupKernels(Module &module, const EmitOptions &options) {
  std::vector<Kernel *> kernels;
  auto add = [&](Kernel *kernel) {
    if (kernel && std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
  };
  for (const Launcher &launcher : module.launchers) {
    for (Kernel *kernel : launcher.candidates) add(kernel);
    for (Kernel *kernel : launcher.candidates) add(kernel->scalarVariant);
  }
  std::vector<KernelGroup> groups;
  std::vector<std::string> keys;
  std::set<std::string> configs;
  std::set<const Kernel *> scalar;
  for (Kernel *kernel : kernels)
    if (kernel->scalarVariant) scalar.insert(kernel->scalarVariant);
  for (Kernel *kernel : kernels) {
    KernelInstance instance;
    instance.kernel = kernel;
    instance.text = KernelEmitter(*kernel, {options.preciseMath}).run();
    instance.sharedBytes = sharedBytes(*kernel);
    bool heavy = elementsPerThread(*kernel) >= 64 || widestAccess(*kernel) == 1;
    instance.residentThreads = kernel->options.residentThreads ? kernel->options.residentThreads : heavy ? 512 : 1024;
    std::string base = configName(*kernel) + (scalar.count(kernel) ? "Scalar" : ""), config = base;
    if (configs.count(config)) config = base + "Warps" + std::to_string(kernel->options.numWarps);
    for (int i = 2; configs.count(config); ++i) config = base + "_" + std::to_string(i);
    configs.insert(config);
    instance.config = config;
    std::string key = identity(instance);
    size_t at = std::find(keys.begin(), keys.end(), key) - keys.begin();
    if (at == keys.size()) {
      keys.push_back(key);
      groups.emplace_back();
    }
    groups[at].instances.push_back(std::move(instance));
  }
  // Names: the tile function's, and what tells apart several texts of one function.
  std::set<std::string> taken;
  for (KernelGroup &group : groups) {
    const Kernel &kernel = group.first();
    bool alone = std::count_if(groups.begin(), groups.end(), [&](const KernelGroup &other) { return other.first().name == kernel.name; }) == 1;
    std::string name = kernel.name;
    if (!alone && kernel.programsPerBlock > 1) name += "_warp";
    if (taken.count(name + "_kernel") && scalar.count(&kernel)) name += "_scalar";
    if (taken.count(name + "_kernel"))
      for (const TemplateArgument &argument : kernel.templateArguments) {
        std::string value = argument.value;
        for (char &c : value)
          if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        name += "_" + value;
      }
    std::string base = name;
    for (int i = 2; taken.count(name + "_kernel"); ++i) name = base + "_" + std::to_string(i);
    group.name = name + "_kernel";
    taken.insert(group.name);
    if (!group.text().sharedMembers.empty()) group.smem = camelCase(name) + "Smem";
  }
  return groups;
}

// ---- the kernel's text

namespace {

// Constants whose value differs between the instances of a group, or that all configurations state.
bool inConfig(const KernelGroup &group, size_t index) {
  const Constant &constant = group.text().constants[index];
  if (!constant.derivation.empty()) return false;
  for (const KernelInstance &instance : group.instances)
    if (instance.text.constants[index].value != constant.value) return true;
  return false;
}

bool uses(const std::string &text, const std::string &name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    auto word = [&](size_t i) { return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_'); };
    if ((at == 0 || !word(at - 1)) && !word(at + name.size())) return true;
  }
  return false;
}

std::string factsText(const Kernel &kernel) {
  std::map<int64_t, std::string> aligned;
  std::string divisible;
  for (auto &[index, divisor] : kernel.facts.divisibility) {
    const Parameter &parameter = kernel.parameters[index];
    if (parameter.type.isPointer()) aligned[divisor] += (aligned[divisor].empty() ? "" : ", ") + parameter.name;
    else divisible += (divisible.empty() ? "" : ", ") + parameter.name + " % " + std::to_string(divisor) + " == 0";
  }
  std::string text;
  for (auto &[bytes, names] : aligned) text += (text.empty() ? "" : "; ") + names + " aligned to " + std::to_string(bytes) + " bytes";
  if (!divisible.empty()) text += (text.empty() ? "" : "; ") + divisible;
  return text;
}

// The comment that says what a caller and a reader can rely on.
std::string contract(const KernelGroup &group, const EmitOptions &options) {
  const Kernel &kernel = group.first();
  std::string text = "// ---- " + group.name + " ";
  text += std::string(text.size() < 98 ? 98 - text.size() : 1, '-') + "\n";
  text += "// From " + options.sourceName + ":" + std::to_string(kernel.loc.line) + " `" + kernel.name + "`.\n";
  auto paragraph = [&](const std::string &body) {
    size_t at = 0;
    while (at <= body.size()) {
      size_t end = std::min(body.find('\n', at), body.size());
      text += "//" + (end > at ? " " + body.substr(at, end - at) : "") + "\n";
      at = end + 1;
    }
  };
  if (!kernel.comment.empty()) paragraph("\n" + kernel.comment);
  text += "//\n";
  std::string grid;
  for (auto &op : kernel.body.ops)
    if (op->kind == OpKind::Grid)
      for (Value *extent : op->operands()) {
        if (!extent) continue;
        std::string one = hostExpr(extent, kernel).text;
        for (size_t cast = one.find("int64_t("); cast != std::string::npos; cast = one.find("int64_t(")) {
          size_t close = one.find(')', cast);
          one = one.substr(0, cast) + one.substr(cast + 8, close - cast - 8) + one.substr(close + 1);
        }
        grid += (grid.empty() ? "" : " x ") + one;
      }
  if (kernel.programsPerBlock > 1) text += "//   grid    " + grid + " programs, one for each warp, PROGRAMS_PER_BLOCK to a block\n";
  else if (!grid.empty()) text += "//   grid    " + grid + " blocks, one for each program\n";
  else text += "//   grid    the caller's\n";
  bool varies = std::any_of(group.instances.begin(), group.instances.end(), [&](const KernelInstance &i) { return i.kernel->options.numWarps != kernel.options.numWarps; });
  int64_t warps = kernel.programsPerBlock > 1 ? kernel.programsPerBlock : kernel.options.numWarps;
  if (varies && kernel.programsPerBlock == 1) text += "//   block   NUM_WARPS warps\n";
  else text += "//   block   " + std::to_string(32 * warps) + " threads = " + std::to_string(warps) + (warps == 1 ? " warp\n" : " warps\n");
  for (size_t i = 0; i < group.text().layouts.size(); ++i)
    text += (i ? "//           " : "//   tiles   ") + group.text().layouts[i] + "\n";
  if (!group.smem.empty()) {
    std::string bytes = std::to_string(group.instances.front().sharedBytes);
    bool same = std::all_of(group.instances.begin(), group.instances.end(), [&](const KernelInstance &i) { return i.sharedBytes == group.instances.front().sharedBytes; });
    text += "//   shared  " + (same ? bytes + " bytes" : std::string("sizeof(" + group.smem + "<Config>)")) + "\n";
  }
  std::string conditions;
  for (auto &op : kernel.body.ops)
    if (op->kind == OpKind::Require) conditions += (conditions.empty() ? "" : ", ") + hostExpr(op->operand(0), kernel).text;
  if (!conditions.empty() && !group.isTemplate()) text += "//   needs   " + conditions + "\n";
  if (!group.isTemplate()) {
    std::string facts = factsText(kernel);
    if (!facts.empty()) text += "//   needs   " + facts + "\n";
  }
  text += std::string("//   math    ") + (options.preciseMath ? "IEEE" : "fast: 2 ulp division, exp, log, rsqrt") + "\n";
  return text;
}

std::string configs(const KernelGroup &group) {
  std::string text;
  for (const KernelInstance &instance : group.instances) {
    const Kernel &kernel = *instance.kernel;
    std::string facts = factsText(kernel);
    text += facts.empty() ? "// Any pointers and sizes.\n" : "// Where " + facts + ".\n";
    text += "struct " + instance.config + " {\nstatic constexpr int ";
    text += "NUM_WARPS = " + std::to_string(kernel.programsPerBlock > 1 ? kernel.programsPerBlock : kernel.options.numWarps);
    for (size_t i = 0; i < instance.text.constants.size(); ++i)
      if (inConfig(group, i)) text += ", " + instance.text.constants[i].name + " = " + std::to_string(instance.text.constants[i].value);
    text += ";\n";
    text += "static constexpr int RESIDENT_THREADS = " + std::to_string(instance.residentThreads) + ";\n};\n\n";
  }
  return text;
}

}  // namespace

std::string kernelText(const KernelGroup &group, const Module &, const EmitOptions &options) {
  const Kernel &kernel = group.first();
  const KernelText &body = group.text();
  bool packed = kernel.programsPerBlock > 1;
  std::string text = contract(group, options) + "\n";
  if (group.isTemplate()) text += configs(group);
  text += body.functors.empty() ? "" : body.functors + "\n";

  // Constants: the configuration's, then what follows from them.
  int warps = packed ? kernel.programsPerBlock : kernel.options.numWarps;
  std::string constants;
  bool templated = group.isTemplate();
  std::string all = body.body + body.sharedMembers;
  for (const Constant &constant : body.constants) all += " " + constant.derivation;
  bool usesThreads = uses(all, "NUM_THREADS");
  bool usesWarps = uses(all, "NUM_WARPS") || (usesThreads && templated);
  auto define = [&](const std::string &name, const std::string &value, const std::string &note) {
    constants += "constexpr int " + name + " = " + value + ";" + (note.empty() ? "" : "  // " + note) + "\n";
  };
  std::vector<bool> done(body.constants.size(), false);
  for (size_t i = 0; i < body.constants.size(); ++i) {
    const Constant &constant = body.constants[i];
    if (!constant.derivation.empty()) continue;
    done[i] = true;
    if (constant.name == "PROGRAMS_PER_BLOCK" && templated && inConfig(group, i)) {
      define(constant.name, "Config::NUM_WARPS", "one warp each");
      continue;
    }
    define(constant.name, templated && inConfig(group, i) ? "Config::" + constant.name : std::to_string(constant.value), constant.comment);
  }
  if (usesWarps) define("NUM_WARPS", templated ? "Config::NUM_WARPS" : std::to_string(warps), "");
  if (usesThreads) define("NUM_THREADS", usesWarps ? "32 * NUM_WARPS" : std::to_string(32 * warps), "");
  // Derivations in an order in which each uses only what stands before it.
  for (size_t round = 0; round < body.constants.size(); ++round)
    for (size_t i = 0; i < body.constants.size(); ++i) {
      if (done[i]) continue;
      bool ready = true;
      for (size_t j = 0; j < body.constants.size(); ++j)
        if (!done[j] && j != i && uses(body.constants[i].derivation, body.constants[j].name)) ready = false;
      if (!ready) continue;
      define(body.constants[i].name, body.constants[i].derivation, body.constants[i].comment);
      done[i] = true;
    }

  if (!group.smem.empty()) {
    text += "// Shared memory of one " + std::string(packed ? "program" : "block") + ".\n";
    if (templated) text += "template <class Config>\n";
    text += "struct " + group.smem + " {\n";
    std::string members = body.sharedMembers;
    std::string needed;
    for (size_t i = 0; i < body.constants.size(); ++i) {
      if (!uses(members, body.constants[i].name)) continue;
      if (templated && inConfig(group, i)) needed += "static constexpr int " + body.constants[i].name + " = Config::" + body.constants[i].name + ";\n";
      else needed += "static constexpr int " + body.constants[i].name + " = " + std::to_string(body.constants[i].value) + ";\n";
    }
    if (uses(members, "NUM_WARPS")) needed += "static constexpr int NUM_WARPS = " + (templated ? "Config::NUM_WARPS" : std::to_string(warps)) + ";\n";
    text += needed + members + "};\n\n";
  }

  int64_t resident = group.instances.front().residentThreads;
  std::string threads = templated ? "32 * Config::NUM_WARPS" : std::to_string(32 * warps);
  std::string blocks = kernel.options.minBlocks ? std::to_string(kernel.options.minBlocks)
                                                : "tile2cu::resident_blocks(" + threads + ", " + (templated ? "Config::RESIDENT_THREADS" : std::to_string(resident)) + ")";
  if (templated) text += "template <class Config>\n";
  text += "static __global__ void __launch_bounds__(" + threads + ", " + blocks + ")\n" + group.name + "(" + parameterList(kernel, true) + ") {\n";
  text += constants;
  bool usesTid = uses(body.body, "tid"), usesLane = uses(body.body, "lane"), usesWarp = uses(body.body, "warp") || (packed && !group.smem.empty());
  if (usesTid) text += "const int tid = threadIdx.x;\n";
  if (usesLane) text += "const int lane = threadIdx.x % 32;\n";
  if (usesWarp) text += "const int warp = threadIdx.x / 32;\n";
  if (!group.smem.empty()) {
    std::string type = group.smem + (templated ? "<Config>" : "");
    text += "auto& smem = reinterpret_cast<" + type + "*>(dynamic_smem)[" + (packed ? "warp" : "0") + "];\n";
  }
  text += body.body + "}\n\n";
  return text;
}

}  // namespace tile2cu::emit
