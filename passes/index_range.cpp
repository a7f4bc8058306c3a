#include "passes/index_range.h"

#include <algorithm>

#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

// The values an index tile can take, if its operations and constants alone tell.
std::optional<Range> rangeOf(const Value *value, int depth) {
  if (auto constant = constantInt(value)) return Range{*constant, *constant};
  const Op *op = value->definition;
  if (!op || depth > 8) return std::nullopt;
  auto of = [&](unsigned i) { return rangeOf(op->operand(i), depth + 1); };
  switch (op->kind) {
    case OpKind::Arange:
      return Range{op->getInt("start"), op->getInt("end") - 1};
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Permute:
    case OpKind::Reshape:
    case OpKind::Splat:
    case OpKind::Hint:
      return of(0);
    case OpKind::Cast:
      return isSigned(value->type.scalar()) && isSigned(op->operand(0)->type.scalar())
                 ? of(0)
                 : std::nullopt;
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul: {
      auto a = of(0), b = of(1);
      constexpr int64_t kLimit = int64_t{1} << 31;
      if (!a || !b || std::max(std::abs(a->low), std::abs(a->high)) >= kLimit ||
          std::max(std::abs(b->low), std::abs(b->high)) >= kLimit)
        return std::nullopt;
      if (op->kind == OpKind::Add) return Range{a->low + b->low, a->high + b->high};
      if (op->kind == OpKind::Sub) return Range{a->low - b->high, a->high - b->low};
      int64_t p[] = {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high};
      return Range{*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
    }
    default:
      return std::nullopt;
  }
}

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
    case OpKind::Cast:
      if (!isSigned(value->type.scalar()) || !isSigned(op->operand(0)->type.scalar()))
        return std::nullopt;
      return occurrences(op->operand(0), iv, body, depth + 1);
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
      if (!range) return false;
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
