#include "passes/ir/atomic_update.h"

#include "llvm/Support/ErrorHandling.h"

namespace tile2cu::ir {

bool isOfIntegers(AtomicUpdate update) {
  switch (update) {
    case AtomicUpdate::And:
    case AtomicUpdate::Or:
    case AtomicUpdate::Xor:
    case AtomicUpdate::Increment:
    case AtomicUpdate::Decrement:
      return true;
    case AtomicUpdate::Add:
    case AtomicUpdate::Min:
    case AtomicUpdate::Max:
    case AtomicUpdate::Exchange:
    case AtomicUpdate::CompareExchange:
    case AtomicUpdate::Load:
    case AtomicUpdate::Store:
      return false;
  }
  llvm_unreachable("every update is listed");
}

bool isOrderFree(AtomicUpdate update) {
  switch (update) {
    case AtomicUpdate::Add:
    case AtomicUpdate::Min:
    case AtomicUpdate::Max:
    case AtomicUpdate::And:
    case AtomicUpdate::Or:
    case AtomicUpdate::Xor:
    case AtomicUpdate::Load:
      return true;
    case AtomicUpdate::Increment:
    case AtomicUpdate::Decrement:
    case AtomicUpdate::Exchange:
    case AtomicUpdate::CompareExchange:
    case AtomicUpdate::Store:
      return false;
  }
  llvm_unreachable("every update is listed");
}

MemoryOrder strongestOrder(AtomicUpdate update) {
  if (update == AtomicUpdate::Load) return MemoryOrder::Acquire;
  return update == AtomicUpdate::Store ? MemoryOrder::Release : MemoryOrder::AcqRel;
}

std::string nameOfAtomic(AtomicUpdate update) { return "atomic_" + wordOf(update).str(); }

}  // namespace tile2cu::ir
