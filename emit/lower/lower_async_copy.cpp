// Copies that run ahead of a loop: the statements that several places invoke, and the waits for
// them.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

// The name of argument `i` at a place that invokes the phase: the value's own, or the one that it
// would have.
static std::string argumentName(LoweringContext &ctx, const LocalFunctionOp &phase, unsigned i) {
  std::string name;
  walk(ctx.kernel.body, [&](const Op *op) {
    if (op->kind != OpKind::Call || op->getInt(Attr::id) != phase.id()) return;
    const Value *value = op->operand(i);
    if (!ctx.scalarNames.hintOf(value).empty())
      name = ctx.scalarNames.hintOf(value);
    else if (name.empty() && value->definition)
      name = ctx.scalarNames.roleName(value->definition);
  });
  return name.empty() ? "value" : name;
}

// const auto copy_x_y = [&](int stage, int k, const __half* a_ptrs) { ... };
void lower(LoweringContext &ctx, const LocalFunctionOp &phase) {
  const Block &region = *phase->region();
  const std::string name = ctx.names.take(phase.name());
  ctx.names.open();
  llvm::SmallVector<FunctionParameter, 4> parameters;
  for (auto &argument : region.arguments) {
    if (argument->name.empty())
      ctx.scalarNames.setHint(argument.get(), argumentName(ctx, phase, argument->index));
    const std::string parameter = ctx.names.take(ctx.scalarNames.hintOf(argument.get()));
    ctx.values.remember(argument.get(), named(parameter));
    parameters.push_back({typeOf(argument->type), parameter});
  }
  const bool isItem = phase->getBool(Attr::item);
  ctx.out.begin();
  ctx.out.setAfterComment(true);
  ctx.inPhase = true;
  std::set<int> said = ctx.comments.said();
  lowerBlock(ctx, region);
  // The operations of an item, which are written here and in its step, are explained in both
  // places.
  if (isItem) ctx.comments.restore(std::move(said));
  ctx.inPhase = false;
  Stmts body = ctx.out.end();
  ctx.out.setAfterComment(false);
  ctx.out.blank();
  ctx.out.comment(isItem
                      ? "Starts the copies of an item's first steps."
                      : "Starts the copies of one step of the loop into a stage of shared memory.");
  ctx.names.close();
  ctx.phases[phase.id()] = {name, ctx.names.readsOf(body)};
  ctx.out.open(localFunction(name, parameters));
  ctx.out.append(std::move(body));
  ctx.out.close();
  ctx.out.blank();
}

void lower(LoweringContext &ctx, const CallOp &invoke) {
  llvm::SmallVector<Expr, 4> arguments;
  for (const Value *operand : invoke->operands()) arguments.push_back(scalar(ctx, operand));
  const PhaseFunction &function = ctx.phases.at(invoke.id());
  T2C_ASSERT(ctx.names.firstChanged(function.reads).empty());
  ctx.out.add(evaluate(call(named(function.name), arguments)));
}

void lower(LoweringContext &ctx, const AsyncCommitOp &) {
  ctx.out.add(evaluate(call("tile2cu::cp_async_commit", {})));
}

void lower(LoweringContext &ctx, const AsyncWaitOp &wait) {
  const Expr count = ctx.constants.stagesLess2(wait.pending_opt());
  ctx.out.add(evaluate(call(instance("tile2cu::cp_async_wait", {count}), {}),
                       "the copies of the next step to compute have landed"));
}

}  // namespace tile2cu::emit
