#include "passes/launch/check_occupancy.h"

#include <algorithm>

#include "fmt/format.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/register_pressure.h"
#include "passes/ir/diagnostics/remarks.h"
#include "passes/ir/limits.h"
#include "passes/target/mma_instructions.h"
#include "passes/target/occupancy.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Registers per thread of an accumulator with 64 rows and `columns` columns.
int accumulatorRegisters(const Op *dot, int64_t columns) {
  return int(columns * byteWidth(dot->result()->type.scalar()) * kGroupRows / kWarpgroupThreads /
             4);
}

// The blocks that share the registers of a multiprocessor, as text.
std::string sharing(const Kernel &kernel) {
  const int threads = blockThreads(kernel), blocks = blocksAtATime(kernel);
  return blocks == 1
             ? fmt::format("a block has {} threads", threads)
             : fmt::format("{} blocks of {} threads share a multiprocessor", blocks, threads);
}

// Whether half of the warps, of which each has twice as many accumulators, have enough registers.
bool wouldFitFewerWarps(const Kernel &kernel, const Op *dot) {
  const int warps = kernel.options.numWarps;
  return warps % 8 == 0 && 2 * registersOf(dot->result()) + tunables().wgmma_reserved_registers <=
                               launchedRegisters(kernel, warps / 2);
}

// The first wgmma that has too few registers.
Op *starved(Kernel &kernel, int registers) {
  Op *found = nullptr;
  walk(kernel.body, [&](Op *op) {
    if (found || op->kind != OpKind::DotShared || !op->has(Attr::group_columns)) return;
    if (accumulatorRegisters(op, op->getInt(Attr::group_columns)) +
            tunables().wgmma_reserved_registers >
        registers)
      found = op;
  });
  return found;
}

// The minimum number of registers per thread for a loop with wgmmas: the values that it carries,
// and its largest other accumulator.
int64_t leastRegisters(Op *loop) {
  int64_t carried = 0, accumulator = 0;
  bool multiplies = false;
  for (const auto &argument : loop->region()->arguments) carried += registersOf(argument.get());
  for (const auto &op : loop->region()->ops) {
    if (op->kind != OpKind::DotShared || !op->has(Attr::group_columns)) continue;
    multiplies = true;
    if (!op->operand(0)) accumulator = std::max(accumulator, registersOf(op->result()));
  }
  return multiplies ? carried + accumulator : 0;
}

// Whether more blocks are asked for than a multiprocessor has threads for.
bool refuseBlocks(const Module &module, const Kernel &kernel, PassContext &context) {
  const int threads = blockThreads(kernel);
  if (threads * kernel.options.minBlocks <= kMostThreads) return false;
  reportAbout(kernel, module, context.diagnostics, DiagId::TooManyBlocks, kernel.loc,
              {std::to_string(kernel.options.minBlocks), std::to_string(threads),
               std::to_string(kMostThreads), std::to_string(kMostThreads / threads)});
  return true;
}

bool refuseDot(const Module &module, Kernel &kernel, PassContext &context) {
  const int registers = launchedRegisters(kernel);
  const Op *dot = starved(kernel, registers);
  if (!dot) return false;
  const int64_t columns = dot->getInt(Attr::group_columns);
  std::string instead = blocksAtATime(kernel) == 1 ? ""
                        : kernel.options.minBlocks ? "fewer blocks (min_blocks), "
                                                   : "fewer threads (resident_threads), ";
  if (wouldFitFewerWarps(kernel, dot)) instead += "fewer warps, ";
  if (!instead.empty()) instead += "or ";
  reportAbout(
      kernel, module, context.diagnostics, DiagId::TooFewRegisters, dot->loc,
      {std::to_string(columns),
       std::to_string(accumulatorRegisters(dot, columns) + tunables().wgmma_reserved_registers),
       std::to_string(registers), sharing(kernel), instead});
  return true;
}

// Other ways than smaller blocks to have more registers for a tile. With up to eight warps a thread
// may have nearly all that an instruction can name; more warps then leave less of the tile to each.
const char *otherThanSmaller(const Kernel &kernel) {
  constexpr int kWarpsWithAllRegisters = 8;
  if (blocksAtATime(kernel) > 1) return ", or fewer of them at a time (min_blocks)";
  return kernel.options.numWarps < kWarpsWithAllRegisters ? ", or more warps" : "";
}

void warnOfSpills(const Module &module, Kernel &kernel, PassContext &context) {
  const int registers = consumerRegisters(kernel);
  for (Op *loop : forLoopsIn(kernel.body)) {
    const int64_t least = leastRegisters(loop);
    if (least + tunables().loop_reserved_registers <= registers) continue;
    reportAbout(kernel, module, context.diagnostics, DiagId::AccumulatorsSpill, loop->loc,
                {std::to_string(least), std::to_string(registers), otherThanSmaller(kernel)});
    return;
  }
}

}  // namespace

llvm::LogicalResult check_occupancy(Module &module, PassContext &context) {
  std::vector<const Kernel *> refused;
  for (Kernel &kernel : module.kernels) {
    // The variant with element-wise accesses has the same threads and dots, so it is reported once.
    if (isVariantOf(kernel, refused)) continue;
    if (refuseBlocks(module, kernel, context) || refuseDot(module, kernel, context))
      refused.push_back(&kernel);
    else if (kernel.producer)
      warnOfSpills(module, kernel, context);
  }
  return llvm::success(refused.empty());
}

}  // namespace tile2cu::passes
