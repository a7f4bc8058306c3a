#include "emit/kernel_group.h"

#include <algorithm>
#include <functional>
#include <set>

#include "emit/host_expr.h"
#include "emit/names.h"
#include "emit/scalar_text.h"
#include "llvm/ADT/StringExtras.h"
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
  for (const Parameter &parameter : kernel.parameters)
    text += (text.empty() ? "" : ", ") + parameter.name;
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
    if (op->kind == OpKind::Load || op->kind == OpKind::Store)
      widest = std::max(widest, op->getInt("vector", 1));
  });
  return widest;
}

bool hasDot(Kernel &kernel) {
  bool found = false;
  walk(kernel.body, [&](Op *op) { found |= op->kind == OpKind::DotShared; });
  return found;
}

int64_t sharedBytes(const Kernel &kernel) {
  int64_t total = 0;
  std::map<int, int64_t> slots;
  for (const SharedBuffer &buffer : kernel.shared) {
    int64_t bytes = buffer.placeBytes();
    if (buffer.slot < 0)
      total += bytes;
    else
      slots[buffer.slot] = std::max(slots[buffer.slot], bytes);
  }
  for (auto &[slot, bytes] : slots) total += bytes;
  return total;
}

std::string withoutComments(const std::string &text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string row = text.substr(at, end - at);
    result += row.substr(0, std::min(row.find("//"), row.size())) + "\n";
    at = end + 1;
  }
  return result;
}

// The numbers of a group in the order in which they are stated: the user's, warps, the rest, what follows from them.
void collectNumbers(KernelGroup &group) {
  const Kernel &kernel = group.first();
  const std::vector<Constant> &constants = group.text().constants;
  auto add = [&](const std::string &name, const std::string &derivation, const std::string &comment,
                 auto valueOf) {
    GroupNumber number{name, derivation, comment, {}, false};
    for (const KernelInstance &instance : group.instances)
      number.values.push_back(valueOf(instance));
    for (int64_t value : number.values)
      number.isParameter |= derivation.empty() && value != number.values.front();
    group.numbers.push_back(std::move(number));
  };
  auto isUsers = [&](const Constant &constant) {
    for (const TemplateArgument &argument : kernel.templateArguments)
      if (argument.name == constant.name) return true;
    return false;
  };
  auto addConstant = [&](size_t i) {
    add(constants[i].name, constants[i].derivation, constants[i].comment,
        [&](const KernelInstance &instance) { return instance.text.constants[i].value; });
  };
  for (size_t i = 0; i < constants.size(); ++i)
    if (constants[i].derivation.empty() && isUsers(constants[i])) addConstant(i);
  if (!kernel.packed())
    add("NUM_WARPS", "", "",
        [](const KernelInstance &instance) { return instance.kernel->options.numWarps; });
  for (size_t i = 0; i < constants.size(); ++i)
    if (constants[i].derivation.empty() && !isUsers(constants[i])) addConstant(i);
  if (kernel.packed() && !group.find("PROGRAMS_PER_BLOCK"))
    add("PROGRAMS_PER_BLOCK", "", "",
        [](const KernelInstance &instance) { return instance.kernel->programsPerBlock; });

  // Resident threads: one number, or one for vectors and one for single elements, or a parameter.
  std::set<int64_t> wide, narrow;
  const GroupNumber *vec = group.find("VEC");
  for (size_t i = 0; i < group.instances.size(); ++i)
    (vec && vec->isParameter && vec->values[i] == 1 ? narrow : wide)
        .insert(group.instances[i].residentThreads);
  std::set<int64_t> all = wide;
  all.insert(narrow.begin(), narrow.end());
  if (all.size() == 1) {
    group.resident = std::to_string(*all.begin());
  } else if (wide.size() == 1 && narrow.size() == 1) {
    group.resident =
        "VEC > 1 ? " + std::to_string(*wide.begin()) + " : " + std::to_string(*narrow.begin());
  } else {
    group.resident = "RESIDENT_THREADS";
    add("RESIDENT_THREADS", "", "",
        [](const KernelInstance &instance) { return instance.residentThreads; });
  }
  std::string allText = withoutComments(group.text().body) + group.text().sharedMembers;
  for (const Constant &constant : constants) allText += " " + constant.derivation;
  if (mentions(allText, "NUM_THREADS"))
    add("NUM_THREADS", "32 * NUM_WARPS", "",
        [](const KernelInstance &instance) { return 32 * instance.kernel->options.numWarps; });
  // Derivations in an order in which each uses only what stands before it.
  std::vector<bool> done(constants.size(), false);
  for (size_t i = 0; i < constants.size(); ++i) done[i] = constants[i].derivation.empty();
  for (size_t round = 0; round < constants.size(); ++round)
    for (size_t i = 0; i < constants.size(); ++i) {
      if (done[i]) continue;
      bool ready = true;
      for (size_t j = 0; j < constants.size(); ++j)
        ready &= done[j] || j == i || !mentions(constants[i].derivation, constants[j].name);
      if (!ready) continue;
      addConstant(i);
      done[i] = true;
    }
}

// What must be equal for two kernels to share their text.
std::string identity(const KernelInstance &instance) {
  const Kernel &kernel = *instance.kernel;
  std::string key = kernel.nameSpace + "\n" + kernel.name + "\n" + parameterList(kernel, true) +
                    "\n" + instance.text.sharedMembers + "\n" + instance.text.body + "\n";
  for (const Functor &functor : instance.text.functors) key += functor.name + functor.text;
  for (const Constant &constant : instance.text.constants)
    key += constant.name + "=" + constant.derivation + ";";
  key += kernel.packed() ? "packed" : "";
  key += kernel.explicitGrid ? "explicit" : "";
  if (const Op *grid = kernel.grid())
    for (Value *extent : grid->operands()) key += hostExpr(extent, kernel).text + ",";
  return key;
}

}  // namespace

bool KernelGroup::takesNumSms() const { return mentions(withoutComments(text().body), "num_sms"); }

const GroupNumber *KernelGroup::find(llvm::StringRef number) const {
  for (const GroupNumber &candidate : numbers)
    if (candidate.name == number) return &candidate;
  return nullptr;
}

bool KernelGroup::isTemplate() const {
  return std::any_of(numbers.begin(), numbers.end(),
                     [](const GroupNumber &number) { return number.isParameter; });
}

namespace {
std::string listOf(const KernelGroup &group, const std::string &prefix,
                   const std::function<std::string(const GroupNumber &)> &text) {
  std::string result;
  for (const GroupNumber &number : group.numbers)
    if (number.isParameter) result += (result.empty() ? "" : ", ") + text(number);
  return result.empty() ? "" : prefix + "<" + result + ">";
}
}  // namespace

std::string KernelGroup::templateHead() const {
  std::string head =
      listOf(*this, "template ", [](const GroupNumber &number) { return "int " + number.name; });
  return head.empty() ? "" : head + "\n";
}
std::string KernelGroup::templateNames() const {
  return listOf(*this, "", [](const GroupNumber &number) { return number.name; });
}
std::string KernelGroup::templateValues(size_t instance) const {
  return listOf(*this, "",
                [&](const GroupNumber &number) { return std::to_string(number.values[instance]); });
}

std::string KernelGroup::warps() const {
  const GroupNumber *number = find(first().packed() ? "PROGRAMS_PER_BLOCK" : "NUM_WARPS");
  return number->isParameter ? number->name : std::to_string(number->values.front());
}
std::string KernelGroup::threads() const {
  const GroupNumber *number = find(first().packed() ? "PROGRAMS_PER_BLOCK" : "NUM_WARPS");
  return number->isParameter ? "32 * " + number->name : std::to_string(32 * number->values.front());
}

// Its parameters are those of the group's that its members use.
std::string KernelGroup::smemType() const {
  std::string list;
  for (const GroupNumber &number : numbers)
    if (number.isParameter && mentions(text().sharedMembers, number.name))
      list += (list.empty() ? "" : ", ") + number.name;
  return smem + (list.empty() ? "" : "<" + list + ">");
}

namespace {

void replaceWord(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = findWord(text, from); at != std::string::npos;
       at = findWord(text, from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Functors of one text are defined once in a file; different ones of one name get a number.
void uniteFunctors(std::vector<KernelGroup> &groups) {
  std::map<std::string, std::string> known;  // name -> text
  for (KernelGroup &group : groups) {
    KernelText &text = group.instances.front().text;
    for (const Functor &functor : text.functors) {
      std::string name = functor.name;
      auto it = known.find(name);
      if (it != known.end() && it->second == functor.text) continue;
      for (int i = 2; it != known.end() && it->second != functor.text; ++i) {
        name = functor.name + std::to_string(i);
        it = known.find(name);
      }
      if (name != functor.name) {
        replaceWord(text.body, functor.name, name);
        replaceWord(text.sharedMembers, functor.name, name);
      }
      if (it != known.end()) continue;
      known[name] = functor.text;
      group.functorText += functor.comment + "struct " + name + functor.text + "\n";
    }
  }
}

}  // namespace

namespace {

KernelInstance instantiate(Kernel *kernel, const EmitOptions &options) {
  KernelInstance instance;
  instance.kernel = kernel;
  instance.text = KernelEmitter(*kernel, {options.preciseMath, {}}).run();
  instance.sharedBytes = sharedBytes(*kernel);
  bool heavy = elementsPerThread(*kernel) >= 64 || widestAccess(*kernel) == 1;
  instance.residentThreads = kernel->options.residentThreads ? kernel->options.residentThreads
                             : heavy                         ? 512
                                                             : 1024;
  return instance;
}

// A loop that runs once in all kernels of the group is written as what it does.
void dropUnitLoops(KernelGroup &group, const EmitOptions &options) {
  std::set<std::string> unit;
  const std::vector<Constant> &constants = group.text().constants;
  for (size_t i = 0; i < constants.size(); ++i)
    if (constants[i].isLoop &&
        std::all_of(group.instances.begin(), group.instances.end(),
                    [&](const KernelInstance &each) { return each.text.constants[i].value == 1; }))
      unit.insert(constants[i].name);
  if (unit.empty()) return;
  for (KernelInstance &instance : group.instances)
    instance.text = KernelEmitter(*instance.kernel, {options.preciseMath, unit}).run();
}

// A small tile may be moved element by element either way: then the facts decide nothing, and one kernel is enough.
void dropEqualVariants(std::vector<KernelInstance> &instances) {
  auto numbers = [](const KernelInstance &instance) {
    std::vector<int64_t> values{instance.residentThreads};
    for (const Constant &constant : instance.text.constants) values.push_back(constant.value);
    return values;
  };
  std::set<const Kernel *> dropped;
  for (KernelInstance &instance : instances) {
    Kernel *kernel = instance.kernel;
    if (!kernel->scalarVariant) continue;
    auto variant = std::find_if(
        instances.begin(), instances.end(),
        [&](const KernelInstance &other) { return other.kernel == kernel->scalarVariant; });
    if (identity(instance) != identity(*variant) || numbers(instance) != numbers(*variant))
      continue;
    dropped.insert(kernel->scalarVariant);
    kernel->scalarVariant = nullptr;
    kernel->facts.divisibility.clear();
  }
  std::erase_if(instances, [&](const KernelInstance &instance) {
    return dropped.count(instance.kernel) != 0;
  });
}

}  // namespace

std::vector<KernelGroup> groupKernels(Module &module, const EmitOptions &options) {
  std::vector<Kernel *> kernels;
  auto add = [&](Kernel *kernel) {
    if (kernel && std::find(kernels.begin(), kernels.end(), kernel) == kernels.end())
      kernels.push_back(kernel);
  };
  for (const Launcher &launcher : module.launchers) {
    for (Kernel *kernel : launcher.candidates) add(kernel);
    for (Kernel *kernel : launcher.candidates) add(kernel->scalarVariant);
  }
  std::vector<KernelInstance> instances;
  instances.reserve(kernels.size());
  for (Kernel *kernel : kernels) instances.push_back(instantiate(kernel, options));
  dropEqualVariants(instances);
  std::vector<KernelGroup> groups;
  std::vector<std::string> keys;
  std::set<const Kernel *> scalar;
  for (KernelInstance &instance : instances)
    if (instance.kernel->scalarVariant) scalar.insert(instance.kernel->scalarVariant);
  for (KernelInstance &instance : instances) {
    std::string key = identity(instance);
    size_t at = std::find(keys.begin(), keys.end(), key) - keys.begin();
    if (at == keys.size()) {
      keys.push_back(key);
      groups.emplace_back();
    }
    groups[at].instances.push_back(std::move(instance));
  }
  for (KernelGroup &group : groups) dropUnitLoops(group, options);
  uniteFunctors(groups);
  // Names: the tile function's, and what tells apart several texts of one function.
  std::set<std::string> taken;
  for (KernelGroup &group : groups) {
    const Kernel &kernel = group.first();
    bool alone = std::count_if(groups.begin(), groups.end(), [&](const KernelGroup &other) {
                   return other.first().name == kernel.name;
                 }) == 1;
    std::string name = kernel.name;
    if (!alone && kernel.packed()) name += "_warp";
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
    collectNumbers(group);
  }
  return groups;
}

// ---- the kernel's text

namespace {

std::string factsText(const Kernel &kernel) {
  std::map<int64_t, std::string> aligned;
  std::string divisible;
  for (auto &[index, divisor] : kernel.facts.divisibility) {
    const Parameter &parameter = kernel.parameters[index];
    if (parameter.type.isPointer())
      aligned[divisor] += (aligned[divisor].empty() ? "" : ", ") + parameter.name;
    else
      divisible += (divisible.empty() ? "" : ", ") + parameter.name + " % " +
                   std::to_string(divisor) + " == 0";
  }
  std::string text;
  for (auto &[bytes, names] : aligned)
    text += (text.empty() ? "" : "; ") + names + " aligned to " + std::to_string(bytes) + " bytes";
  if (!divisible.empty()) text += (text.empty() ? "" : "; ") + divisible;
  return text;
}

// Where a variant of the group is taken, if they differ in that.
// A line of the contract comment. A long one is broken behind commas here: clang-format would run it into the lines that follow.
std::string contractLine(std::string start, llvm::StringRef rest,
                         const char *next = "//           ") {
  std::string text;
  while (start.size() + rest.size() > 100) {
    size_t comma = rest.substr(0, 100 - start.size()).rfind(", ");
    if (comma == llvm::StringRef::npos) comma = rest.find(", ");
    if (comma == llvm::StringRef::npos) break;
    text += start + rest.substr(0, comma + 1).str() + "\n";
    start = next;
    rest = rest.substr(comma + 2);
  }
  return text + start + rest.str() + "\n";
}

// How the kernel's matrix products are done: mma_m16n8k16_f16, x and y copied STAGES - 1 steps ahead.
std::string productsText(Kernel &kernel) {
  std::set<std::string> instructions;
  walk(kernel.body, [&](Op *op) {
    if (op->kind == OpKind::DotShared)
      instructions.insert(op->getString("precision") == "tf32x3" ? "three " + op->getString("mma")
                          : op->has("mma")                       ? op->getString("mma")
                                                                 : "multiply-adds");
  });
  std::string text = llvm::join(instructions, ", "), copied;
  for (const SharedBuffer &buffer : kernel.shared)
    if (buffer.stages > 1) copied += (copied.empty() ? "" : ", ") + buffer.name;
  return copied.empty() ? text : text + "; " + copied + " copied STAGES - 1 steps ahead";
}

std::string variants(const KernelGroup &group) {
  std::set<std::string> facts;
  bool scalar = false;
  for (const KernelInstance &instance : group.instances) {
    std::string text = factsText(*instance.kernel);
    if (text.empty())
      scalar = true;
    else
      facts.insert(text);
  }
  std::string text;
  for (const std::string &fact : facts)
    text += contractLine(scalar ? "//   VEC > 1 needs " : "//   needs   ", fact);
  if (!facts.empty() && scalar) text += "//   VEC = 1 takes any pointers and sizes\n";
  return text;
}

// The comment that says what a caller and a reader can rely on.
std::string contract(const KernelGroup &group, const EmitOptions &options) {
  const Kernel &kernel = group.first();
  std::string text = "// ---- " + group.name + " ";
  text += std::string(text.size() < 98 ? 98 - text.size() : 1, '-') + "\n";
  text += "// From " + options.sourceName + ":" + std::to_string(kernel.loc.line) + " `" +
          kernel.name + "`.\n";
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
  const Op *programs = kernel.grid();
  const bool persistent = programs && programs->getBool("persistent");
  if (programs)
    for (Value *extent : programs->operands())
      if (extent) grid += (grid.empty() ? "" : " x ") + gridText(extent, kernel);
  if (persistent)
    text += "//   grid    the blocks that the device runs at a time, at most one for each of " +
            grid +
            (kernel.packed() ? "\n//           items by PROGRAMS_PER_BLOCK warps\n" : " items\n");
  else if (kernel.packed())
    text +=
        "//   grid    " + grid + " programs, one for each warp, PROGRAMS_PER_BLOCK to a block\n";
  else if (!grid.empty() && !persistent)
    text += "//   grid    " + grid + " blocks, one for each program\n";
  else
    text += "//   grid    the caller's\n";
  bool varies =
      std::any_of(group.instances.begin(), group.instances.end(), [&](const KernelInstance &i) {
        return i.kernel->options.numWarps != kernel.options.numWarps;
      });
  int64_t warps = kernel.packed() ? kernel.programsPerBlock : kernel.options.numWarps;
  if (varies && !kernel.packed())
    text += "//   block   NUM_WARPS warps\n";
  else
    text += "//   block   " + std::to_string(32 * warps) + " threads = " + std::to_string(warps) +
            (warps == 1 ? " warp\n" : " warps\n");
  for (size_t i = 0; i < group.text().layouts.size(); ++i) {
    text += contractLine(i ? "//           " : "//   tiles   ", group.text().layouts[i],
                         "//             ");
  }
  if (!group.smem.empty()) {
    std::string bytes = std::to_string(group.instances.front().sharedBytes);
    bool same =
        std::all_of(group.instances.begin(), group.instances.end(), [&](const KernelInstance &i) {
          return i.sharedBytes == group.instances.front().sharedBytes;
        });
    text += "//   shared  " + (same ? bytes + " bytes" : "sizeof(" + group.smemType() + ")") + "\n";
  }
  if (std::string products = productsText(*group.instances.front().kernel); !products.empty())
    text += contractLine("//   dot     ", products);
  std::string conditions;
  for (auto &op : kernel.body.ops)
    if (op->kind == OpKind::Require)
      conditions += (conditions.empty() ? "" : ", ") + hostExpr(op->operand(0), kernel).text;
  if (!conditions.empty() && !group.isTemplate()) text += contractLine("//   needs   ", conditions);
  text += variants(group);
  text +=
      std::string("//   math    ") +
      (options.preciseMath ? "IEEE"
                           : "fast: approximate division, exp, log, sqrt (--math=precise: IEEE)") +
      "\n";
  return text;
}

}  // namespace

std::string kernelText(const KernelGroup &group, const Module &, const EmitOptions &options) {
  Kernel &kernel = group.first();
  const KernelText &body = group.text();
  bool packed = kernel.packed();
  std::string text = contract(group, options) + "\n" + group.functorText;

  const std::string code = withoutComments(body.body);
  // The numbers that the text needs: those in it, and what they are derived from.
  std::string all = code + body.sharedMembers, constants;
  std::set<std::string> used;
  for (size_t i = group.numbers.size(); i-- > 0;) {
    const GroupNumber &number = group.numbers[i];  // derived after those that it is derived from
    if (!mentions(all, number.name)) continue;
    used.insert(number.name);
    all += " " + number.derivation;
  }
  for (const GroupNumber &number : group.numbers) {
    if (number.isParameter || used.count(number.name) == 0) continue;
    constants +=
        "constexpr int " + number.name + " = " +
        (number.derivation.empty() ? std::to_string(number.values.front()) : number.derivation) +
        ";" + (number.comment.empty() ? "" : "  // " + number.comment) + "\n";
  }

  if (!group.smem.empty()) {
    text += "// Shared memory of one " + std::string(packed ? "program" : "block") + ".\n";
    std::string parameters, fixed;
    for (const GroupNumber &number : group.numbers) {
      if (!mentions(body.sharedMembers, number.name)) continue;
      if (number.isParameter)
        parameters += (parameters.empty() ? "int " : ", int ") + number.name;
      else
        fixed += "static constexpr int " + number.name + " = " +
                 std::to_string(number.values.front()) + ";\n";
    }
    if (!parameters.empty()) text += "template <" + parameters + ">\n";
    text += "struct " + group.smem + " {\n" + fixed + body.sharedMembers + "};\n\n";
  }

  // Tensor cores want registers, not many threads.
  bool dots = hasDot(kernel) && !kernel.options.residentThreads;
  std::string blocks =
      kernel.options.minBlocks ? ", " + std::to_string(kernel.options.minBlocks)
      : dots                   ? ""
             : ", tile2cu::resident_blocks(" + group.threads() + ", " + group.resident + ")";
  std::string parameters = parameterList(kernel, true);
  if (group.takesNumSms())
    parameters += (parameters.empty() ? "" : ", ") + std::string("int num_sms");
  text += group.templateHead() + "static __global__ void __launch_bounds__(" + group.threads() +
          blocks + ")\n" + group.name + "(" + parameters + ") {\n" + constants;
  bool usesTid = mentions(code, "tid"), usesLane = mentions(code, "lane");
  bool usesWarp = mentions(code, "warp") || (packed && !group.smem.empty());
  if (usesTid) text += "const int tid = threadIdx.x;\n";
  if (usesLane) text += "const int lane = threadIdx.x % 32;\n";
  if (usesWarp) text += "const int warp = threadIdx.x / 32;\n";
  if (!group.smem.empty())
    text += "auto& smem = " + std::string(packed ? "reinterpret_cast<" : "*reinterpret_cast<") +
            group.smemType() + "*>(dynamic_smem)" + (packed ? "[warp]" : "") + ";\n";
  return text + body.body + "}\n\n";
}

}  // namespace tile2cu::emit
