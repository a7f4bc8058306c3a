// The rules of atomics, past those of all accesses.
#include "passes/ir/atomic_update.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {

std::string checkAtomic(const Op &op) {
  const Type &result = op.result()->type;
  const AtomicUpdate update = *op.get(Attr::update);
  const Value *expected = op.operand(AtomicOp::expected_optIndex);
  if ((update == AtomicUpdate::CompareExchange) != (expected != nullptr))
    return "only a compare-and-exchange has an expected value";
  if ((update == AtomicUpdate::Load) != !op.operand(AtomicOp::value_optIndex))
    return "every atomic but a load has a value";
  if (update == AtomicUpdate::Store && !op.result()->unused())
    return "the result of an atomic store is used";
  const MemoryOrder strongest = strongestOrder(update);
  for (const auto order : {op.get(Attr::memory_order), op.get(Attr::fences)})
    if (order && strongest != MemoryOrder::AcqRel && *order != MemoryOrder::Relaxed &&
        *order != strongest)
      return "an atomic load acquires at most, and a store releases";
  if (expected && !expected->type.sameTile(result))
    return "the expected value does not fit the pointers";
  const Scalar type = result.scalar();
  if (type == Scalar::Bool || bitWidth(type) < 16) return "updates elements of 8 bits";
  return isFloat(type) && isOfIntegers(update) ? "updates floats by an operation of integers" : "";
}

}  // namespace tile2cu::ir
