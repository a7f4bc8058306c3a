#include "passes/analysis/memory/atomic_order.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/global_effects.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/atomic_update.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Whether other programs may observe what `op` does to memory, or change what it reads.
bool isSeen(const Kernel &kernel, const Op *op) {
  if (op->kind == OpKind::Load) return !isReadOnly(kernel, op);
  // Copies to shared memory read what nothing writes.
  return accessesGlobal(op) || op->kind == OpKind::TmaStore;
}

// The order that an access may have with others: of an atomic the one that the user wrote, without
// one all that it can have.
std::optional<MemoryOrder> possibleOrder(const Op *op) {
  if (isOrderedWithAll(op)) return MemoryOrder::AcqRel;
  if (op->kind != OpKind::Atomic) return std::nullopt;
  return op->get(Attr::memory_order).value_or(strongestOrder(*op->get(Attr::update)));
}

// Whether that order is `half` or both.
bool has(const Op *op, MemoryOrder half) {
  const auto order = possibleOrder(op);
  return order == MemoryOrder::AcqRel || order == half;
}

bool isOrdered(const Kernel &kernel, const Op *atomic, const Op *other) {
  return isSeen(kernel, other) && !commute(atomic, other);
}

// Accesses in program order.
struct Accesses {
  std::vector<Op *> all;
  explicit Accesses(Kernel &kernel) {
    walk(kernel.body, [&](Op *op) {
      if (isSeen(kernel, op)) all.push_back(op);
    });
  }

  // Whether a program may execute all[i] and then all[j]; in a loop also the same one again.
  bool mayPrecede(size_t i, size_t j) const {
    if (i < j) return true;
    for (const Op *loop = loopAround(all[j]->parent); loop; loop = loopAround(loop->parent))
      if (isInside(all[i]->parent, *loop->regions.front()) ||
          isInside(all[i]->parent, *loop->regions.back()))
        return true;
    return false;
  }
};

}  // namespace

bool commute(const Op *a, const Op *b) {
  if (a->kind != OpKind::Atomic || b->kind != OpKind::Atomic) return false;
  const auto update = a->get(Attr::update);
  return update == b->get(Attr::update) && isOrderFree(*update) && a->result()->unused() &&
         b->result()->unused();
}

bool releases(const Kernel &kernel, const Op *atomic, const Op *other) {
  return has(atomic, MemoryOrder::Release) && isOrdered(kernel, atomic, other);
}

bool acquires(const Kernel &kernel, const Op *atomic, const Op *other) {
  const auto fences = atomic->get(Attr::fences);
  const bool acquires = fences == MemoryOrder::Acquire || fences == MemoryOrder::AcqRel;
  return acquires && isOrdered(kernel, atomic, other);
}

// Whether an access that is not a load does something with the values that it reads: the old value
// of an atomic is used. A text may always do so.
static bool usesWhatItReads(const Op *op) {
  return op->kind == OpKind::CudaEffect || (op->kind == OpKind::Atomic && !op->result()->unused());
}

// Whether the kernel may observe through this access what another program did, without an acquire:
// it is a volatile load, a text that only reads, or an atomic of a weaker order whose old value is
// used.
static bool learnsWithoutAcquiring(const Op *op) {
  if (op->kind == OpKind::Load) return op->get(Attr::cache) == CacheOp::Cv;
  return usesWhatItReads(op) && !has(op, MemoryOrder::Acquire);
}

// Whether an atomic has something to acquire: what it reads itself, or another access of the kernel
// (`learns`), shows what other programs did.
static bool mayAcquire(const Op *atomic, bool learns) {
  return has(atomic, MemoryOrder::Acquire) && (learns || usesWhatItReads(atomic));
}

AtomicOrders ordersOf(Kernel &kernel) {
  AtomicOrders orders;
  const Accesses accesses(kernel);
  const bool learns = llvm::any_of(accesses.all, learnsWithoutAcquiring);
  for (size_t at = 0; at < accesses.all.size(); ++at) {
    Op *atomic = accesses.all[at];
    if (!possibleOrder(atomic)) continue;
    const bool seesOthers = mayAcquire(atomic, learns);
    bool release = false, acquire = false;
    for (size_t i = 0; i < accesses.all.size(); ++i) {
      const Op *other = accesses.all[i];
      release |= accesses.mayPrecede(i, at) && releases(kernel, atomic, other);
      acquire |= seesOthers && accesses.mayPrecede(at, i) && isOrdered(kernel, atomic, other);
    }
    orders.emplace_back(atomic, release && acquire ? MemoryOrder::AcqRel
                                : release          ? MemoryOrder::Release
                                : acquire          ? MemoryOrder::Acquire
                                                   : MemoryOrder::Relaxed);
  }
  return orders;
}

}  // namespace tile2cu::passes
