// Dots by warpgroups (wgmma): four warps, 64 rows of accumulators, operands that the
// tensor cores read from shared memory.
#include "emit/lower/lowerings.h"
#include "emit/lower/mma_fragments.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "fmt/format.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;
using passes::kGroupRows;
using passes::MmaShape;

namespace {

int64_t rowBytes(const SharedBuffer &buffer) { return buffer.panel * byteWidth(buffer.members[0]); }

const char *majorOf(const Op *dot, unsigned which) {
  return isAlongK(dot, which) ? "tile2cu::major::k" : "tile2cu::major::mn";
}

// How many warpgroups stand side by side over columns.
int64_t groupsOverColumns(const Layout &layout) { return layout.extentAlong(1, Unit::Warp); }

// warp / 4 * by, where there is more than one group.
Expr groupTimes(const Layout &layout, int64_t by) {
  if (layout.numWarps() == 4) return integer(0);
  Expr group = binary(Prec::Multiplicative, "/", named("warp"), literal(Scalar::I32, int64_t{4}));
  return product(group, literal(Scalar::I32, by));
}

}  // namespace

// The first row of matrix `i` of this warpgroup's accumulator.
static Expr groupRow(LoweringContext &ctx, const Layout &layout, const Symbol &i) {
  const int64_t across = groupsOverColumns(layout), groups = layout.numWarps() / 4;
  const bool isLoop = !ctx.constants.isDropped(layout, 0);
  if (across == 1) {
    Expr first = groupTimes(layout, kGroupRows);
    if (!isLoop) return first;
    return sum(product(named(i), literal(Scalar::I32, kGroupRows * groups)), first);
  }
  Expr row = groups == across ? integer(0)
                              : binary(Prec::Multiplicative, "/", named("warp"),
                                       literal(Scalar::I32, 4 * across));
  if (isLoop) row = sum(product(row, ctx.constants.extent(layout, 0)), named(i));
  return product(row, literal(Scalar::I32, kGroupRows));
}

static Expr stageOf(LoweringContext &ctx, const Op *dot, unsigned which) {
  const Value *stage = passes::stageOf(dot, which);
  return stage ? scalar(ctx, stage) : Expr{};
}

// sizeof(__half[BLOCK_N][64])
static Expr panelBytes(LoweringContext &ctx, const SharedBuffer &buffer) {
  const Expr columns = buffer.panel == buffer.shape.back()
                           ? ctx.constants.number(buffer.shape.back())
                           : integer(buffer.panel);
  return call("sizeof", {subscript(typeOf(buffer.members[0]),
                                   {ctx.constants.number(buffer.shape.front()), columns})});
}

// The matrix descriptor of an operand, made from the address of its first element.
static Expr groupOperand(LoweringContext &ctx, const Op *dot, unsigned which, const Expr &across,
                         const Expr &k) {
  const SharedBuffer &buffer = ctx.kernel.shared[dot->getInts(Attr::buffers)[which]];
  const Expr stage = stageOf(ctx, dot, which);
  llvm::SmallVector<Expr, 2> arguments{
      addressOf(which ? operandElement(ctx, dot, 1, stage, {k, across})
                      : operandElement(ctx, dot, 0, stage, {across, k}))};
  // Panels after each other along rows or columns of the accumulator.
  if (!isAlongK(dot, which)) arguments.push_back(panelBytes(ctx, buffer));
  return call(instance("tile2cu::wgmma_operand", {integer(rowBytes(buffer))}), arguments);
}

// Packs the accumulators of another dot as the first operand. All of it is packed at once, because
// the wgmmas read the registers until they are complete.
static void packFirst(LoweringContext &ctx, const Op *dot, const Symbol &fragments) {
  const Layout &layout = *dot->result()->type.layout();
  ctx.names.open();
  const Symbol kk = ctx.names.take("kk"), i = ctx.names.take("i");
  Declarator array{fragments, {stepsOfK(ctx, dot)}};
  if (!ctx.constants.isDropped(layout, 0)) array.extents.push_back(ctx.constants.extent(layout, 0));
  array.extents.push_back(integer(4));
  ctx.out.add({Declare{word("uint32_t"), {array}}});
  ctx.out.open({unrolledLoop(kk, stepsOfK(ctx, dot))});
  openMatrices(ctx, layout, 0, i);
  loadFirstInPlace(ctx, dot, {elementOf(named(fragments), named(kk)), {}, kk, {}}, i);
  closeMatrices(ctx, layout, 0);
  ctx.out.close();
  ctx.names.close();
}

// Starts the wgmmas of all k-steps.
static void wgmmaKSteps(LoweringContext &ctx, const Op *op, const Storage &storage,
                        const Expr &fragments) {
  const MmaShape &shape = shapeOf(op);
  const Layout &layout = *op->result()->type.layout();
  const int64_t columns = op->getInt(Attr::group_columns);
  const std::string helper = passes::groupHelper(shape, columns);
  const bool inRegisters = op->operand(2) != nullptr;
  ctx.names.open();
  const Symbol kk = ctx.names.take("kk"), i = ctx.names.take("i");
  llvm::SmallVector<Expr, 2> written;
  if (passes::fenceNamesAccumulator(ctx.info.storage, op)) written.push_back(named(storage.name));
  if (inRegisters) written.push_back(fragments);
  ctx.out.add(evaluate(Effect::Wgmma, call("tile2cu::wgmma_fence", written)));
  ctx.out.open({unrolledLoop(kk, stepsOfK(ctx, op))});
  openMatrices(ctx, layout, 0, i);
  Expr k = product(named(kk), literal(Scalar::I32, shape.k));
  Expr column = integer(0);
  if (const int64_t across = groupsOverColumns(layout); across > 1) {
    column = groupTimes(layout, 1);
    if (layout.numWarps() / 4 != across)
      column = binary(Prec::Multiplicative, "%", column, literal(Scalar::I32, across));
    column = product(column, literal(Scalar::I32, columns));
  }
  const SharedBuffer &second = ctx.kernel.shared[op->getInts(Attr::buffers)[1]];
  llvm::SmallVector<Expr, 4> forms{word(inRegisters ? "tile2cu::major::k" : majorOf(op, 0)),
                                   word(majorOf(op, 1))};
  const int64_t firstBytes =
                    inRegisters ? 128 : rowBytes(ctx.kernel.shared[op->getInts(Attr::buffers)[0]]),
                secondBytes = rowBytes(second);
  if (firstBytes != 128 || secondBytes != 128)
    forms.append({integer(firstBytes), integer(secondBytes)});
  const Expr a = inRegisters ? matrixOf(ctx, elementOf(fragments, named(kk)), layout, 0, i)
                             : groupOperand(ctx, op, 0, groupRow(ctx, layout, i), k);
  const Expr b = groupOperand(ctx, op, 1, column, k);
  const Expr adds =
      op->operand(0) ? word("true") : binary(Prec::Relational, ">", named(kk), integer(0));
  ctx.out.add(evaluate(Effect::Wgmma,
                       call(instance("tile2cu::" + helper, forms),
                            {matrixOf(ctx, named(storage.name), layout, 0, i), a, b, adds})));
  closeMatrices(ctx, layout, 0);
  ctx.out.close();
  ctx.out.add(evaluate(Effect::Wgmma, call("tile2cu::wgmma_commit", {})));
  ctx.names.close();
}

// const auto multiply_scores = [&](int stage) { ... };
static void declareFunction(LoweringContext &ctx, const Op *dot, const Storage &storage,
                            const std::string &note) {
  const Symbol name = ctx.names.take("multiply_" + storage.name.wanted().str());
  ctx.localFunctions[dot] = {name, {}, {}, {}};
  ctx.names.open();
  llvm::SmallVector<FunctionParameter, 2> parameters;
  std::vector<std::pair<const Value *, Remembered>> outside;
  for (const Value *stage : passes::stagesOf(ctx.kernel, dot)) {
    parameters.push_back({word("int"), ctx.names.take("at")});
    outside.emplace_back(stage, ctx.values.remembered(scalar(ctx, stage)));
    ctx.values.remember(stage, named(parameters.back().name));
  }
  ctx.out.comment(note + " In flight until a wgmma_wait.");
  ctx.out.open(localFunction(name, parameters));
  wgmmaKSteps(ctx, dot, storage, {});
  ctx.out.close();
  for (auto &[stage, known] : outside) ctx.values.remember(stage, std::move(known));
  ctx.names.close();
}

static void callFunction(LoweringContext &ctx, const Op *dot, const Symbol &name) {
  llvm::SmallVector<Expr, 2> stages;
  for (const Value *stage : passes::stagesOf(ctx.kernel, dot)) stages.push_back(scalar(ctx, stage));
  ctx.out.add(evaluate(call(named(name), stages)));
}

void wgmmaShared(LoweringContext &ctx, const Op *op, const Storage &storage) {
  const MmaShape &shape = shapeOf(op);
  const int64_t columns = op->getInt(Attr::group_columns);
  const bool inRegisters = op->operand(2) != nullptr;
  const std::string note =
      fmt::format("Tensor cores: {} for the 64 x {} accumulators of a warpgroup, k-steps of {}.",
                  passes::groupHelper(shape, columns), columns, shape.k);
  if (inRegisters) {
    ctx.out.openPart("multiply_" + storage.name.wanted().str());
    ctx.out.comment(note);
    const Symbol fragments = ctx.names.take("a_frag");
    packFirst(ctx, op, fragments);
    wgmmaKSteps(ctx, op, storage, named(fragments));
    ctx.out.closePart();
  } else if (const Op *function = ctx.info.localFunctions.calledBy(op)) {
    if (function == op) declareFunction(ctx, op, storage, note);
    callFunction(ctx, op, ctx.localFunctions.at(function).name);
  } else {
    ctx.out.openPart("multiply_" + storage.name.wanted().str());
    ctx.out.comment(note);
    wgmmaKSteps(ctx, op, storage, {});
    ctx.out.closePart();
  }
  ctx.names.change(storage.name);
  if (!op->getBool(Attr::async))
    ctx.out.add(evaluate(
        Effect::Wgmma, call(instance("tile2cu::wgmma_wait", {integer(0)}), {named(storage.name)})));
}

void lower(LoweringContext &ctx, const DotWaitOp &op) {
  const int64_t pending = op->getInt(Attr::pending);
  const auto wait = [&](llvm::ArrayRef<Expr> accumulators, llvm::StringRef note) {
    ctx.out.add(evaluate(Effect::Wgmma,
                         call(instance("tile2cu::wgmma_wait", {integer(pending)}), accumulators),
                         note));
  };
  const std::string note =
      pending == 0   ? "no wgmma is in flight"
      : pending == 1 ? "complete; the newest wgmma stays in flight"
                     : fmt::format("complete; the newest {} wgmmas stay in flight", pending);
  for (unsigned i = 0; i < op->numResults(); ++i) {
    ctx.values.place(op->result(i), ctx.values.storageOf(op->operand(i)));
    wait({named(ctx.values.storageOf(op->operand(i)).name)}, note);
  }
  if (op->results.empty())
    wait({}, pending == 1 ? "the previous wgmma is complete"
                          : "the previous iteration's wgmmas are complete");
}

}  // namespace tile2cu::emit
