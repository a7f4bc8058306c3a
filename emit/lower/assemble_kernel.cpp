// The text of one kernel: contract comment, numbers, shared memory, combine functions, the function itself, and if a warp of its own
// copies, one function for each role.
#include <set>

#include "emit/cuda/format.h"
#include "emit/cuda/parameter_names.h"
#include "emit/cuda/printer.h"
#include "emit/cuda/symbols.h"
#include "emit/cuda/text_lines.h"
#include "emit/cuda/text_words.h"
#include "emit/host/host_expr.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/transform/merge_kernels.h"
#include "emit/transform/outline_functions.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/analysis/value/cluster.h"
#include "passes/ir/walk.h"
#include "passes/target/mma_instructions.h"
#include "passes/target/occupancy.h"
#include "passes/target/tunables.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

std::string factsText(const Kernel &kernel) {
  std::map<int64_t, std::string> aligned;
  std::string divisible;
  const std::vector<Parameter> parameters = parametersOf(kernel);
  for (auto &[index, divisor] : kernel.facts.divisibility) {
    const Parameter &parameter = parameters[index];
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
    const llvm::StringRef fitting = rest.substr(0, 100 - start.size());
    size_t space = fitting.rfind(", ");
    space = space == llvm::StringRef::npos ? fitting.rfind(' ') : space + 1;
    if (space == llvm::StringRef::npos) space = rest.find(' ');
    if (space == llvm::StringRef::npos) break;
    text += start + rest.substr(0, space).str() + "\n";
    start = next;
    rest = rest.substr(space + 1);
  }
  return text + start + rest.str() + "\n";
}

// How the kernel's matrix products are done: mma_m16n8k16_f16, x and y copied STAGES - 1 steps ahead.
std::string productsText(const Kernel &kernel) {
  std::set<std::string> instructions;
  walk(kernel.body, [&](const Op *op) {
    if (op->has(Attr::group_columns))
      instructions.insert(passes::groupHelper(*passes::mmaShape(op->getString(Attr::mma)),
                                              op->getInt(Attr::group_columns)));
    else if (op->kind == OpKind::DotShared)
      instructions.insert(op->get(Attr::precision) == Precision::Tf32x3
                              ? "three " + op->getString(Attr::mma)
                          : op->has(Attr::mma) ? op->getString(Attr::mma)
                                               : "multiply-adds");
  });
  std::string text = llvm::join(instructions, ", "), copied;
  for (const SharedRing &ring : kernel.rings)
    for (int64_t i : ring.buffers) copied += (copied.empty() ? "" : ", ") + kernel.shared[i].name;
  if (!copied.empty()) return text + "; " + copied + " brought by TMA, by a warp of its own";
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
  const bool persistent = programs && programs->getBool(Attr::persistent);
  if (programs)
    for (Value *extent : programs->operands())
      if (extent) grid += (grid.empty() ? "" : " x ") + gridText(extent, kernel);
  if (persistent)
    text +=
        contractLine("//   grid    ",
                     "the blocks that the device runs at a time, at most one for each of " + grid +
                         " items" + (kernel.packed() ? " by PROGRAMS_PER_BLOCK warps" : ""));
  else if (kernel.packed())
    text += contractLine("//   grid    ",
                         grid + " programs, one for each warp, PROGRAMS_PER_BLOCK to a block");
  else if (!grid.empty() && !persistent)
    text += contractLine("//   grid    ", grid + " blocks, one for each program");
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
            (warps == 1 ? " warp" : " warps") +
            (kernel.producer ? ", and a warpgroup that copies\n" : "\n");
  if (passes::comesInPairs(kernel))
    text +=
        "//   cluster BLOCKS: 2, which copy for each other, if the launcher finds that it pays\n";
  if (kernel.forHopper)
    text +=
        "//   device  Hopper, if the file is compiled for sm_90a (-gencode "
        "arch=compute_90a,code=sm_90a)\n";
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
      conditions += (conditions.empty() ? "" : ", ") + hostExpr(op->operand(0), kernel).str();
  if (!conditions.empty() && !group.isTemplate()) text += contractLine("//   needs   ", conditions);
  text += variants(group);
  text +=
      std::string("//   math    ") +
      (options.preciseMath ? "IEEE"
                           : "fast: approximate division, exp, log, sqrt (--math=precise: IEEE)") +
      "\n";
  return text;
}

// constexpr int BLOCK_M = 128; ... : the numbers that `code` needs, and those they are derived from, but not what `known` mentions.
std::string constantsFor(const KernelGroup &group, const std::string &code,
                         const std::string &known = "") {
  std::string all = code, text;
  std::set<std::string> used;
  for (size_t i = group.numbers.size(); i-- > 0;) {
    const GroupNumber &number = group.numbers[i];  // derived after those that it is derived from
    if (!mentions(all, number.name) || mentions(known, number.name)) continue;
    used.insert(number.name);
    all += " " + number.derivation;
  }
  std::set<std::string> said;  // of MMA_COLUMNS, and so not of MMA_COLUMNS_2
  for (const GroupNumber &number : group.numbers) {
    if (number.isParameter || used.count(number.name) == 0) continue;
    const bool isNew = !number.comment.empty() && said.insert(number.comment).second;
    text +=
        "constexpr int " + number.name + " = " +
        (number.derivation.empty() ? std::to_string(number.values.front()) : number.derivation) +
        ";" + (isNew ? "  // " + number.comment : "") + "\n";
  }
  return text;
}

// Warpgroups describe their operands by the warp's number: known to be the same in all lanes, the words for that are computed
// once for a warp and not in registers of each thread.
std::string threadVariables(const std::string &code, bool needsWarp, bool declaresWarp = true) {
  const bool isGroup = code.find("tile2cu::wgmma_") != std::string::npos;
  std::string text;
  if (mentions(code, "tid")) text += "const int tid = threadIdx.x;\n";
  if (mentions(code, "lane")) text += "const int lane = threadIdx.x % 32;\n";
  if (declaresWarp && (needsWarp || mentions(code, "warp")))
    text += isGroup ? "const int warp = tile2cu::warp_broadcast(threadIdx.x / 32, 0);  // known to "
                      "be one for all lanes\n"
                    : "const int warp = threadIdx.x / 32;\n";
  return text;
}

std::string sharedStruct(const KernelGroup &group, const std::string &name) {
  const Stmts &members = group.text().sharedMembers;
  const NameSet names = namesIn(members);
  std::string parameters, fixed;
  for (const GroupNumber &number : group.numbers) {
    if (!names.contains(number.name)) continue;
    if (number.isParameter)
      parameters += (parameters.empty() ? "int " : ", int ") + number.name;
    else
      fixed += "static constexpr int " + number.name + " = " +
               std::to_string(number.values.front()) + ";\n";
  }
  return "// Shared memory of one " + std::string(group.first().packed() ? "program" : "block") +
         ".\n" + (parameters.empty() ? "" : "template <" + parameters + ">\n") + "struct " + name +
         " {\n" + fixed + textOf(members) + "};\n\n";
}

// What a text without its name is known by: kernels of one tile function share what they have in common.
std::string keyOf(const Kernel &kernel, const std::string &anonymous) {
  return kernel.nameSpace + "::" + kernel.name + ":" + anonymous;
}

// A device function beside the kernel: what it is, and its call up to the closing parenthesis. It is not `isNew` if another kernel
// of the same tile function has it already.
struct Function {
  std::string name, body, definition, call;
  bool isNew = true;
};

// Words of a text that no parameter is meant by.
std::string withoutMajors(std::string code) {
  for (const char *word : {"tile2cu::major::k", "tile2cu::major::mn"})
    for (size_t at; (at = code.find(word)) != std::string::npos;)
      code.erase(at, std::char_traits<char>::length(word));
  return code;
}

// template <int VEC, int ROWS>: the parameters of the group, and the constants that `parameters` mentions, which are deduced.
std::string templateHead(const KernelGroup &group, std::string text,
                         const std::string &parameters) {
  std::vector<std::string> deduced;
  for (const GroupNumber &number : group.numbers)
    if (!number.isParameter && mentions(parameters, number.name)) deduced.push_back(number.name);
  llvm::sort(deduced);  // the same for all kernels
  for (const std::string &name : deduced) {
    if (!text.empty()) text.resize(text.rfind('>'));
    text += (text.empty() ? "template <int " : ", int ") + name + ">\n";
  }
  return text;
}

// Whether a function of a part may mean something else by this name: a parameter, a constant, what C++ and CUDA call so.
bool isKnownName(const KernelGroup &group, const std::string &name) {
  const Kernel &kernel = group.first();
  return !Names().reserve(name) ||
         llvm::any_of(parametersOf(kernel),
                      [&](const Parameter &each) { return each.name == name; }) ||
         llvm::any_of(group.numbers, [&](const GroupNumber &each) { return each.name == name; }) ||
         llvm::any_of(tensorMaps(kernel),
                      [&](const Op *map) { return map->result()->name == name; });
}

// Whether something has a member of this name: smem.partial_2.
bool isMember(const std::string &text, const std::string &name) {
  for (size_t at = findWord(text, name); at != std::string::npos; at = findWord(text, name, at + 1))
    if (at > 0 && text[at - 1] == '.') return true;
  return false;
}

// The part with its variables called as if nothing had been declared before them: stage_2 is stage, if no other is. Functions that
// differ in these numbers alone are one.
Part withoutNumbers(const KernelGroup &group, Part part) {
  for (Local &local : part.locals) {
    const std::string plain = withoutNumber(local.name),
                      others = withoutComments(part.body) + part.parameters;
    const bool isTaken = plain == local.name || isKnownName(group, plain) ||
                         mentions(others, plain) || isMember(others, local.name) ||
                         llvm::any_of(part.locals, [&](const Local &each) {
                           return mentions(each.parameter, plain);
                         });
    if (isTaken) continue;
    replaceWord(part.body, local.name, plain);
    replaceWord(part.comment, local.name, plain);
    replaceWord(local.parameter, local.name, plain);
  }
  return part;
}

// A function with the parameters that the part's text uses. A role has all of the kernel's pointers to itself; other parts see what
// was made of them before, so that theirs are not the only ones to what they point to.
Function function(const KernelGroup &group, const Part &numbered, bool isRole, bool takesSmem,
                  bool takesWarp, KnownNames &known) {
  const Kernel &kernel = group.first();
  const Part part = withoutNumbers(group, numbered);
  const std::string code = withoutMajors(withoutComments(part.body));
  std::string parameters, arguments;
  auto add = [&](const std::string &parameter, const std::string &argument) {
    parameters += (parameters.empty() ? "" : ", ") + parameter;
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  if (takesSmem) add(group.smemType() + "& smem", "smem");
  for (const Parameter &parameter : parametersOf(kernel))
    if (mentions(code, parameter.name))
      add(cppType(parameter.type.element()) +
              (isRole && parameter.isRestrict ? " __restrict__ " : " ") + parameter.name,
          parameter.name);
  for (const Op *map : tensorMaps(kernel))
    if (const std::string &of = map->result()->name; mentions(code, of))
      add("const CUtensorMap& " + of, of);
  if (group.takesNumSms() && mentions(code, "num_sms")) add("int num_sms", "num_sms");
  if (takesWarp) add("int warp", "warp");
  for (const Local &local : part.locals) add(local.parameter, local.name);
  if (!part.parameters.empty()) parameters += (parameters.empty() ? "" : ", ") + part.parameters;
  std::string head = group.templateHead(), names = group.templateNames();
  if (passes::comesInPairs(kernel) && mentions(code, "BLOCKS")) addBlocks(head, names);
  head = templateHead(group, head, parameters);
  const std::string variables =
      constantsFor(group, code, parameters) + threadVariables(code, false, !takesWarp);
  const bool isComment = part.body.rfind("//", 0) == 0;
  const std::string before = part.comment + head + "static __device__ __forceinline__ void ";
  const std::string behind = "(" + parameters + ") {\n" + variables +
                             (isComment && !variables.empty() ? "\n" : "") + part.body + "}\n\n";
  std::vector<std::string> statements = splitLines(withoutComments(before + behind));
  llvm::erase(statements, "");
  std::string base = group.name.substr(0, group.name.size() - 6) + part.name;
  if (llvm::any_of(parametersOf(kernel), [&](const Parameter &each) { return each.name == base; }))
    base += "_part";
  const auto [entry, isNew] = known.try_emplace(keyOf(kernel, joinLines(statements)), base);
  const std::string &name = entry->second;
  return {name, part.body, before + name + behind, name + names + "(" + arguments, isNew};
}

// Functions in the order in which `code` calls them; what one calls itself stands before it.
std::vector<const Function *> inOrderOfCalls(llvm::ArrayRef<Function> functions,
                                             const std::string &code) {
  std::vector<const Function *> ordered;
  auto add = [&](auto &self, const std::string &text) -> void {
    std::vector<std::pair<size_t, const Function *>> called;
    for (const Function &each : functions)
      if (const size_t at = findWord(text, each.name); at != std::string::npos)
        called.push_back({at, &each});
    llvm::sort(called, llvm::less_first());
    for (const auto &[at, each] : called) {
      if (llvm::is_contained(ordered, each)) continue;
      self(self, each->body);
      ordered.push_back(each);
    }
  };
  add(add, code);
  return ordered;
}

// The body of a kernel whose warps have two roles.
std::string rolesBody(const KernelGroup &group, const Function &consumer,
                      const Function &producer) {
  const std::string threads = group.threads();
  const int groups = group.first().options.numWarps / 4;
  const bool paired = passes::comesInPairs(group.first());
  std::string text;
  for (const Op *map : tensorMaps(group.first()))
    text += "tile2cu::tma_prefetch_map(" + map->result()->name + ");\n";
  text =
      "if (threadIdx.x == 0) {\n" + text + textOf(group.text().ringStart) +
      "tile2cu::barrier_init_fence();\n}\n" +
      (paired
           ? "tile2cu::cluster_sync<BLOCKS>();  // the barriers are there for all, of both blocks\n"
           : "__syncthreads();  // the barriers are there for all\n") +
      "tile2cu::wait_for_grid_before();  // until here this kernel runs beside the one before it\n"
      "tile2cu::start_grid_behind();     // and the one behind it may begin as much\n\n";
  std::string acquire, release;
  // One warpgroup that computes has what it wants already, unless blocks share the registers.
  if (groups > 1 || group.first().options.minBlocks > 1) {
    acquire = "tile2cu::registers_acquire<" +
              std::to_string(passes::consumerRegisters(group.first())) + ">();\n";
    release = "tile2cu::registers_release<24>();\n";
  }
  return text + "if (threadIdx.x < " + threads + ") {\n" + acquire + consumer.call +
         ");\n} else {\n" + release + "if (threadIdx.x == " + threads + ") " + producer.call +
         ");\n}\n";
}

// __launch_bounds__(256, 2)
std::string launchBounds(const KernelGroup &group) {
  const Kernel &kernel = group.first();
  const std::string blocks =
      kernel.options.minBlocks ? ", " + std::to_string(kernel.options.minBlocks)
      : kernel.producer        ? ", 1"
      : kernel.options.residentThreads
          ? ", tile2cu::resident_blocks(" + group.threads() + ", " + group.resident + ")"
          : "";
  return "__launch_bounds__(" + group.blockThreads() + blocks + ")";
}

// static __global__ void matmul_kernel(...) { <its numbers, and `code`> }
std::string globalFunction(const KernelGroup &group, const std::string &code) {
  const Kernel &kernel = group.first();
  std::string parameters = parameterList(kernel, true);
  auto addParameter = [&](const std::string &parameter) {
    parameters += (parameters.empty() ? "" : ", ") + parameter;
  };
  if (group.takesNumSms()) addParameter("int num_sms");
  for (const Op *map : tensorMaps(kernel))
    addParameter("const __grid_constant__ CUtensorMap " + map->result()->name);
  const std::string bare = withoutComments(code);
  std::string head = group.templateHead(), names;
  if (passes::comesInPairs(kernel)) addBlocks(head, names);
  const bool packed = kernel.packed();
  std::string text = head + "static __global__ void " + launchBounds(group) + "\n" + group.name +
                     "(" + parameters + ") {\n" + constantsFor(group, bare) +
                     threadVariables(bare, packed && !group.smem.empty());
  if (!group.smem.empty())
    text += "auto& smem = " + std::string(packed ? "reinterpret_cast<" : "*reinterpret_cast<") +
            group.smemType() + "*>(dynamic_smem)" + (packed ? "[warp]" : "") + ";\n";
  return text + code + "}\n";
}

// About what the function of a role will be, before its parts are known.
std::string roleSketch(const KernelGroup &group, const std::string &code) {
  const std::string bare = withoutComments(code);
  return "static __device__ __forceinline__ void " + group.name + "(" + group.smemType() +
         "& smem, " + parameterList(group.first(), true) + ") {\n" + constantsFor(group, bare) +
         threadVariables(bare, false) + code + "}\n";
}

}  // namespace

std::string kernelText(KernelGroup &group, KnownNames &known, const EmitOptions &options) {
  const Kernel &kernel = group.first();
  const KernelText &body = group.text();
  std::string text = contract(group, options) + "\n" + group.functorText;
  if (!group.smem.empty()) {
    const auto [entry, isNew] =
        known.try_emplace(keyOf(kernel, sharedStruct(group, "")), group.smem);
    group.smem = entry->second;
    (isNew ? text : group.printedBefore) += sharedStruct(group, group.smem);
  }

  // The statements of a function, if they are too many with some of them in functions of their own.
  auto inParts = [&](const std::string &statements) {
    const std::string all = withoutComments(statements);
    const bool isGroup = all.find("tile2cu::wgmma_") != std::string::npos;
    const size_t signature = 2 + (parameterList(kernel, true).size() + 20) / 80;
    const size_t above = signature + (group.smem.empty() ? 1 : 2) +
                         countLines(constantsFor(group, all)) +
                         countLines(threadVariables(all, false));
    std::vector<Function> parts;
    auto isTooLong = [&](const std::string &rest) {
      const std::string whole =
          kernel.producer ? roleSketch(group, rest) : globalFunction(group, rest);
      const size_t most = passes::tunables().formatted_function_lines;
      return fewestFormattedLines(whole) > most || splitLines(formatCuda(whole)).size() > most;
    };
    auto define = [&](const Part &part) {
      const std::string own = withoutComments(part.body);
      parts.push_back(function(group, part, false, mentions(own, "smem"),
                               isGroup && mentions(own, "warp"), known));
      return parts.back().call;
    };
    const std::string rest =
        outline(statements, above, passes::tunables().function_lines, isTooLong, define);
    for (const Function *part : inOrderOfCalls(parts, rest))
      (part->isNew ? text : group.printedBefore) += part->definition;
    return rest;
  };
  std::string code;
  if (kernel.producer) {
    auto role = [&](const char *name, const char *comment, const std::string &statements) {
      const std::string rest = inParts(statements);
      return function(group, {name, std::string("// ") + comment + "\n", "", rest, {}}, true, true,
                      false, known);
    };
    const Function producer =
        role("producer", "One thread, which fills the rings of stages ahead of the others.",
             textOf(body.producer));
    const Function consumer = role("consumer", "The warps that compute.", textOf(body.body));
    for (const Function *each : {&producer, &consumer})
      (each->isNew ? text : group.printedBefore) += each->definition;
    code = rolesBody(group, consumer, producer);
  } else {
    code = inParts(textOf(body.body));
  }
  return text + globalFunction(group, code) + "\n";
}

}  // namespace tile2cu::emit
