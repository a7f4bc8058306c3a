// Asynchronous copies: the local functions that start them, their calls, and the waits.
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The name of argument `i` at a call of the function: the value's own, or the one that it
// would have.
static std::string argumentName(LoweringContext &ctx, const LocalFunctionOp &function, unsigned i) {
  std::string name;
  for (const Op *call : ctx.info.localFunctions.callersOf(function.op)) {
    const Value *value = call->operand(i);
    if (!ctx.scalarNames.hintOf(value).empty())
      name = ctx.scalarNames.hintOf(value);
    else if (name.empty() && value->definition)
      name = ctx.scalarNames.roleName(value->definition);
  }
  return name.empty() ? "value" : name;
}

// Whether the thread's part of the addresses is in the pointers.
static bool takesThreadPointers(const LocalFunctionOp &function) {
  bool found = false;
  walk(*function->region(), [&](const Op *op) { found |= op->getBool(Attr::registers_only); });
  return found;
}

// const auto copy_x_y = [&](int stage, int k, const __half* a_ptrs) { ... };
void lower(LoweringContext &ctx, const LocalFunctionOp &function) {
  const Block &region = *function->region();
  const Symbol name = ctx.names.take(function.name());
  ctx.names.open();
  llvm::SmallVector<FunctionParameter, 4> parameters;
  for (auto &argument : region.arguments) {
    if (argument->name.empty())
      ctx.scalarNames.setHint(argument.get(), argumentName(ctx, function, argument->index));
    const Symbol parameter = ctx.names.take(ctx.scalarNames.hintOf(argument.get()));
    ctx.values.remember(argument.get(), named(parameter));
    parameters.push_back({typeOf(argument->type), parameter});
  }
  const bool isItem = function->getBool(Attr::item);
  ctx.out.begin();
  ctx.out.setAfterComment(true);
  std::set<int> said = ctx.comments.said();
  lowerBlock(ctx, region);
  // The operations of a work item are written here and in the loop. Both get the comments.
  if (isItem) ctx.comments.restore(std::move(said));
  Stmts body = ctx.out.end();
  ctx.out.setAfterComment(false);
  ctx.out.blank();
  ctx.out.comment(isItem ? "Starts the copies of an item's first iterations."
                         : "Starts the copies of one iteration of the loop into a stage.");
  if (!isItem && takesThreadPointers(function))
    ctx.out.comment("Each pointer is to the first element that this thread copies.");
  ctx.names.close();
  ctx.localFunctions[function.op] = {name, ctx.names.readsOf(body), {}, {}};
  ctx.out.open(localFunction(name, parameters));
  ctx.out.append(std::move(body));
  ctx.out.close();
  ctx.out.blank();
}

void lower(LoweringContext &ctx, const CallOp &call) {
  llvm::SmallVector<Expr, 4> arguments;
  for (const Value *operand : call->operands()) arguments.push_back(scalar(ctx, operand));
  const Op *const called = ctx.info.localFunctions.calledBy(call.op);
  const LocalFunctionText &function = ctx.localFunctions.at(called);
  T2C_ASSERT(!ctx.names.firstChanged(function.reads));
  ctx.out.add(evaluate(emit::call(named(function.name), arguments)));
}

void lower(LoweringContext &ctx, const AsyncCommitOp &) {
  ctx.out.add(evaluate(Effect::Synchronizes, call("tile2cu::cp_async_commit", {})));
}

void lower(LoweringContext &ctx, const AsyncWaitOp &wait) {
  const Expr count = ctx.constants.stagesLess2(wait.pending_opt());
  ctx.out.add(evaluate(Effect::Synchronizes, call(instance("tile2cu::cp_async_wait", {count}), {}),
                       "this thread's copies into the next stage completed"));
}

}  // namespace tile2cu::emit
