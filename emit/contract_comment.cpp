// The comment above a kernel: what a caller and a reader can rely on.
#include "emit/contract_comment.h"

#include <algorithm>
#include <map>
#include <set>

#include "emit/lower/shared_memory.h"
#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/host_expr.h"
#include "emit/spelling/parameter_names.h"
#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/analysis/value/cluster.h"
#include "passes/ir/walk.h"
#include "passes/target/mma_instructions.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

std::string assumptionsText(const Kernel &kernel) {
  std::map<int64_t, std::string> aligned;
  std::string divisible;
  const std::vector<Parameter> parameters = launchParametersOf(kernel);
  for (auto &[index, divisor] : kernel.assumptions.divisibility) {
    const Parameter &parameter = parameters[index];
    if (parameter.type.isPointer())
      aligned[divisor] += (aligned[divisor].empty() ? "" : ", ") + parameter.name;
    else
      divisible +=
          fmt::format("{}{} % {} == 0", divisible.empty() ? "" : ", ", parameter.name, divisor);
  }
  std::string text;
  for (unsigned index : kernel.assumptions.ones)
    text += fmt::format("{}{} == 1", text.empty() ? "" : ", ", parameters[index].name);
  for (auto &[bytes, names] : aligned)
    text += fmt::format("{}{} aligned to {} bytes", text.empty() ? "" : "; ", names, bytes);
  if (!divisible.empty()) text += (text.empty() ? "" : "; ") + divisible;
  return text;
}

// The width of a row without the slashes before it.
constexpr size_t kWidth = 97;

// A row of the contract comment. A long one is broken after commas here: clang-format would run it
// into the rows that follow.
std::string contractLine(std::string start, llvm::StringRef rest, const char *next = "          ") {
  std::string text;
  while (start.size() + rest.size() > kWidth) {
    const llvm::StringRef fitting = rest.substr(0, kWidth - start.size());
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

// How the kernel's dots are computed: mma_m16n8k16_f16, x and y prefetched STAGES - 1
// iterations ahead.
std::string dotText(const Kernel &kernel) {
  std::set<std::string> instructions;
  walk(kernel.body, [&](const Op *op) {
    if (op->has(Attr::group_columns))
      instructions.insert(passes::groupHelper(passes::mmaShape(*op->get(Attr::mma)),
                                              op->getInt(Attr::group_columns)));
    else if (op->kind == OpKind::DotShared)
      instructions.insert(op->get(Attr::precision) == Precision::Tf32x3
                              ? "three " + passes::mmaShape(*op->get(Attr::mma)).helper()
                          : op->has(Attr::mma) ? passes::mmaShape(*op->get(Attr::mma)).helper()
                                               : "multiply-adds");
  });
  std::string text = llvm::join(instructions, ", "), copied;
  const std::vector<std::string> members = sharedMemberNames(kernel);
  for (const SharedRing &ring : kernel.rings)
    for (int64_t i : ring.buffers) copied += (copied.empty() ? "" : ", ") + members[i];
  if (!copied.empty()) return fmt::format("{}; {} loaded by TMA, by a producer warp", text, copied);
  for (size_t i = 0; i < members.size(); ++i)
    if (kernel.shared[i].stages > 1) copied += (copied.empty() ? "" : ", ") + members[i];
  if (copied.empty()) return text;
  return fmt::format("{}; {} prefetched STAGES - 1 iterations ahead", text, copied);
}

std::string variants(const KernelGroup &group) {
  std::set<std::string> assumptions;
  bool scalar = false;
  for (const KernelInstance &instance : group.instances) {
    std::string text = assumptionsText(*instance.kernel);
    if (text.empty())
      scalar = true;
    else
      assumptions.insert(text);
  }
  std::string text;
  for (const std::string &each : assumptions)
    text += contractLine(scalar ? "  VEC > 1 needs " : "  needs   ", each);
  if (!assumptions.empty() && scalar) text += "  VEC = 1 takes any pointers and sizes\n";
  return text;
}

std::string gridLine(const Kernel &kernel) {
  std::string grid;
  const Op *programs = kernel.grid();
  if (programs)
    for (Value *extent : programs->operands())
      if (extent) grid += (grid.empty() ? "" : " x ") + readableText(extent, kernel);
  if (programs && programs->getBool(Attr::persistent))
    return contractLine(
        "  grid    ",
        fmt::format("the blocks that the device runs at a time, at most one for each of {} items{}",
                    grid, kernel.packed() ? " by PROGRAMS_PER_BLOCK warps" : ""));
  if (kernel.packed())
    return contractLine("  grid    ",
                        grid + " programs, one for each warp, PROGRAMS_PER_BLOCK to a block");
  if (grid.empty()) return "  grid    the caller's\n";
  return contractLine("  grid    ", grid + " blocks, one for each program");
}

// Which of the kernel's float operations --math changes; empty: none.
std::string mathLine(const Kernel &kernel, bool isPrecise) {
  std::set<std::string> approximate;
  bool hasProducts = false;  // may be contracted to an fma
  walk(kernel.body, [&](const Op *op) {
    if (const llvm::StringRef what = approximatedBy(op); !what.empty())
      approximate.insert(what.str());
    hasProducts |= op->kind == OpKind::Mul && isFloat(op->result()->type.scalar());
  });
  if (isPrecise) return hasProducts || !approximate.empty() ? "  math    IEEE\n" : "";
  if (approximate.empty()) return "";
  return contractLine("  math    ", fmt::format("fast: approximate {} (--math=precise: IEEE)",
                                                llvm::join(approximate, ", ")));
}

// The threads of a block.
std::string blockLine(const KernelGroup &group) {
  const Kernel &kernel = group.first();
  const bool isPacked = kernel.packed();
  const GroupNumber *warpsNumber =
      group.find(isPacked ? Symbol("PROGRAMS_PER_BLOCK") : Symbol("NUM_WARPS"));
  if (warpsNumber && warpsNumber->isParameter)
    return fmt::format("  block   {} warps\n", warpsNumber->name.wanted().str());
  const int64_t warps = isPacked ? kernel.programsPerBlock : kernel.options.numWarps;
  return fmt::format("  block   {} threads = {} warp{}{}\n", 32 * warps, warps,
                     warps == 1 ? "" : "s", kernel.producer ? ", and a producer warpgroup" : "");
}

// The resident threads that the launch bounds name.
std::string boundsLine(const KernelGroup &group) {
  if (!group.boundsResidentThreads()) return "";
  const Expr &threads = group.resident;
  const bool isByVec = threads.is(ExprKind::Conditional);
  std::string text = fmt::format("registers for {} resident threads on a multiprocessor",
                                 (isByVec ? threads.operand(1) : threads).str());
  if (isByVec) text += fmt::format(" (VEC = 1: {})", threads.operand(2).str());
  return contractLine("  bounds  ", text);
}

// The pointers that the kernel tests for null, where the launcher does not require an answer.
std::string optionalLine(const Kernel &kernel) {
  std::set<unsigned> tested;
  walk(kernel.body, [&](const Op *op) {
    if (!op->is(Comparison) || !op->operand(0)->type.isPointer()) return;
    const auto &users = op->result()->users;
    if (llvm::all_of(users, [](const Op *user) { return user->is(Host); })) return;
    for (const Value *operand : op->operands())
      if (operand->owner == &kernel.body) tested.insert(operand->index);
  });
  const std::vector<Parameter> parameters = launchParametersOf(kernel);
  std::string names;
  for (const unsigned index : tested) names += (names.empty() ? "" : ", ") + parameters[index].name;
  return names.empty() ? "" : contractLine("  null    ", names + " may be nullptr");
}

// The bytes of shared memory. If instances differ, sizeof(SoftmaxSmem<BLOCK>).
std::string sharedText(const KernelGroup &group) {
  if (const auto bytes = group.sharedBytes()) return fmt::format("{} bytes", *bytes);
  return fmt::format("sizeof({})", group.hasStruct ? "Smem" : group.smemType().str());
}

}  // namespace

Stmts contractComment(const KernelGroup &group, const EmitOptions &options, bool repeatsComment) {
  const Kernel &kernel = group.first();
  std::string text = fmt::format("---- {} ", group.name);
  text += std::string(text.size() < 95 ? 95 - text.size() : 1, '-');
  text +=
      fmt::format("\nFrom {}:{} `{}`.\n", options.fileOf(kernel.loc), kernel.loc.line, kernel.name);
  if (!kernel.comment.empty() && !repeatsComment) text += fmt::format("\n{}\n", kernel.comment);
  text += "\n";
  text += gridLine(kernel);
  text += blockLine(group);
  text += boundsLine(group);
  if (passes::formsClusters(kernel))
    text +=
        "  cluster CLUSTER: 2 with TMA multicast, "
        "if the launcher finds that it is faster; else 1\n";
  if (kernel.forHopper)
    text +=
        "  device  Hopper, if the file is compiled for sm_90a (-gencode "
        "arch=compute_90a,code=sm_90a)\n";
  if (group.smem) text += fmt::format("  shared  {}\n", sharedText(group));
  if (std::string dots = dotText(*group.instances.front().kernel); !dots.empty())
    text += contractLine("  dot     ", dots);
  std::string conditions;
  for (auto &op : kernel.body.ops)
    if (op->kind == OpKind::Require)
      conditions += (conditions.empty() ? "" : ", ") + readableText(op->operand(0), kernel);
  if (!conditions.empty() && !group.isTemplate()) text += contractLine("  needs   ", conditions);
  text += optionalLine(kernel);
  text += variants(group);
  text += mathLine(kernel, options.preciseMath);
  return {{Comment{llvm::StringRef(text).rtrim('\n').str()}}};
}

}  // namespace tile2cu::emit
