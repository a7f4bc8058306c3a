#include "emit/lower/loop_nest.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/mma_layout.h"
#include "emit/lower/reductions.h"
#include "emit/spelling/cuda_scalar.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/target/tunables.h"

namespace tile2cu::emit {
using namespace ir;

// Whether the elements of a fragment are one loop: nothing takes whole vectors, and nothing depends
// on rows and columns. Otherwise there are two loops, so that the position of a pair is computed
// once. (With one, ptxas does not find all that is equal: kernels with unaligned stores spilled up
// to 168 bytes.)
static bool hasOneLoop(const Layout &layout, const Op *nest, const passes::NestSteps &steps) {
  return hasFragments(layout) &&
         llvm::none_of(steps.steps(), [](const passes::NestStep &step) { return step.access; }) &&
         llvm::none_of(nest->region()->ops,
                       [](const auto &op) { return op->kind == OpKind::Arange; });
}

static int vectorAxisOf(LoweringContext &ctx, const Layout &layout, const Op *nest,
                        const passes::NestSteps &steps) {
  const auto vector = ctx.constants.vectorAxisOf(layout);
  return vector && !hasOneLoop(layout, nest, steps) ? int(vector->axis) : -1;
}

LoopNest::LoopNest(LoweringContext &ctx, Op *op)
    : ctx(ctx),
      op(op),
      layout(*op->layout),
      steps(ctx.kernel, op, ctx.constants.vectorAxisOf(layout)),
      vectorAxis(vectorAxisOf(ctx, layout, op, steps)) {}

// Whether a loop nest computes tiles, or reads elements of tiles. Registers are indexed by
// constants only, so loops over them are unrolled.
static bool usesArrays(const Op *nest) {
  if (nest->numResults() > 0) return true;
  return llvm::any_of(nest->region()->ops, [&](const auto &op) {
    return llvm::any_of(op->operands(), [&](const Value *operand) {
      return operand && operand->type.isTile() && definedOutside(operand, *nest->region());
    });
  });
}

// How often the loops are unrolled; none: completely. Asynchronous copies keep nothing in
// registers, and those of single elements are many and need not all be in flight at once.
static std::optional<int64_t> mostUnrolled(const LoopNest &nest) {
  if (!passes::isInLocalFunction(nest.op) || usesArrays(nest.op)) return std::nullopt;
  return passes::tunables().unrolled_copies;
}

// Vectors that a store takes whole are filled element by element.
static void declareVectors(LoopNest &nest, llvm::ArrayRef<Op *> elements) {
  LoweringContext &ctx = nest.ctx;
  for (const Op *element : elements) {
    const AtSource at(ctx.out, sourceOf(*element));
    for (auto &result : element->results) {
      if (ctx.values.isPlaced(result.get()) || !nest.steps.isKept(result.get())) continue;
      const Storage vector =
          result->name.empty()
              ? localVector(nest, "result", {.second = ctx.scalarNames.storedName(result.get())})
              : localVector(nest, result->name);
      ctx.values.place(result.get(), vector);
      ctx.out.add(variable(vectorType(nest, typeOf(result->type)), vector.name));
    }
  }
}

static void lowerStep(LoopNest &nest, const passes::NestStep &step) {
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
  prepareResults(nest);
  for (auto &inner : op->region()->ops)
    if (inner->kind == OpKind::ReduceThread) startPartial(ctx, inner.get());

  const bool hasVector = nest.vectorAxis >= 0;
  openLoops(ctx, nest.layout, !hasVector, nest.vars, mostUnrolled(nest));
  if (hasVector) nest.vars[nest.vectorAxis] = named(ctx.names.take(ctx.info.loopNames.ofVector()));
  for (const passes::NestStep &step : nest.steps.steps()) lowerStep(nest, step);
  // Its loops are closed: the next loop nest's elements may be called v again.
  if (hasVector) ctx.names.release(nest.vars[nest.vectorAxis].symbol());
  closeLoops(ctx, nest.layout, !hasVector);

  const Op *yield = op->region()->terminator();
  for (unsigned i = 0; i < yield->numOperands(); ++i)
    if (const Storage *storage = ctx.values.storageIf(yield->operand(i)))
      ctx.values.place(op->result(i), *storage);
}

}  // namespace tile2cu::emit
