#include "passes/disjoint_iterations.h"

#include <cstdlib>

#include "passes/access.h"
#include "passes/ir/builder.h"
#include "passes/mask_conditions.h"
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

// The rows of a loop, as polynomials: how far they are apart, and where that of step 0 begins.
struct Rows {
  Polynomial apart, begin;
  bool operator==(const Rows &) const = default;
};

bool isNotNegative(const Polynomial &sum) {
  for (const auto &[factors, number] : sum.terms()) {
    if (number < 0) return false;
    for (const Atom &atom : factors) {
      if (!atom.value) continue;  // a coordinate
      const auto range = rangeOf(atom.value);
      if (!range || range->low < 0) return false;
    }
  }
  return true;
}

bool isKnownOutside(const Polynomial &sum, const Block &body) {
  for (const auto &[factors, number] : sum.terms())
    for (const Atom &atom : factors)
      if (!atom.value || !definedOutside(atom.value, body)) return false;
  return true;
}

// The part of a sum that coordinates are in.
Polynomial coordinatesOf(const Polynomial &sum) {
  Polynomial part;
  for (const auto &[factors, number] : sum.terms())
    if (llvm::any_of(factors, [](const Atom &atom) { return !atom.value; }))
      part.add(factors, number);
  return part;
}

// The row that an access stays in, in each iteration of `loop`.
std::optional<Rows> rowsOf(const Op *access, const Op *loop) {
  const Block &body = *loop->region();
  const Atom step{body.argument(0), 0};
  Symbols symbols;
  const auto address = symbols.of(access->operand(0));
  if (!address) return std::nullopt;
  Rows rows;
  Polynomial rest;  // of the address, without its row
  for (const auto &[factors, number] : address->terms()) {
    Polynomial::Monomial others = factors;
    const auto at = llvm::find(others, step);
    if (at == others.end()) {
      rest.add(factors, number);
      continue;
    }
    others.erase(at);
    rows.apart.add(others, number);
  }
  if (rows.apart.isZero() || !isKnownOutside(rows.apart, body)) return std::nullopt;
  Conditions conditions;
  if (Value *mask = maskOf(access)) addConditions(mask, symbols, conditions);
  for (const Polynomial &condition : conditions) {
    if (coordinatesOf(condition) != coordinatesOf(rest)) continue;
    // condition < 0: the address is below rest - condition, where the next row may begin.
    const Polynomial begin = rest - condition - rows.apart;
    if (!isKnownOutside(begin, body) || !isNotNegative(rest - begin)) continue;
    rows.begin = begin;
    return rows;
  }
  return std::nullopt;
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

bool staysInRow(const Op *a, const Op *b, const Op *loop) {
  if (loop->kind != OpKind::For) return false;
  const auto by = rangeOf(loop->operand(2));
  if (!by || (by->low <= 0 && by->high >= 0)) return false;
  const auto rows = rowsOf(a, loop);
  return rows && rows == rowsOf(b, loop);
}

}  // namespace tile2cu::passes
