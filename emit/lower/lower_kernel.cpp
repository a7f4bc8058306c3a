// The text of one kernel, and which lowering writes an operation.
#include "emit/lower/lower_kernel.h"

#include "emit/lower/lowerings.h"
#include "emit/lower/rings.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/spelling/parameter_names.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

KernelInfo::KernelInfo(const Kernel &kernel, const KernelOptions &options)
    : kernel(kernel),
      options(options),
      parameters(parametersOf(kernel)),
      sharedMembers(sharedMemberNames(kernel)),
      sharedMatrices(emit::sharedMatrices(kernel)) {
  lowerFunctors(*this);
}

LoweringContext::LoweringContext(const KernelInfo &info, const Block *body)
    : info(info),
      kernel(info.kernel),
      singleWarp(kernel.options.numWarps == 1),
      constants(kernel, body ? templateArgumentsOf(kernel) : std::vector<TemplateArgument>(),
                info.options.unitAxes, names) {
  if (!body) {
    comments.silence();
    return;
  }
  for (unsigned i = 0; i < info.parameters.size(); ++i)
    values.remember(body->argument(i), named(Symbol(info.parameters[i].name)));
}

// ---- operations without statements

namespace {

// Written where it is used.
void lower(LoweringContext &, const ConstantOp &) {}
void lower(LoweringContext &, const TableOp &) {}
// The launcher's business.
void lower(LoweringContext &, const RequireOp &) {}
void lower(LoweringContext &, const AssumeOp &) {}
void lower(LoweringContext &, const ClusterOp &) {}
// Nothing is assigned.
void lower(LoweringContext &, const UndefinedOp &) {}
// Written by the operation that owns the region.
void lower(LoweringContext &, const YieldOp &) {}
void lower(LoweringContext &, const BreakOp &) {}
void lower(LoweringContext &, const ContinueOp &) {}
void lower(LoweringContext &, const ConditionOp &) {}

// Written by their loop nest (loop_nest.h), or by moveInWarp.
#define ONLY_IN_LOOP_NEST(Name)                                  \
  [[noreturn]] void lower(LoweringContext &, const Name##Op &) { \
    T2C_UNREACHABLE("the operation stands in no loop nest");     \
  }
ONLY_IN_LOOP_NEST(Arange)
ONLY_IN_LOOP_NEST(Splat)
ONLY_IN_LOOP_NEST(ExpandDims)
ONLY_IN_LOOP_NEST(Broadcast)
ONLY_IN_LOOP_NEST(Reshape)
ONLY_IN_LOOP_NEST(Permute)
ONLY_IN_LOOP_NEST(Join)
ONLY_IN_LOOP_NEST(Interleave)
ONLY_IN_LOOP_NEST(Deinterleave)
ONLY_IN_LOOP_NEST(Split)
ONLY_IN_LOOP_NEST(Cat)
ONLY_IN_LOOP_NEST(Flip)
ONLY_IN_LOOP_NEST(Slice)
ONLY_IN_LOOP_NEST(Convert)
ONLY_IN_LOOP_NEST(ReduceThread)
ONLY_IN_LOOP_NEST(SharedStore)
ONLY_IN_LOOP_NEST(SharedLoad)
ONLY_IN_LOOP_NEST(AsyncCopy)
#undef ONLY_IN_LOOP_NEST

// Operations of the tile level.
#define REPLACED(Name)                                           \
  [[noreturn]] void lower(LoweringContext &, const Name##Op &) { \
    T2C_UNREACHABLE("the passes replace the operation");         \
  }
REPLACED(Extract)
REPLACED(Insert)
REPLACED(Gather)
REPLACED(Scatter)
REPLACED(Reduce)
REPLACED(Dot)
REPLACED(TensorLoad)
REPLACED(TensorStore)
#undef REPLACED

}  // namespace

// ---- all operations

static void lowerOp(LoweringContext &ctx, Op *op) {
  const AtSource at(ctx.out, sourceOf(*op));
  if (op->has(Attr::exchange)) return moveInWarp(ctx, op);
  switch (op->kind) {
#define ELEMENTWISE(Name, ...) \
  case OpKind::Name:           \
    return lowerElementwise(ctx, op);
#define OP(Name, ...) \
  case OpKind::Name:  \
    return lower(ctx, Name##Op(op));
#include "passes/ir/ops.def"
  }
}

void lowerBlock(LoweringContext &ctx, const Block &block) {
  for (auto &op : block.ops) {
    lowerOp(ctx, op.get());
    ctx.values.holdResults(op.get());
  }
}

// ---- the kernel

// The warp that copies has names of its own, and the kernel's constants.
static void lowerProducer(KernelText &text, const KernelInfo &info, const Names &consumer) {
  LoweringContext ctx(info, info.kernel.producer.get());
  ctx.names.startAfter(consumer);
  ctx.constants.begin(text.constants);
  text.producer = producerBody(ctx);
  text.constants = ctx.constants.all();
  llvm::append_range(text.conditions, ctx.constants.conditions());
  text.helpers.insert(ctx.helpers.begin(), ctx.helpers.end());
}

KernelText lowerKernel(const Kernel &kernel, const KernelOptions &options) {
  const KernelInfo info(kernel, options);
  LoweringContext ctx(info, &kernel.body);
  KernelText text;
  lowerBlock(ctx, kernel.body);
  text.body = ctx.out.end();
  if (kernel.producer) {
    const Stmts rings = ringVariables(ctx);
    text.body.insert(text.body.begin(), rings.begin(), rings.end());
  }
  text.sharedMembers = sharedMembers(ctx);
  llvm::append_range(text.sharedMembers, ringMembers(ctx));
  if (kernel.producer) text.ringStart = ringStart(ctx);
  text.functors = info.functors.structs;
  text.helpers = std::move(ctx.helpers);
  text.helpers.insert(info.functors.helpers.begin(), info.functors.helpers.end());
  text.constants = ctx.constants.all();
  text.conditions = ctx.constants.conditions();
  if (kernel.producer) lowerProducer(text, info, ctx.names);
  return text;
}

}  // namespace tile2cu::emit
