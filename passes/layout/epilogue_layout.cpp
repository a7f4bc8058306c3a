#include "passes/layout/epilogue_layout.h"

#include <set>

#include "passes/analysis/layout/lane_transpose.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/target/memory_system.h"
#include "passes/target/target.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

using Layouts = llvm::SmallVector<LayoutRef, 2>;

// The contiguous bytes that a warp writes: those of neighbouring lanes along dimension `dim`.
int64_t piece(const Layout &layout, unsigned dim, int64_t bytes) {
  for (const Digit &digit : layout.dim(dim).digits) {
    if (digit.unit == Unit::Warp) break;
    bytes *= digit.extent;
    if (digit.unit == Unit::Lane) break;
  }
  return bytes;
}

// Whether the store is in no loop around the dot.
bool isAfterLoopsOf(const Op *dot, const Op *store) {
  for (const Op *loop = loopAround(dot->parent); loop; loop = loopAround(loop->parent))
    if (llvm::any_of(loop->regions,
                     [&](const auto &region) { return isInside(store->parent, *region); }))
      return false;
  return true;
}

// The shared memory for the dot operands and a tile that is stored after the dots. The tile reuses
// the memory of all operands, or of the largest one if it is stored inside their loop (see
// allocate_shared), or has its own memory if TMA loads operands.
int64_t sharedBytesWith(Kernel &kernel, const Op *store) {
  auto bytesOf = [](const Type &type) {
    int64_t bytes = byteWidth(type.scalar());
    for (int64_t size : type.shape()) bytes *= size;
    return bytes;
  };
  const int64_t stored = bytesOf(store->operand(1)->type);
  int64_t sum = 0, largest = 0;
  bool isAfter = true, isCopied = false;
  walk(kernel.body, [&](Op *op) {
    isCopied |= op->kind == OpKind::TensorLoad;
    if (op->kind != OpKind::Dot) return;
    isAfter &= isAfterLoopsOf(op, store);
    for (unsigned i : {0u, 1u}) {
      int64_t bytes = bytesOf(op->operand(i)->type) * std::max(1, kernel.options.numStages);
      sum += bytes;
      largest = std::max(largest, bytes);
    }
  });
  const int64_t small = tunables().epilogue_reserved_bytes;
  if (isCopied) return sum + stored + small;
  return (isAfter ? std::max(sum, stored) : sum - largest + std::max(largest, stored)) + small;
}

// Whether addresses and mask can follow the layout of the stored tile: what they are computed from
// are ranges, scalars and smaller tiles.
bool areCheap(const Op *store) {
  const int64_t stored = store->operand(1)->type.numElements();
  std::set<const Value *> seen;
  llvm::SmallVector<const Value *, 8> open{store->operand(0), store->operand(2)};
  while (!open.empty()) {
    const Value *value = open.pop_back_val();
    if (!value || !value->type.isTile() || !seen.insert(value).second) continue;
    if (isRematerializable(value))
      llvm::append_range(open, value->definition->operands());
    else if (value->type.numElements() >= stored)
      return false;
  }
  return true;
}

// Exchanges until each thread updates as much as one access can, or all that there is to exchange.
Layouts byExchanges(const Op *store, unsigned dim, const AxisAnalysis &analysis) {
  const int64_t widest = accessAlong(store, dim, analysis).vector;
  Layouts layouts;
  LayoutRef next = store->operand(1)->type.layout();
  for (auto vector = vectorAxis(*next); vector && vector->extent < widest;
       vector = vectorAxis(*next)) {
    next = exchangedLayout(*next, dim);
    if (!next) break;
    layouts.push_back(next);
  }
  return layouts;
}

}  // namespace

llvm::SmallVector<LayoutRef, 2> wideLayouts(Kernel &kernel, llvm::ArrayRef<Target> targets,
                                            const AxisAnalysis &analysis, const Op *store,
                                            const LayoutRef &alone) {
  const bool isAtomic = store->kind == OpKind::Atomic;
  const Type &type = store->operand(1)->type;
  if (type.rank() < 2) return {};
  const int64_t bytes = byteWidth(type.scalar());
  const unsigned dim = contiguousDim(store, analysis);
  const int64_t enough = isAtomic ? kCacheLineBytes : kSectorBytes;
  if (piece(*type.layout(), dim, bytes) >= enough) return {};
  const bool isWide = piece(*alone, dim, bytes) >= enough;
  if (!isAtomic) {
    const int64_t contiguous = analysis.of(store->operand(0)).contiguity[dim] * bytes;
    return isWide && contiguous >= enough && areCheap(store) ? Layouts{alone} : Layouts();
  }
  const int64_t needed = sharedBytesWith(kernel, store);
  const bool hasRoom =
      llvm::all_of(targets, [&](const Target &target) { return needed <= sharedLimit(target); });
  return isWide && hasRoom ? Layouts{alone} : byExchanges(store, dim, analysis);
}

}  // namespace tile2cu::passes
