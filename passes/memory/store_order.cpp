#include "passes/memory/store_order.h"

#include "passes/analysis/value/loop_info.h"

namespace tile2cu::passes {
using namespace ir;

// The loop of a persistent kernel goes through programs, which have no order among themselves.
static bool isOfPrograms(const Kernel &kernel, const Op *loop) {
  if (!kernel.options.persistent || loop->parent != &kernel.body || loop->kind != OpKind::For)
    return false;
  const Op *first = ForOp(loop).lower()->definition;
  return first && first->kind == OpKind::Grid && first->getBool(Attr::persistent);
}

// Whether an iteration may store where an earlier one did.
static bool storesAgain(const Kernel &kernel, const Op *store, AccessOverlaps &overlaps) {
  const Op *loop = loopAround(store->parent);
  return loop && !isOfPrograms(kernel, loop) && !overlaps.of(store, store).isSameStep;
}

// Whether the warp that stores to a place stores to it in each iteration that does.
static bool keepsWarps(const Kernel &kernel, const Op *store, const Box &box,
                       const AxisAnalysis &axes) {
  const Op *outermost = loopAround(store->parent);
  for (const Op *outer = outermost; outer && !isOfPrograms(kernel, outer);
       outer = loopAround(outer->parent))
    outermost = outer;
  const auto isFixed = [&](const Atom &atom) {
    return atom.value && definedOutside(atom.value, *outermost->region());
  };
  for (const BoxDim &dim : box.dims) {
    const bool isOfRows = dim.tileDim >= 0 && &dim != &box.dims.front();
    for (const auto &[monomial, factor] : dim.start.terms())
      if (isOfRows ? axes.divisorOf(monomial, factor, dim.size) != dim.size
                   : !llvm::all_of(monomial, isFixed))
        return false;
  }
  return true;
}

std::optional<StoreOrder> storeOrder(const Kernel &kernel, const Op *store, const Box &box,
                                     AccessOverlaps &overlaps, const AxisAnalysis &axes) {
  if (!storesAgain(kernel, store, overlaps)) return std::nullopt;
  return keepsWarps(kernel, store, box, axes) ? StoreOrder::Warp : StoreOrder::Block;
}

}  // namespace tile2cu::passes
