// How values of a nest change along the vector axis. Those that do not change are computed once for
// all elements of a vector.
#include <algorithm>
#include <set>

#include "emit/lower/lower_kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"

namespace tile2cu::emit {
using namespace ir;

// Whether an unsigned 32-bit number may wrap around to 0 from one element to the next. Wider
// ones are taken not to.
static bool mayWrap(const Value *value) {
  const Scalar type = value->type.scalar();
  if (isSigned(type) || bitWidth(type) != 32) return false;
  const auto range = passes::rangeOf(value, passes::Assume::Launched);
  return !range || range->high - range->low >= int64_t{UINT32_MAX};
}

// Whether the result of an integer cast goes up by one where its operand does. A signed result does
// only if it has the operand's value: past the largest number the next one is negative, and `first
// + v` overflows. An unsigned one wraps around as `first + v` does.
static bool keepsCounting(const Op *cast) {
  const Value *from = cast->operand(0), *to = cast->result();
  const Scalar source = from->type.scalar(), target = to->type.scalar();
  if (!isInteger(target) || bitWidth(target) < 32 || mayWrap(from)) return false;
  if (!isSigned(target)) return true;
  const unsigned needed = bitWidth(source) + (isSigned(source) ? 0 : 1);
  if (bitWidth(target) >= needed) return true;
  const auto range = passes::rangeOf(from, passes::Assume::Launched);
  return range && (bitWidth(target) > 32 || (range->low >= INT32_MIN && range->high <= INT32_MAX));
}

// How a value changes along the vector axis. Known ones are kept: trees share their branches.
KernelEmitter::Run KernelEmitter::runOf(const Value *value, const AxisRefs &refs) {
  if (!value->type.isTile() || vectorAxis_ < 0) return Run::Same;
  const std::pair key{value, refs};
  if (auto known = runs_.find(key); known != runs_.end()) return known->second;
  const Run run = runFrom(value, refs);
  if (nest_) runs_.emplace(key, run);
  return run;
}

// Whether the element loop computes the operation once for each element: what reads it cannot be
// computed above that loop. A pass may have put a load from shared memory in place of
// a vector load.
static bool isOfElementLoop(const Op *op) {
  return op->is(ir::Reads) || op->is(ir::Writes) || op->kind == OpKind::Map ||
         op->kind == OpKind::RandomBits || op->kind == OpKind::ReduceThread;
}

// Whether the value depends on elements of a vector in registers. The loop that asks may change
// those: v = where(v > 0, ...).
bool KernelEmitter::readsRegisters(const Value *value, const AxisRefs &refs) {
  std::set<std::pair<const Value *, AxisRefs>> seen;
  std::vector<std::pair<const Value *, AxisRefs>> open{{value, refs}};
  while (!open.empty()) {
    const auto [at, axes] = open.back();
    open.pop_back();
    if (!at || !at->type.isTile() || llvm::find(axes, vectorAxis_) == axes.end() ||
        !seen.insert({at, axes}).second)
      continue;
    const Op *op = at->definition;
    if (!op || !isInside(op->parent, *nest_->region()) || storage_.count(at) || isOfElementLoop(op))
      return true;
    for (const Value *operand : op->operands())
      if (operand && operand->type.isTile())
        open.push_back({operand, operandRefs(op, operand, axes)});
  }
  return false;
}

KernelEmitter::Run KernelEmitter::runFrom(const Value *value, const AxisRefs &refs) {
  bool reaches = std::find(refs.begin(), refs.end(), vectorAxis_) != refs.end();
  if (!reaches) return Run::Same;
  const Op *op = value->definition;
  bool inside = op && nest_ && isInside(op->parent, *nest_->region());
  // What is stored element by element may be stored in the loop that asks, so not above it.
  if (!inside || storage_.count(value)) return Run::Varies;
  if (op->getBool(Attr::vector_uniform) && !readsRegisters(value, refs)) return Run::Same;
  auto of = [&](unsigned i) {
    return runOf(op->operand(i), operandRefs(op, op->operand(i), refs));
  };
  switch (op->kind) {
    case OpKind::Splat:
      return Run::Same;
    case OpKind::Arange: {
      const Layout &layout = *value->type.layout();
      for (const Digit &digit : layout.dim(0).digits)
        if (digit.unit == Unit::Register && refs[digit.axis] == vectorAxis_)
          return &digit == &layout.dim(0).digits[0] ? Run::Counts : Run::Varies;
      return Run::Same;
    }
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Permute:
    case OpKind::Reshape:
    case OpKind::Hint:
    case OpKind::Convert:
      return of(0);
    case OpKind::Cast: {
      const Run run = of(0);
      return run == Run::Counts && !keepsCounting(op) ? Run::Varies : run;
    }
    case OpKind::Add:
    case OpKind::AddPtr: {
      Run a = of(0), b = of(1);
      if (op->kind == OpKind::AddPtr && b == Run::Counts && mayWrap(op->operand(1)))
        return Run::Varies;
      if (isFloat(value->type.scalar()) && !value->type.isPointer()) break;
      if (a == Run::Same) return b;
      return b == Run::Same ? a : Run::Varies;
    }
    case OpKind::Sub: {
      if (isFloat(value->type.scalar())) break;
      Run a = of(0), b = of(1);
      return b == Run::Same ? a : Run::Varies;
    }
    default:
      break;
  }
  if (!op->is(Elementwise)) return Run::Varies;
  for (unsigned i = 0; i < op->numOperands(); ++i)
    if (op->operand(i) && of(i) != Run::Same) return Run::Varies;
  return Run::Same;
}

}  // namespace tile2cu::emit
