// How values of a loop nest change along the vector axis. Those that do not change are computed
// once for all elements of a vector.
#include <algorithm>
#include <set>

#include "emit/lower/loop_nest.h"
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

static Run runFrom(LoopNest &nest, const Value *value, const AxisRefs &refs);

// How a value changes along the vector axis. Known ones are kept: trees share their branches.
Run runOf(LoopNest &nest, const Value *value, const AxisRefs &refs) {
  if (!value->type.isTile() || nest.vectorAxis < 0) return Run::Same;
  const std::pair key{value, refs};
  if (auto known = nest.runs.find(key); known != nest.runs.end()) return known->second;
  const Run run = runFrom(nest, value, refs);
  nest.runs.emplace(key, run);
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
static bool readsRegisters(LoopNest &nest, const Value *value, const AxisRefs &refs) {
  LoweringContext &ctx = nest.ctx;
  std::set<std::pair<const Value *, AxisRefs>> seen;
  std::vector<std::pair<const Value *, AxisRefs>> open{{value, refs}};
  while (!open.empty()) {
    const auto [at, axes] = open.back();
    open.pop_back();
    if (!at || !at->type.isTile() || llvm::find(axes, nest.vectorAxis) == axes.end() ||
        !seen.insert({at, axes}).second)
      continue;
    const Op *op = at->definition;
    if (!op || !nest.isInside(op) || ctx.values.isPlaced(at) || isOfElementLoop(op)) return true;
    for (const Value *operand : op->operands())
      if (operand && operand->type.isTile())
        open.push_back({operand, operandRefs(op, operand, axes)});
  }
  return false;
}

static Run runFrom(LoopNest &nest, const Value *value, const AxisRefs &refs) {
  LoweringContext &ctx = nest.ctx;
  bool reaches = std::find(refs.begin(), refs.end(), nest.vectorAxis) != refs.end();
  if (!reaches) return Run::Same;
  const Op *op = value->definition;
  bool inside = op && nest.isInside(op);
  // A value that is stored element by element may be stored in the loop that asks, so not above it.
  if (!inside || ctx.values.isPlaced(value)) return Run::Varies;
  if (op->getBool(Attr::vector_uniform) && !readsRegisters(nest, value, refs)) return Run::Same;
  auto of = [&](unsigned i) {
    return runOf(nest, op->operand(i), operandRefs(op, op->operand(i), refs));
  };
  switch (op->kind) {
    case OpKind::Splat:
      return Run::Same;
    case OpKind::Arange: {
      const Layout &layout = *value->type.layout();
      for (const Digit &digit : layout.dim(0).digits)
        if (digit.unit == Unit::Register && refs[digit.axis] == nest.vectorAxis)
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
