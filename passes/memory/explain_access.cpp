#include "passes/memory/explain_access.h"

#include <algorithm>

#include "fmt/format.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

int64_t along(const llvm::SmallVector<int64_t, 4> &numbers, unsigned dim) {
  return numbers[std::min<size_t>(dim, numbers.size() - 1)];
}

// The value that `value` is a view or conversion of, and the dimension of it that corresponds to
// `dim`. Null if it is neither.
const Value *throughView(const Value *value, unsigned &dim) {
  const Op *op = value->definition;
  if (!op) return nullptr;
  switch (op->kind) {
    case OpKind::ExpandDims:
      if (dim > op->getInt(Attr::axis)) --dim;
      return op->operand(0);
    case OpKind::Permute:
      dim = op->getInts(Attr::order)[dim];
      return op->operand(0);
    case OpKind::Broadcast:
    case OpKind::Splat:
    case OpKind::Cast:
    case OpKind::Hint:
      return op->operand(0);
    default:
      return nullptr;
  }
}

// The name of a value in the source.
std::string describe(const Value *value) {
  unsigned dim = 0;
  while (value->name.empty()) {
    const Value *inner = throughView(value, dim);
    if (!inner) break;
    value = inner;
  }
  const std::string name = value->name.empty() ? "" : fmt::format("'{}'", value->name);
  const Op *op = value->definition;
  if (op && op->kind == OpKind::Constant && op->has(Attr::value) && !value->type.isPointer() &&
      isInteger(value->type.scalar()))
    return std::to_string(op->getInt(Attr::value));
  if (op && op->kind == OpKind::Load) return name.empty() ? "a loaded value" : "the loaded " + name;
  if (op && (op->kind == OpKind::Grid || op->kind == OpKind::ProgramId))
    return name.empty() ? "the program's number" : "the program's number " + name;
  if (!name.empty()) return name;
  return "a value computed here";
}

bool isConstant(const Value *value) {
  unsigned dim = 0;
  while (const Value *inner = throughView(value, dim)) value = inner;
  return value->definition && value->definition->kind == OpKind::Constant;
}

// The value in the source that keeps `value` from being known to be a multiple of `wanted` (for
// pointers: bytes); null if it is known to be one. `factor` becomes the divisor that this value
// would need.
const Value *indivisible(const Value *value, unsigned dim, int64_t wanted,
                         const AxisAnalysis &analysis, int64_t &factor) {
  const AxisInfo &info = analysis.of(value);
  if (along(info.divisibility, dim) % wanted == 0) return nullptr;
  if (const Value *inner = throughView(value, dim)) {
    if (const Value *found = indivisible(inner, dim, wanted, analysis, factor)) return found;
  }
  factor = wanted;
  const Op *op = value->definition;
  if (!op) return value;
  if (op->kind == OpKind::AddPtr) {
    if (const Value *base = indivisible(op->operand(0), dim, wanted, analysis, factor)) return base;
    int64_t elements = std::max<int64_t>(1, wanted / byteWidth(value->type.scalar()));
    return indivisible(op->operand(1), dim, elements, analysis, factor);
  }
  if (op->kind == OpKind::Add || op->kind == OpKind::Sub)
    for (unsigned i : {0u, 1u})
      if (const Value *found = indivisible(op->operand(i), dim, wanted, analysis, factor))
        return found;
  if (op->kind == OpKind::Mul) {
    // Chooses the factor that the author can change: a constant, or else the one that is not a
    // program id.
    for (unsigned i : {0u, 1u})
      if (isConstant(op->operand(i))) return op->operand(i);
    unsigned last = 1;
    const Op *second = op->operand(1)->definition;
    if (second && (second->kind == OpKind::Grid || second->kind == OpKind::ProgramId)) last = 0;
    int64_t other = along(analysis.of(op->operand(1 - last)).divisibility, dim);
    return indivisible(op->operand(last), dim,
                       std::max<int64_t>(1, wanted / std::min(other, wanted)), analysis, factor);
  }
  return value;
}

Narrowness alignmentReason(const Op *op, int64_t bytes, unsigned dim,
                           const AxisAnalysis &analysis) {
  int64_t wanted = kMostAccessBytes, factor = kMostAccessBytes;
  const Value *value = indivisible(op->operand(0), dim, wanted, analysis, factor);
  const std::string known = fmt::format("addresses are multiples of {} bytes only", bytes);
  if (!value) return {known};
  const std::string who = describe(value);
  if (isConstant(value))
    return {
        fmt::format("{}, because of the factor {}: a multiple of {} would do", known, who, factor)};
  const char *hint = value->type.isTile()      ? "multiple_of"
                     : value->type.isPointer() ? "assume_aligned"
                                               : "assume_divisible";
  return {
      fmt::format("{0}, as {1} may have any value; if it is a multiple of {2}, say so by {3}<{2}>",
                  known, who, factor, hint),
      value->definition && value->definition->kind == OpKind::Load};
}

// Names the factor of the index along `dim`, or the load that the offsets come from.
std::string contiguityReason(const Value *value, unsigned dim, const AxisAnalysis &analysis) {
  const Op *op = value->definition;
  if (!op || along(analysis.of(value).contiguity, dim) > 1 ||
      along(analysis.of(value).constancy, dim) > 1)
    return "";
  if (const Value *inner = throughView(value, dim)) return contiguityReason(inner, dim, analysis);
  switch (op->kind) {
    case OpKind::AddPtr:
      return contiguityReason(op->operand(1), dim, analysis);
    case OpKind::Add:
    case OpKind::Sub: {
      std::string left = contiguityReason(op->operand(0), dim, analysis);
      return left.empty() ? contiguityReason(op->operand(1), dim, analysis) : left;
    }
    case OpKind::Mul:
      for (unsigned i : {0u, 1u})
        if (along(analysis.of(op->operand(i)).contiguity, dim) > 1)
          return fmt::format("neighbouring elements are {} apart in memory",
                             describe(op->operand(1 - i)));
      return "";
    case OpKind::Load:
      return fmt::format("its addresses are made from {}, one by one", describe(value));
    default:
      return "";
  }
}

}  // namespace

std::string amount(int64_t elements, int64_t bytes) {
  return fmt::format("{} element{} ({} byte{}) at a time", elements, elements == 1 ? "" : "s",
                     elements * bytes, elements * bytes == 1 ? "" : "s");
}

Narrowness whyNarrow(const Op *op, const Access &possible, const VectorAxis &axis, int64_t vector,
                     const Kernel &kernel, const AxisAnalysis &analysis) {
  const Type &type = op->operand(0)->type;
  const int64_t threads = 32 * kernel.options.numWarps;
  if (possible.cause == Limit::Atomic) return {possible.limit};
  if (const int64_t size = type.numElements(); 2 * vector * threads > size)
    return {fmt::format(
        "a tile of {} element{} is small for {} threads; fewer warps or a larger tile would do",
        size, size == 1 ? "" : "s", threads)};
  if (possible.vector > vector && possible.vector > axis.extent)
    return {"its tile is distributed for other operations"};
  std::string reason = possible.limit;
  bool needsFact = false;
  if (possible.cause == Limit::Alignment) {
    const Narrowness narrow = alignmentReason(op, possible.aligned, axis.dim, analysis);
    reason = narrow.reason;
    needsFact = narrow.needsFact;
  } else if (possible.cause == Limit::Contiguity) {
    const AxisInfo &info = analysis.of(op->operand(0));
    const unsigned fastest = contiguousDim(op, analysis);
    if (info.contiguity[axis.dim] == 1 && info.contiguity[fastest] > 1)
      reason = fmt::format(
          "addresses run along dimension {}, but its tile is distributed along dimension {} for "
          "other operations",
          fastest, axis.dim);
    else if (info.constancy[axis.dim] > 1 && info.contiguity[axis.dim] == 1)
      reason = "neighbouring elements share one address";
    else if (std::string found = contiguityReason(op->operand(0), axis.dim, analysis);
             !found.empty())
      reason = found;
  }
  if (reason.empty()) reason = "its tile is distributed for other operations";
  if (possible.vector > vector)
    reason +=
        fmt::format("; {} are possible, but its layout has vectors of {} for other operations",
                    possible.vector, axis.extent);
  return {reason, needsFact};
}

}  // namespace tile2cu::passes
