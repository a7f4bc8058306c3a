// Host side: the functions that launch one kernel each.
#include "emit/cuda/parameter_names.h"
#include "emit/host/host_expr.h"
#include "emit/host/launchers.h"
#include "emit/host/tensor_maps.h"
#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/analysis/integer/grid_factors.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/value/cluster.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

bool usesSms(const Value *value) {
  if (!value || value->isArgument()) return false;
  if (value->definition->kind == OpKind::NumSms) return true;
  for (const Value *operand : value->definition->operands())
    if (usesSms(operand)) return true;
  return false;
}

std::string askDevice(const Kernel &kernel, UsedWords &words) {
  return fmt::format(R"(int num_sms = 0;
const cudaError_t {counted} = {ask}(num_sms);
if ({counted} != cudaSuccess) return {counted};
)",
                     fmt::arg("counted", localName(kernel, "counted")),
                     fmt::arg("ask", words.use("tile2cu::multiprocessors")));
}

std::string launchName(const KernelGroup &group) {
  return "launch_" + group.name.substr(0, group.name.size() - 7);
}

std::string launchParameters(const Kernel &kernel) {
  std::string parameters = parameterList(kernel);
  const auto append = [&](const std::string &text) {
    parameters += (parameters.empty() ? "" : ", ") + text;
  };
  if (!kernel.grid()) append("dim3 grid");
  append("cudaStream_t " + localName(kernel, "stream"));
  return parameters;
}

namespace {

// The text of one launch function, piece by piece.
struct LaunchText {
  const KernelGroup &group;
  const EmitOptions &options;
  UsedWords &words;
  const Kernel &kernel = group.first();
  const Op *grid = kernel.grid();
  const bool pairs = passes::formsClusters(kernel);
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
      for (const Value *factor : factors) sizes.push_back(words.use(textOf(factor)));
      return fmt::format("{}({{{}}})", words.use("tile2cu::grid_size"), fmt::join(sizes, ", "));
    }
    factors.pop_back();  // not negative if the product and the others are not
    for (const Value *factor : factors) {
      const auto range = passes::rangeOf(factor, passes::Assume::Nothing);
      if (!range || range->low < 0)
        refused += " || " + words.use(binary(Prec::Relational, "<", textOf(factor), integer(0)));
    }
    return words.use(textOf(extent));
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
                          words.use(binary(Prec::Equality, "==", divisor, integer(0))));
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
        R"(static {atomic}<uint64_t> {asked}{{0}};
int {current} = 0;
cudaError_t {set} = cudaGetDevice(&{current});
if ({set} != cudaSuccess) return {set};
if (!({asked}.load(std::memory_order_relaxed) >> ({current} % 64) & 1)) {{
{set} = {call};
{both}if ({set} != cudaSuccess) return {set};
{asked}.fetch_or(uint64_t{{1}} << ({current} % 64), std::memory_order_relaxed);
}}
)",
        fmt::arg("atomic", words.use("std::atomic")), fmt::arg("asked", local("asked")),
        fmt::arg("current", local("current")), fmt::arg("set", local("set")),
        fmt::arg("call", set(pairs ? kernelOf(1) : function)), fmt::arg("both", both));
  }

  // The number of blocks, an expression.
  std::string countBlocks(const std::string &total) {
    const std::string blocks = local("blocks");
    std::string needed = total;
    if (kernel.packed())
      needed = fmt::format("{}({}, {})", words.use("tile2cu::cdiv"), total, perBlock);
    if (grid->getBool(Attr::persistent)) {
      text += fmt::format(
          R"(// Not more blocks than the device runs at a time: each takes several programs.
int64_t {blocks} = {needed};
const cudaError_t {error} = {limit}({blocks}, {function}, {threads}, {smem});
if ({error} != cudaSuccess) return {error};
)",
          fmt::arg("blocks", blocks), fmt::arg("needed", needed), fmt::arg("error", error),
          fmt::arg("function", function), fmt::arg("threads", threads), fmt::arg("smem", smem),
          fmt::arg("limit", words.use("tile2cu::limit_to_resident")));
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
      calls.push_back(tensorMapCall(map, kernel, words));
    }
    text += fmt::format("CUtensorMap {};\n", fmt::join(names, ", "));
    for (size_t i = 0; i < calls.size(); ++i)
      text += i ? fmt::format("if ({0} == cudaSuccess) {0} = {1};\n", made, calls[i])
                : fmt::format("cudaError_t {0} = {1};\n", made, calls[i]);
    text += fmt::format("if ({0} != cudaSuccess) return {0};\n", made);
  }

  // Whether neighbouring blocks come in pairs (form_clusters.h): what that needs and where it pays.
  void findCluster() {
    std::vector<Expr> even;
    for (const Value *count : passes::evenCounts(kernel)) addOnce(even, hostExpr(count, kernel));
    std::vector<std::string> pays, which, holds;
    walk(*kernel.producer, [&](const Op *op) {
      if (op->kind != OpKind::TmaLoad || !op->getBool(Attr::for_cluster)) return;
      const Op *map = op->operand(0)->definition;
      pays.push_back(linesText(map, kernel, words));
      which.push_back(words.use(hostExpr(map->operand(0), kernel)));
    });
    for (const Expr &count : even)
      holds.push_back(words.use(binary(
          Prec::Equality, "==", binary(Prec::Multiplicative, "%", count, integer(2)), integer(0))));
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
    if (usesNumSms()) text += askDevice(kernel, words);
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
    const std::string call = options.emulator && !pairs ? "emulate::launch"
                             : pairs                    ? words.use("tile2cu::launch_clusters")
                             : kernel.producer          ? words.use("tile2cu::launch_early")
                                                        : "";
    const std::string launch =
        pairs ? "return {call}({cluster}, {cluster} == 2 ? {two} : {one}, {blocks}, {threads}, "
                "{smem}, {stream}{comma}{arguments});\n"
        : options.emulator ? "return {call}({kernel}, dim3({blocks}), dim3({threads}), {smem}, "
                             "{stream}{comma}{arguments});\n"
        : kernel.producer  ? "return {call}({kernel}, {blocks}, {threads}, {smem}, "
                             "{stream}{comma}{arguments});\n"
                           : "{kernel}<<<{blocks}, {threads}, {smem}, {stream}>>>({arguments});\n"
                             "return cudaGetLastError();\n";
    text += fmt::format(
        fmt::runtime(launch), fmt::arg("call", call), fmt::arg("kernel", function),
        fmt::arg("one", kernelOf(1)), fmt::arg("two", kernelOf(2)),
        fmt::arg("cluster", local("cluster")), fmt::arg("blocks", blocks),
        fmt::arg("threads", threads), fmt::arg("smem", smem), fmt::arg("stream", stream),
        fmt::arg("comma", arguments.empty() ? "" : ", "), fmt::arg("arguments", arguments));
    return text + "}\n\n";
  }
};

}  // namespace

std::string launchText(const KernelGroup &group, const EmitOptions &options, UsedWords &words) {
  return LaunchText{group, options, words}.run();
}

}  // namespace tile2cu::emit
