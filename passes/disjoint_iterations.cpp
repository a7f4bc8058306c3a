#include "passes/disjoint_iterations.h"

#include <cstdlib>

#include "passes/ir/builder.h"
#include "passes/ranges.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// How often `iv` is added into an integer or pointer: 0, 1, or nullopt if it takes part in any other way.
std::optional<int> occurrences(const Value *value, const Value *iv, const Block &body,
                               int depth = 0) {
  if (value == iv) return 1;
  if (definedOutside(value, body)) return 0;
  const Op *op = value->definition;
  if (!op || depth > 16) return std::nullopt;
  switch (op->kind) {
    case OpKind::Constant:
      return 0;
    case OpKind::Cast: {
      const Scalar from = op->operand(0)->type.scalar(), to = value->type.scalar();
      if (!isSigned(from) || !isSigned(to) || bitWidth(to) < bitWidth(from)) return std::nullopt;
      return occurrences(op->operand(0), iv, body, depth + 1);
    }
    case OpKind::Add:
    case OpKind::AddPtr: {
      auto a = occurrences(op->operand(0), iv, body, depth + 1),
           b = occurrences(op->operand(1), iv, body, depth + 1);
      if (!a || !b) return std::nullopt;
      return *a + *b;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

bool disjointIterations(const Value *pointer, const Op *loop) {
  if (loop->kind != OpKind::For) return false;
  auto step = constantInt(loop->operand(2));
  if (!step || *step == 0) return false;
  // pointer = splat(base) + local offsets; the base moves with the loop, the offsets stay in their range.
  Range reach{0, 0};
  const Value *at = pointer;
  while (at->definition) {
    const Op *op = at->definition;
    if (op->kind == OpKind::Splat) break;
    if (op->kind == OpKind::AddPtr) {
      auto range = rangeOf(op->operand(1));
      constexpr int64_t kLimit = int64_t{1} << 40;
      if (!range || range->low < -kLimit || range->high > kLimit) return false;
      reach = {reach.low + range->low, reach.high + range->high};
    } else if (op->kind != OpKind::Broadcast && op->kind != OpKind::ExpandDims &&
               op->kind != OpKind::Hint) {
      return false;
    }
    at = op->operand(0);
  }
  if (!at->definition) return false;
  const Block &body = *loop->region();
  auto count = occurrences(at->definition->operand(0), body.argument(0), body);
  return count == 1 && std::abs(*step) > reach.high - reach.low;
}

}  // namespace tile2cu::passes
