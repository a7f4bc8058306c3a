#include <algorithm>
#include <set>

#include "emit/lower/cuda_scalar.h"
#include "emit/lower/loop_nest.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/reductions.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/target/tunables.h"

namespace tile2cu::emit {
using namespace ir;

static int vectorAxisOf(LoweringContext &ctx, const Layout &layout) {
  const auto vector = ctx.constants.vectorAxisOf(layout);
  return vector ? int(vector->axis) : -1;
}

LoopNest::LoopNest(LoweringContext &ctx, Op *op)
    : ctx(ctx), op(op), layout(*op->layout), vectorAxis(vectorAxisOf(ctx, layout)) {}

// ---- its steps

// An access to whole vectors, or a run of element-wise operations.
struct Step {
  Op *access = nullptr;
  std::vector<Op *> elements = {};
};

// Which values of a run of elements are needed in another one: the cheap ones are part of those
// that use them, and element-wise ones are computed again.
struct UsedBehind {
  std::set<const Op *> segment;
  std::map<const Value *, bool> known = {};

  bool operator()(const Value *value) {
    const auto [entry, isNew] = known.try_emplace(value, false);
    if (!isNew) return entry->second;
    const bool is = llvm::any_of(value->users, [&](const Op *user) {
      if (user->kind == OpKind::Yield) return false;
      const bool isHere = segment.count(user) != 0;
      if (isHere ? !user->is(Elementwise) : !passes::isInlinedAtUse(user)) return !isHere;
      return llvm::any_of(user->results, [&](const auto &result) { return (*this)(result.get()); });
    });
    return known[value] = is;
  }
};

// Whether an access reads a value that one of these steps puts into a variable. Other element-wise
// values are computed again where they are read.
static bool readsResult(const LoopNest &nest, const Op *access, const std::set<const Op *> &steps) {
  llvm::SmallVector<const Value *, 8> pending{access->operands().begin(), access->operands().end()};
  std::set<const Value *> seen;
  while (!pending.empty()) {
    const Value *value = pending.pop_back_val();
    const Op *op = value && seen.insert(value).second ? value->definition : nullptr;
    if (!op || !nest.isInside(op)) continue;
    if (steps.count(op) && (!op->is(Elementwise) || nest.kept.count(value))) return true;
    llvm::append_range(pending, op->operands());
  }
  return false;
}

bool isComputedBehind(const LoopNest &nest, const Op *op) {
  llvm::SmallVector<const Op *, 8> open{op};
  std::set<const Op *> seen;
  while (!open.empty()) {
    const Op *at = open.pop_back_val();
    if (!seen.insert(at).second) continue;
    for (const auto &result : at->results) {
      if (nest.kept.count(result.get())) continue;
      for (const Op *user : result->users) {
        if (nest.behindElements.count(user)) return true;
        open.push_back(user);
      }
    }
  }
  return false;
}

// Cheap values are written where they are used, unless they leave the loop nest or are stored as a
// whole.
static void keepResults(LoopNest &nest) {
  for (auto &inner : nest.op->region()->ops) {
    if (inner->kind == OpKind::Yield)
      nest.kept.insert(inner->operands().begin(), inner->operands().end());
    if ((inner->kind == OpKind::Store || inner->kind == OpKind::AtomicAdd) &&
        isVectorAccess(nest, inner.get()))
      nest.kept.insert(inner->operand(1));
    if (inner->kind == OpKind::SharedStore && isVectorAccess(nest, inner.get()))
      nest.kept.insert(inner->operand(0));
  }
}

static std::vector<Step> stepsOf(const LoopNest &nest) {
  std::vector<Step> steps;
  for (auto &inner : nest.op->region()->ops) {
    if (inner->kind == OpKind::Yield) continue;
    const bool cheap = inner->numResults() == 1 && passes::isInlinedAtUse(inner.get());
    if (cheap && !nest.kept.count(inner->result())) continue;
    if (isVectorAccess(nest, inner.get())) {
      steps.push_back({inner.get(), {}});
    } else {
      if (steps.empty() || steps.back().access) steps.push_back({});
      steps.back().elements.push_back(inner.get());
    }
  }
  return steps;
}

// The steps of a loop nest in the order in which they are written. Loads and random bits whose
// operands are there before the loop nest, or from such a load, move to the front, so that elements
// form one run.
static std::vector<Step> inOrder(const LoopNest &nest, std::vector<Step> steps) {
  auto isAboveStores = [&](const Op *access) {
    const Op *load = access;
    if (load->kind == OpKind::Cast) load = load->operand(0)->definition;  // of what it converts
    for (auto &other : nest.op->region()->ops)
      if (other->is(Writes) && other->kind != OpKind::SharedStore && load &&
          load->kind == OpKind::Load && !load->getBool(Attr::read_only))
        return false;
    return true;
  };
  std::vector<Step> ordered, others;
  std::set<const Op *> late;
  for (Step &step : steps) {
    const bool isEarly = step.access && !step.access->is(Writes) && isAboveStores(step.access) &&
                         !readsResult(nest, step.access, late);
    if (step.access && !isEarly) late.insert(step.access);
    late.insert(step.elements.begin(), step.elements.end());
    (isEarly ? ordered : others).push_back(std::move(step));
  }
  for (Step &step : others) {
    if (!step.access && !ordered.empty() && !ordered.back().access)
      llvm::append_range(ordered.back().elements, step.elements);
    else
      ordered.push_back(std::move(step));
  }
  return ordered;
}

// Values that cannot be computed again stay in a vector from one run of elements to the next.
static void keepUsedBehind(LoopNest &nest, const std::vector<Op *> &segment) {
  UsedBehind isUsedBehind{{segment.begin(), segment.end()}};
  for (const Op *inner : segment)
    if (!inner->is(Elementwise))
      for (auto &result : inner->results)
        if (isUsedBehind(result.get())) nest.kept.insert(result.get());
}

static std::vector<Step> divide(LoopNest &nest) {
  keepResults(nest);
  std::vector<Step> steps = inOrder(nest, stepsOf(nest));
  for (const Step &step : steps) {
    if (!step.access)
      ++nest.numSegments;
    else if (nest.numSegments > 0)
      nest.behindElements.insert(step.access);
  }
  for (const Step &step : steps)
    if (!step.access) keepUsedBehind(nest, step.elements);
  return steps;
}

// ---- the loop nest

// Whether a loop nest makes tiles, or takes elements of those that are there: their registers have
// no index but constants.
static bool usesArrays(const Op *nest) {
  if (nest->numResults() > 0) return true;
  return llvm::any_of(nest->region()->ops, [&](const auto &op) {
    return llvm::any_of(op->operands(), [&](const Value *operand) {
      return operand && operand->type.isTile() && definedOutside(operand, *nest->region());
    });
  });
}

// Copies keep nothing in registers: those of single elements are many, and need not all be in
// flight at once.
static std::optional<int64_t> mostUnrolled(const LoopNest &nest) {
  if (!nest.ctx.inPhase || usesArrays(nest.op)) return std::nullopt;
  return passes::tunables().unrolled_copies;
}

// Vectors that a store takes whole are filled element by element.
static void declareVectors(LoopNest &nest, llvm::ArrayRef<Op *> elements) {
  LoweringContext &ctx = nest.ctx;
  for (const Op *element : elements)
    for (auto &result : element->results) {
      if (ctx.values.isPlaced(result.get()) || !nest.kept.count(result.get())) continue;
      const Storage vector = localVector(nest, result->name.empty() ? "result" : result->name);
      ctx.values.place(result.get(), vector);
      ctx.out.add(variable(vectorType(nest, typeOf(result->type)), vector.name));
    }
}

static void lowerStep(LoopNest &nest, const Step &step) {
  if (step.access) {
    vectorAccess(nest, step.access);
    nest.ctx.values.holdResults(step.access);
  } else {
    declareVectors(nest, step.elements);
    lowerElements(nest, step.elements);
  }
}

void lower(LoweringContext &ctx, const NestOp &op) {
  statementComments(ctx, op.op);
  LoopNest nest(ctx, op.op);
  if (fillNest(nest)) return;
  const std::vector<Step> steps = divide(nest);
  prepareResults(nest);
  for (auto &inner : op->region()->ops)
    if (inner->kind == OpKind::ReduceThread) startPartial(ctx, inner.get());

  const bool hasVector = nest.vectorAxis >= 0;
  openLoops(ctx, nest.layout, false, nest.vars, mostUnrolled(nest));
  if (hasVector) nest.vars[nest.vectorAxis] = named(ctx.names.take(ctx.loopNames.ofVector()));
  for (const Step &step : steps) lowerStep(nest, step);
  // Its loops are closed: the next loop nest's elements may be called v again.
  if (hasVector) ctx.names.release(nest.vars[nest.vectorAxis].spelling());
  closeLoops(ctx, nest.layout, false);

  const Op *yield = op->region()->terminator();
  for (unsigned i = 0; i < yield->numOperands(); ++i)
    if (const Storage *storage = ctx.values.storageIf(yield->operand(i)))
      ctx.values.place(op->result(i), *storage);
}

}  // namespace tile2cu::emit
