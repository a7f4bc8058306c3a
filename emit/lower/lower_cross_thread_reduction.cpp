// Reductions across threads: in the warp by shuffles, across warps through shared memory.
#include "emit/lower/lowerings.h"
#include "emit/lower/reductions.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/spelling/cuda_scalar.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The lanes and warps that share the reduced axis, and where their results are combined.
struct Across {
  Op *op;
  const Layout &layout;               // of the partial results
  llvm::SmallVector<Digit, 2> lanes;  // fastest first
  llvm::SmallVector<Digit, 2> warps;
  int64_t warpCount = 1;
  Expr functor;
  Expr buffer;      // smem.x_sum; none: no warps
  Storage storage;  // the partial results, then the result
};

// The variable in which the results are combined: that of the partial results, unless something
// else reads those.
static Storage acrossStorage(LoweringContext &ctx, Op *op) {
  Value *partial = op->operand(0);
  Storage storage = ctx.values.stored(partial);
  storage.member.clear();
  storage.isVector = storage.isVector && op->numOperands() == 1;
  if (ctx.info.storage.sharedWith(op->result())) return storage;
  Storage copy = storage;
  const std::string &name = op->result()->name;
  copy.name = ctx.names.take(name.empty() ? "total" : name, {.second = name + "_total"});
  if (isOneVariable(ctx, *partial->type.layout())) {
    ctx.out.add(variable(valueTypeOf(ctx, op), copy.name, named(storage.name)));
  } else {
    ctx.out.add(declareArray(ctx, valueTypeOf(ctx, op), copy));
    copyStorage(ctx, copy, storage);
  }
  return copy;
}

static void bindReduced(LoweringContext &ctx, const Across &across, const LayoutRef &layout) {
  Op *op = across.op;
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Value *value = op->result(i);
    Storage result = across.storage;
    result.member = memberName(op, i);
    result.layout = layout;
    if (value->type.isTile() && value->type.layout()->registerAxes() != layout->registerAxes())
      result.axes = passes::axisMap(op, *layout, *value->type.layout());
    ctx.values.place(value, result);
    if (!value->type.isTile()) ctx.values.remember(value, result.at());
  }
}

static void reduceLanes(LoweringContext &ctx, const Across &across, const Expr &target) {
  for (const Digit &digit : across.lanes) {
    const Expr helper =
        digit.extent == 32
            ? word("tile2cu::warp_reduce")
            : instance("tile2cu::warp_reduce", {integer(digit.extent), integer(digit.stride)});
    ctx.out.set(target, call(helper, {target, across.functor}));
  }
}

// An element of the buffer: that of warp `warp` for the element `rest` of the tile without the
// axis.
static Expr partialOf(LoweringContext &ctx, const Across &across, const Expr &warp,
                      const Expr &rest) {
  const SharedBuffer &buffer = ctx.kernel.shared[across.op->getInt(Attr::buffer)];
  Expr index = warp;
  if (buffer.shape.size() > 1)
    index = flatSum(product(warp, ctx.constants.number(buffer.shape[1])), rest);
  return elementOf(across.buffer, index);
}

// Writes the result of each warp to shared memory.
static void shareWarpResults(LoweringContext &ctx, const Across &across) {
  Expr writer;
  auto isFirst = [&](const Digit &digit) {
    writer = bothOf(writer, binary(Prec::Equality, "==", unitPart(ctx, digit), integer(0)));
  };
  for (const Digit &digit : across.lanes) isFirst(digit);
  for (Unit unit : {Unit::Lane, Unit::Warp})  // only one of several copies writes
    for (const Digit &copy : across.layout.replicas(unit)) isFirst(copy);
  Expr warp = integer(0);
  for (const Digit &digit : llvm::reverse(across.warps))
    warp = sum(product(warp, ctx.constants.number(digit.extent)), unitPart(ctx, digit));
  Vars vars;
  openLoops(ctx, across.layout, true, vars);
  const Expr target = storageRef(ctx, across.storage, vars);
  reduceLanes(ctx, across, target);
  const unsigned axis = across.op->getInt(Attr::axis);
  const Expr place =
      partialOf(ctx, across, warp, sharedIndex(ctx, across.layout, across.layout, axis, vars));
  ctx.out.add(shortIf(writer, {Assign{place, "=", target}}));
  closeLoops(ctx, across.layout, true);
  ctx.out.add(barrierCall(ctx, "the warps' results are in " + across.buffer.str()));
}

// Every thread combines the warps' results, in the layout of the result. The partial results may
// have another layout.
static void combineWarpResults(LoweringContext &ctx, Across &across) {
  Op *op = across.op;
  const Layout *back = &across.layout;
  const Type &type = op->result()->type;
  bool isDeclared = true;  // else the variable begins with its first value
  if (type.isTile() &&
      !passes::sameArrays(*type.layout(), *back->withoutDim(op->getInt(Attr::axis)))) {
    back = type.layout().get();
    const std::string &name = op->result()->name;
    Storage total =
        makeStorage(ctx, type, name.empty() ? "total" : name, {.second = name + "_total"});
    if (op->numOperands() == 1) {
      describeLayout(ctx, total);
      if (isOneVariable(ctx, *back))
        isDeclared = false;
      else
        ctx.out.add(declare(ctx, type, total.name));
    } else {
      total.isVector = false;
      ctx.out.add(declareArray(ctx, valueTypeOf(ctx, op), total));
    }
    across.storage = total;
  }
  Vars vars;
  openLoops(ctx, *back, true, vars);
  const Expr target = storageRef(ctx, across.storage, vars);
  const Expr rest = sharedIndex(ctx, *back, across.layout, op->getInt(Attr::axis), vars);
  const Expr first = partialOf(ctx, across, integer(0), rest);
  if (isDeclared)
    ctx.out.set(target, first);
  else
    ctx.out.add(variable(typeOf(type), across.storage.name, first));
  // The second of two needs no loop.
  const bool areAll = across.warpCount == ctx.kernel.options.numWarps,
             hasLoop = areAll || across.warpCount != 2;
  const Symbol w = hasLoop ? ctx.names.take("w") : Symbol();
  if (hasLoop) {
    For loop = unrolledLoop(w, areAll ? named("NUM_WARPS") : integer(across.warpCount));
    loop.start.all[0].init = integer(1);
    ctx.out.open({std::move(loop)});
  }
  const auto kind = op->get(Attr::kind);
  const Expr other = partialOf(ctx, across, hasLoop ? named(w) : integer(1), rest);
  if (op->numOperands() == 1 && kind)
    ctx.out.assign(target, combineInThread(*kind, op->operand(0)->type.scalar(), target, other));
  else
    ctx.out.set(target, call(across.functor, {target, other}));
  if (hasLoop) ctx.out.close();
  closeLoops(ctx, *back, true);
}

void lower(LoweringContext &ctx, const ReduceAcrossOp &reduce) {
  Op *op = reduce.op;
  unsigned axis = op->getInt(Attr::axis);
  if (!op->getBool(Attr::role_named)) ctx.comments.statement(op);
  const Layout &layout = *op->operand(0)->type.layout();
  Across across{op, layout, {}, {}, 1, {}, {}, acrossStorage(ctx, op)};
  if (combinesThreads(op)) across.functor = combiner(ctx, op);
  for (const Digit &digit : layout.dim(axis).digits) {
    if (digit.extent == 1) continue;
    if (digit.unit == Unit::Lane) across.lanes.push_back(digit);
    if (digit.unit != Unit::Warp) continue;
    across.warps.push_back(digit);
    across.warpCount *= digit.extent;
  }
  LayoutRef rest = layout.withoutDim(axis);
  ctx.constants.keep(rest);
  if (!op->has(Attr::buffer)) {
    if (!across.lanes.empty()) {
      Vars vars;
      openLoops(ctx, layout, true, vars);
      reduceLanes(ctx, across, storageRef(ctx, across.storage, vars));
      closeLoops(ctx, layout, true);
    }
    bindReduced(ctx, across, rest);
    return;
  }
  across.buffer = sharedTile(ctx, op->getInt(Attr::buffer));
  // The helper has a barrier for all threads of the block, which a producer warp would not reach.
  bool wholeBlock = !ctx.kernel.producer && isOneVariable(ctx, layout) &&
                    across.lanes.size() == 1 && across.lanes[0].extent == 32 &&
                    across.warpCount == ctx.kernel.options.numWarps;
  if (wholeBlock) {
    const Expr value = named(across.storage.name);
    const Expr helper = instance("tile2cu::block_reduce", {named("NUM_WARPS")});
    const Expr reduced = call(helper, {value, across.functor, across.buffer});
    ctx.out.add({Assign{value, "=", reduced}, "synchronizes all threads once"});
    bindReduced(ctx, across, rest);
    return;
  }
  shareWarpResults(ctx, across);
  const Symbol before = across.storage.name;
  combineWarpResults(ctx, across);
  bindReduced(ctx, across, across.storage.name == before ? rest : op->result()->type.layout());
}

}  // namespace tile2cu::emit
