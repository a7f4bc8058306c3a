#include "passes/ir/written_out.h"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"

namespace tile2cu::ir {

static int64_t count(const Value *value, llvm::DenseMap<const Op *, int64_t> &known) {
  const Op *op = value->isArgument() ? nullptr : value->definition;
  if (!op) return 0;
  if (const auto found = known.find(op); found != known.end()) return found->second;
  int64_t total = 1;
  for (const Value *operand : op->operands())
    if (operand) total = std::min(total + count(operand, known), kMostWrittenOut + 1);
  return known[op] = total;
}

int64_t writtenOut(const Value *value) {
  llvm::DenseMap<const Op *, int64_t> known;
  return count(value, known);
}

}  // namespace tile2cu::ir
