// Rings of stages in shared memory: the waits of their readers, and the warp that fills them by
// TMA loads.
#include "emit/lower/lowerings.h"
#include "emit/lower/rings.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

std::string nameInRing(const SharedRing &ring, const char *name) {
  return ring.name.empty() ? name : ring.name + "_" + name;
}

namespace {

// smem.full, smem.empty: of each stage a barrier.
Expr barriersOf(const SharedRing &ring, const char *which) {
  return member(named("smem"), nameInRing(ring, which));
}

Expr pipelineOf(const SharedRing &ring) { return named(Symbol(nameInRing(ring, "pipeline"))); }

}  // namespace

// smem.full[stage], smem.empty[stage]
static Expr ringBarrier(LoweringContext &ctx, const Op *op, const char *which, const Expr &stage) {
  return elementOf(barriersOf(ctx.kernel.rings[op->getInt(Attr::ring)], which), stage);
}

// The bytes that one filling of a stage brings.
static Expr ringBytes(LoweringContext &ctx, const SharedRing &ring, const Expr &stage) {
  Expr bytes = integer(0);
  for (int64_t i : ring.buffers) bytes = sum(bytes, call("sizeof", {sharedTile(ctx, i, stage)}));
  return bytes;
}

// const int stage = pipeline.consumer_wait(smem.full);
static Expr nextStage(LoweringContext &ctx, const Op *op, const char *name, const char *barrier,
                      llvm::StringRef why) {
  const SharedRing &ring = ctx.kernel.rings[op->getInt(Attr::ring)];
  const Symbol stage = ctx.names.take(op->result()->name, {.second = nameInRing(ring, "stage")});
  ctx.out.blank();
  Stmt next = constant(word("int"), stage,
                       method(pipelineOf(ring), name, {barriersOf(ring, barrier)}), why);
  next.effect = Effect::Synchronizes;
  ctx.out.add(std::move(next));
  ctx.values.remember(op->result(), named(stage));
  return named(stage);
}

void lower(LoweringContext &ctx, const ProducerAcquireOp &acquire) {
  const Expr stage = nextStage(ctx, acquire.op, "producer_acquire", "empty", "wait for release");
  const Expr bytes = ringBytes(ctx, ctx.kernel.rings[acquire.ring()], stage);
  ctx.out.add(
      evaluate(Effect::Synchronizes, call("tile2cu::mbarrier_arrive_expect_tx",
                                          {ringBarrier(ctx, acquire.op, "full", stage), bytes})));
}

void lower(LoweringContext &ctx, const ConsumerWaitOp &wait) {
  nextStage(ctx, wait.op, "consumer_wait", "full", "its TMA loads have completed");
}

void lower(LoweringContext &ctx, const ConsumerReleaseOp &op) {
  const Expr stage = scalar(ctx, op.stage()), lane = named("lane"), blocks = named("CLUSTER");
  const Op *taken = op.stage()->definition;
  const bool paired = op->getBool(Attr::for_cluster);
  if (op->getBool(Attr::sync))
    ctx.out.add(
        evaluate(Effect::Synchronizes, call("__syncwarp", {}), "all lanes are done with it"));
  Expr condition = paired ? binary(Prec::Relational, "<", lane, blocks)
                          : binary(Prec::Equality, "==", lane, integer(0));
  // Else -1 where there is none. After a loop there is one, but without the branch ptxas (13.0)
  // moves reads of the accumulator up to where they are in flight, and then serializes the
  // wgmmas.
  if (!taken || taken->kind != OpKind::ConsumerWait)
    condition = bothOf(condition, binary(Prec::Relational, ">=", stage, integer(0)));
  llvm::SmallVector<Expr, 2> arguments{ringBarrier(ctx, op.op, "empty", stage)};
  if (paired) arguments.push_back(lane);
  const Expr helper = paired ? instance("tile2cu::mbarrier_arrive_cluster", {blocks})
                             : word("tile2cu::mbarrier_arrive");
  ctx.out.add(shortIf(
      condition, evaluate(Effect::Synchronizes, call(helper, arguments), "this warp releases it")));
}

// Calls `copy` with the address of each panel of the shared tile of `op`, from `row` on if that is
// given, and with its start along the array's first dimension.
static void forPanels(LoweringContext &ctx, const Op *op, const Expr &stage, const Expr &row,
                      const Expr &first,
                      llvm::function_ref<void(const Expr &place, const Expr &start)> copy) {
  const SharedBuffer &buffer = ctx.kernel.shared[op->getInt(Attr::buffer)];
  const Dim panels = buffer.shape.back().over(buffer.panel);
  const Expr tile = sharedTile(ctx, op->getInt(Attr::buffer), stage), width = integer(buffer.panel);
  if (panels == 1) return copy(row ? addressOf(elementOf(tile, row)) : tile, first);
  const Expr rows = row ? binary(Prec::Multiplicative, "*", row, width) : Expr{};
  ctx.names.open();
  const Expr panel = named(ctx.names.take("panel"));
  ctx.out.open({unrolledLoop(panel.symbol(), ctx.constants.number(panels))});
  const Expr size =
      binary(Prec::Multiplicative, "*", ctx.constants.number(buffer.shape.front()), width);
  const Expr start = binary(Prec::Multiplicative, "*", panel, size);
  copy(addressOf(elementOf(tile, rows ? sum(start, rows) : start)),
       sum(first, product(panel, width)));
  ctx.out.close();
  ctx.names.close();
}

// Where a copy begins in its array: the operands from `first` on; `row` is added to one of them.
static llvm::SmallVector<Expr, 4> startsFrom(LoweringContext &ctx, const Op *op, unsigned first,
                                             int64_t rowOperand, const Expr &row) {
  llvm::SmallVector<Expr, 4> starts;
  for (unsigned i = first; i < op->numOperands(); ++i) {
    const Expr start = scalar(ctx, op->operand(i));
    starts.push_back(row && i == rowOperand ? sum(start, row) : start);
  }
  return starts;
}

// Adds tile2cu::NAME<TEMPLATES>(arguments, coordinates), and notes which overload the file needs:
// the one for as many dimensions as there are coordinates.
static void addTmaCall(LoweringContext &ctx, const std::string &name, std::vector<Expr> templates,
                       llvm::SmallVector<Expr, 8> arguments, const Expr &start,
                       llvm::ArrayRef<Expr> rest) {
  ctx.helpers.insert(name + "." + std::to_string(1 + rest.size()));
  arguments.push_back(start);
  arguments.append(rest.begin(), rest.end());
  const std::string function = "tile2cu::" + name;
  ctx.out.add(evaluate(
      Effect::Synchronizes,
      call(templates.empty() ? word(function) : instance(function, templates), arguments)));
}

// The part of the rows that this block brings to all of the cluster: half of them, or all if it is
// by itself.
static void copyPart(LoweringContext &ctx, const Op *op, const Expr &stage) {
  const SharedBuffer &buffer = ctx.kernel.shared[op->getInt(Attr::buffer)];
  const Expr row = named(ctx.names.take("part")), blocks = named("CLUSTER");
  const Expr rank = call(instance("tile2cu::cluster_rank", {blocks}), {});
  const Expr rows =
      binary(Prec::Multiplicative, "/", ctx.constants.number(buffer.shape.front()), blocks);
  ctx.out.declareConstant(word("int"), row.symbol(), binary(Prec::Multiplicative, "*", rank, rows),
                          "its first row");
  const auto rest = startsFrom(ctx, op, 3, op->getInt(Attr::row_dim) + 2, row);
  forPanels(ctx, op, stage, row, scalar(ctx, op->operand(2)),
            [&](const Expr &place, const Expr &start) {
              addTmaCall(ctx, "tma_load_multicast", {blocks},
                         {place, scalar(ctx, op->operand(0)), ringBarrier(ctx, op, "full", stage)},
                         start, rest);
            });
}

void lower(LoweringContext &ctx, const TmaLoadOp &copy) {
  const Op *op = copy.op;
  ctx.comments.statement(op);
  const Expr stage = scalar(ctx, op->operand(1));
  if (op->getBool(Attr::for_cluster)) return copyPart(ctx, op, stage);
  const auto rest = startsFrom(ctx, op, 3, -1, {});
  forPanels(ctx, op, stage, {}, scalar(ctx, op->operand(2)),
            [&](const Expr &place, const Expr &start) {
              addTmaCall(ctx, "tma_load", {},
                         {place, scalar(ctx, op->operand(0)), ringBarrier(ctx, op, "full", stage)},
                         start, rest);
            });
}

void lower(LoweringContext &ctx, const TensorMapOp &map) {
  ctx.values.remember(map->result(), named(Symbol(map->result()->name)));
}

void lower(LoweringContext &ctx, const TmaStoreWaitOp &wait) {
  const bool isWritten = wait->getBool(Attr::written);
  ctx.out.add(shortIf(
      binary(Prec::Equality, "==", named("lane"), integer(0)),
      evaluate(Effect::Synchronizes,
               call(instance(isWritten ? "tile2cu::tma_store_wait" : "tile2cu::tma_store_wait_read",
                             {integer(0)}),
                    {}),
               isWritten ? "earlier TMA stores have been written"
                         : "the TMA stores have read the shared tile")));
  if (wait->getBool(Attr::warp))
    ctx.out.add(evaluate(Effect::Synchronizes, call("__syncwarp", {}), "it may be written again"));
}

void lower(LoweringContext &ctx, const TmaStoreOp &copy) {
  const Op *op = copy.op;
  const SharedBuffer &buffer = ctx.kernel.shared[op->getInt(Attr::buffer)];
  const int64_t rows = op->getInt(Attr::rows);
  ctx.comments.statement(op);
  ctx.names.open();
  Expr row;
  if (rows) {
    // The warp's rows: all that it wrote.
    ctx.out.add(evaluate(call("tile2cu::fence_proxy_async", {}),
                         "this thread's writes are visible to TMA"));
    ctx.out.add(
        evaluate(Effect::Synchronizes, call("__syncwarp", {}), "so are those of all lanes"));
    row = named(ctx.names.take("row"));
  }
  const int64_t all = buffer.shape.front();
  const bool once = rows * ctx.kernel.options.numWarps == all;
  ctx.out.open(
      branchOn(rows ? binary(Prec::Equality, "==", named("lane"), integer(0)) : loneThread(ctx)));
  const Expr first = binary(Prec::Multiplicative, "*", named("warp"), integer(rows));
  if (rows && once) ctx.out.declareConstant(word("int"), row.symbol(), first);
  if (rows && !once) {
    For loop = unrolledLoop(row.symbol(), ctx.constants.number(all));
    loop.start.all[0].init = first;
    loop.advance = {row,
                    "+=", binary(Prec::Multiplicative, "*", named("NUM_WARPS"), integer(rows))};
    loop.unroll.clear();
    ctx.out.open({std::move(loop)});
  }
  const auto rest = startsFrom(ctx, op, 2, op->getInt(Attr::row_dim) + 1, row);
  forPanels(ctx, op, {}, row, scalar(ctx, op->operand(1)),
            [&](const Expr &place, const Expr &start) {
              addTmaCall(ctx, "tma_store", {}, {scalar(ctx, op->operand(0)), place}, start, rest);
            });
  if (rows && !once) ctx.out.close();
  ctx.out.add(evaluate(Effect::Synchronizes, call("tile2cu::tma_store_commit", {})));
  ctx.out.close();
  ctx.names.close();
}

Stmts ringVariables(LoweringContext &ctx) {
  Stmts all;
  for (const SharedRing &ring : ctx.kernel.rings)
    all.push_back(variable(instance("tile2cu::pipeline_state", {ctx.constants.stages(ring.stages)}),
                           pipelineOf(ring).symbol()));
  return all;
}

Stmts ringMembers(LoweringContext &ctx) {
  Stmts members;
  for (const SharedRing &ring : ctx.kernel.rings)
    for (const auto &[name, note] : {std::pair("full", "the TMA loads into a stage have completed"),
                                     std::pair("empty", "all consumer warps have released it")}) {
      const Declarator barriers{Symbol(nameInRing(ring, name)),
                                {ctx.constants.stages(ring.stages)}};
      members.push_back({Declare{word("tile2cu::mbarrier"), {barriers}}, note});
    }
  return members;
}

static bool isPaired(LoweringContext &ctx, const SharedRing &ring) {
  bool paired = false;
  walk(*ctx.kernel.producer, [&](const Op *op) {
    paired |= op->kind == OpKind::TmaLoad && op->getBool(Attr::for_cluster) &&
              &ctx.kernel.rings[op->getInt(Attr::ring)] == &ring;
  });
  return paired;
}

Stmts ringStart(LoweringContext &ctx) {
  ctx.out.begin();
  for (const SharedRing &ring : ctx.kernel.rings) {
    const bool isLoop = ring.stages > 1;
    const Expr stage = isLoop ? named("stage") : integer(0);
    if (isLoop) {
      For loop = unrolledLoop("stage", ctx.constants.stages(ring.stages));
      loop.unroll.clear();
      ctx.out.open({std::move(loop)});
    }
    auto start = [&](const char *which, const Expr &count, const char *note) {
      const Expr barrier = elementOf(barriersOf(ring, which), stage);
      ctx.out.add(
          evaluate(Effect::Synchronizes, call("tile2cu::mbarrier_init", {barrier, count}), note));
    };
    const Expr warps = named("NUM_WARPS");
    start("full", integer(1), "the producer's arrival, and TMA's bytes");
    start("empty", isPaired(ctx, ring) ? product(warps, named("CLUSTER")) : warps,
          "one of each consumer warp");
    if (isLoop) ctx.out.close();
  }
  return ctx.out.end();
}

Stmts producerBody(LoweringContext &ctx) {
  ctx.out.append(ringVariables(ctx));
  lowerBlock(ctx, *ctx.kernel.producer);
  bool isFirst = true;
  for (const SharedRing &ring : ctx.kernel.rings) {
    if (!isPaired(ctx, ring)) continue;
    if (isFirst) ctx.out.blank();
    const Expr tail = call("tile2cu::producer_tail", {pipelineOf(ring), barriersOf(ring, "empty")});
    ctx.out.add(shortIf(binary(Prec::Relational, ">", named("CLUSTER"), integer(1)),
                        evaluate(Effect::Synchronizes, tail,
                                 isFirst ? "stay resident until the peer has arrived" : "")));
    isFirst = false;
  }
  return ctx.out.end();
}

}  // namespace tile2cu::emit
