// Rings of stages in shared memory: the waits of their readers, and the warp that fills them by bulk copies.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "emit/transform/drop_unused.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

namespace {

std::string prefixed(const SharedRing &ring, const char *name) {
  return ring.name.empty() ? name : ring.name + "_" + name;
}

// smem.full, smem.empty: of each stage a barrier.
Expr barriersOf(const SharedRing &ring, const char *which) {
  return member(named("smem"), prefixed(ring, which));
}

}  // namespace

// smem.full[stage], smem.empty[stage]
Expr KernelEmitter::ringBarrier(const Op *op, const char *which, const Expr &stage) {
  return elementOf(barriersOf(kernel_.rings[op->getInt(Attr::ring)], which), stage);
}

// The bytes that one filling of a stage brings.
Expr KernelEmitter::ringBytes(const SharedRing &ring, const Expr &stage) {
  Expr bytes = integer(0);
  for (int64_t i : ring.buffers)
    bytes = sum(bytes, call("sizeof", {sharedTile(kernel_.shared[i], stage)}));
  return bytes;
}

// const int stage = ring.take(smem.full);
Expr KernelEmitter::nextStage(Op *op, const char *name, const char *barrier, llvm::StringRef why) {
  const std::string stage = names_.take(op->result()->name);
  const SharedRing &ring = kernel_.rings[op->getInt(Attr::ring)];
  blank();
  declareConstant(word("int"), stage,
                  method(named(prefixed(ring, "ring")), name, {barriersOf(ring, barrier)}), why);
  remember(op->result(), named(stage));
  return named(stage);
}

void KernelEmitter::ringOp(Op *op) {
  const SharedRing &ring = kernel_.rings[op->getInt(Attr::ring)];
  switch (op->kind) {
    case OpKind::RingFill: {
      const Expr stage = nextStage(op, "refill", "empty", "it has been read");
      add(evaluate(call("tile2cu::barrier_expect",
                        {ringBarrier(op, "full", stage), ringBytes(ring, stage)})));
      return;
    }
    case OpKind::RingTake:
      nextStage(op, "take", "full", "its copies have landed");
      return;
    case OpKind::RingRelease:
      return releaseStage(op);
    default:
      tensorCopy(op);
  }
}

void KernelEmitter::releaseStage(const Op *op) {
  const Expr stage = scalar(op->operand(0)), lane = named("lane"), blocks = named("BLOCKS");
  const Op *taken = op->operand(0)->definition;
  const bool paired = op->getBool(Attr::paired);
  if (op->getBool(Attr::sync)) add(evaluate(call("__syncwarp", {}), "all of its lanes have"));
  Expr condition = paired ? binary(Prec::Relational, "<", lane, blocks)
                          : binary(Prec::Equality, "==", lane, integer(0));
  // Else -1 where there is none. Behind a loop there is one, but without the branch ptxas (13.0) moves reads of the sums up
  // to where they are in flight, and then serializes the products.
  if (!taken || taken->kind != OpKind::RingTake)
    condition = bothOf(condition, binary(Prec::Relational, ">=", stage, integer(0)));
  llvm::SmallVector<Expr, 2> arguments{ringBarrier(op, "empty", stage)};
  if (paired) arguments.push_back(lane);
  const Expr helper =
      paired ? instance("tile2cu::barrier_arrive_at", {blocks}) : word("tile2cu::barrier_arrive");
  add(shortIf(condition, evaluate(call(helper, arguments), "this warp has read it")));
}

// Calls `copy` with where each panel of a shared tile stands, from `row` on if that is given, and where it begins along the
// array's first dimension.
void KernelEmitter::forPanels(const SharedBuffer &buffer, const Expr &stage, const Expr &row,
                              const Expr &first,
                              llvm::function_ref<void(const Expr &place, const Expr &start)> copy) {
  const int64_t panels = buffer.shape.back() / buffer.panel;
  const Expr tile = sharedTile(buffer, stage), width = integer(buffer.panel);
  const Expr rows = row ? binary(Prec::Multiplicative, "*", row, width) : Expr{};
  if (panels == 1) return copy(rows ? addressOf(elementOf(tile, rows)) : tile, first);
  names_.open();
  const Expr panel = named(names_.take("panel"));
  open({unrolledLoop(panel.spelling(), integer(panels))});
  const Expr size = binary(Prec::Multiplicative, "*", number(buffer.shape.front()), width);
  const Expr start = binary(Prec::Multiplicative, "*", panel, size);
  copy(addressOf(elementOf(tile, rows ? sum(start, rows) : start)),
       sum(first, product(panel, width)));
  close();
  names_.close();
}

// Where a copy begins in its array: the operands from `first` on; `row` is added to one of them.
llvm::SmallVector<Expr, 4> KernelEmitter::startsFrom(const Op *op, unsigned first,
                                                     int64_t rowOperand, const Expr &row) {
  llvm::SmallVector<Expr, 4> starts;
  for (unsigned i = first; i < op->numOperands(); ++i) {
    const Expr start = scalar(op->operand(i));
    starts.push_back(row && i == rowOperand ? sum(start, row) : start);
  }
  return starts;
}

void KernelEmitter::tensorCopy(Op *op) {
  statementComment(op);
  const Expr stage = scalar(op->operand(1));
  if (op->getBool(Attr::paired)) return copyPart(op, stage);
  const auto rest = startsFrom(op, 3, -1, {});
  forPanels(kernel_.shared[op->getInt(Attr::buffer)], stage, {}, scalar(op->operand(2)),
            [&](const Expr &place, const Expr &start) {
              llvm::SmallVector<Expr, 8> arguments{place, scalar(op->operand(0)),
                                                   ringBarrier(op, "full", stage), start};
              arguments.append(rest.begin(), rest.end());
              add(evaluate(call("tile2cu::tma_load", arguments)));
            });
}

// Of the rows, the part that this block brings to all of the cluster: half of them, or all if it is by itself.
void KernelEmitter::copyPart(Op *op, const Expr &stage) {
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const Expr row = named(names_.take("part")), blocks = named("BLOCKS");
  const Expr rank = call(instance("tile2cu::cluster_rank", {blocks}), {});
  const Expr rows = binary(Prec::Multiplicative, "/", number(buffer.shape.front()), blocks);
  declareConstant(word("int"), row.spelling(), binary(Prec::Multiplicative, "*", rank, rows),
                  "its first row");
  const auto rest = startsFrom(op, 3, op->getInt(Attr::row_dim) + 2, row);
  forPanels(buffer, stage, row, scalar(op->operand(2)), [&](const Expr &place, const Expr &start) {
    llvm::SmallVector<Expr, 8> arguments{place, scalar(op->operand(0)),
                                         ringBarrier(op, "full", stage), start};
    arguments.append(rest.begin(), rest.end());
    add(evaluate(call(instance("tile2cu::tma_load_all", {blocks}), arguments)));
  });
}

void KernelEmitter::tensorCopyOut(Op *op) {
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const int64_t rows = op->getInt(Attr::rows);
  statementComment(op);
  names_.open();
  Expr row;
  if (rows) {
    // The warp's rows: all that it wrote.
    add(evaluate(call("tile2cu::fence_async_proxy", {}), "bulk copies see what this thread wrote"));
    add(evaluate(call("__syncwarp", {}), "all that its lanes wrote"));
    row = named(names_.take("row"));
  }
  const int64_t all = buffer.shape.front();
  const bool once = rows * kernel_.options.numWarps == all;
  open(branchOn(rows ? binary(Prec::Equality, "==", named("lane"), integer(0)) : loneThread()));
  const Expr first = binary(Prec::Multiplicative, "*", named("warp"), integer(rows));
  if (rows && once) declareConstant(word("int"), row.spelling(), first);
  if (rows && !once) {
    For loop = unrolledLoop(row.spelling(), number(all));
    loop.start.all[0].init = first;
    loop.advance = {row,
                    "+=", binary(Prec::Multiplicative, "*", named("NUM_WARPS"), integer(rows))};
    loop.unroll.clear();
    open({std::move(loop)});
  }
  const auto rest = startsFrom(op, 2, op->getInt(Attr::row_dim) + 1, row);
  forPanels(buffer, {}, row, scalar(op->operand(1)), [&](const Expr &place, const Expr &start) {
    llvm::SmallVector<Expr, 8> arguments{scalar(op->operand(0)), place, start};
    arguments.append(rest.begin(), rest.end());
    add(evaluate(call("tile2cu::tma_store", arguments)));
  });
  if (rows && !once) close();
  add(evaluate(call("tile2cu::tma_store_commit", {})));
  close();
  names_.close();
}

// tile2cu::ring<STAGES> ring;
Stmts KernelEmitter::ringVariables() {
  Stmts all;
  for (const SharedRing &ring : kernel_.rings)
    all.push_back(
        variable(instance("tile2cu::ring", {stagesName(ring.stages)}), prefixed(ring, "ring")));
  return all;
}

// Their barriers, as members of struct Smem.
Stmts KernelEmitter::ringMembers() {
  Stmts members;
  for (const SharedRing &ring : kernel_.rings)
    for (const auto &[name, note] : {std::pair("full", "the copies into a stage have landed"),
                                     std::pair("empty", "all warps have read it")}) {
      const Declarator barriers{prefixed(ring, name), {stagesName(ring.stages)}};
      members.push_back({Declare{word("tile2cu::barrier"), {barriers}}, note});
    }
  return members;
}

bool KernelEmitter::isPaired(const SharedRing &ring) const {
  bool paired = false;
  walk(*kernel_.producer, [&](const Op *op) {
    paired |= op->kind == OpKind::TensorCopy && op->getBool(Attr::paired) &&
              &kernel_.rings[op->getInt(Attr::ring)] == &ring;
  });
  return paired;
}

// What one thread does before all others: the barriers.
Stmts KernelEmitter::ringStart() {
  out_.begin();
  for (const SharedRing &ring : kernel_.rings) {
    const bool isLoop = ring.stages > 1;
    const Expr stage = isLoop ? named("stage") : integer(0);
    if (isLoop) {
      For loop = unrolledLoop("stage", stagesName(ring.stages));
      loop.unroll.clear();
      out_.open({std::move(loop)});
    }
    auto start = [&](const char *which, const Expr &count, const char *note) {
      const Expr barrier = elementOf(barriersOf(ring, which), stage);
      out_.add(evaluate(call("tile2cu::barrier_init", {barrier, count}), note));
    };
    const Expr warps = named("NUM_WARPS");
    start("full", integer(1), "the producer, and the bytes that it announces");
    start("empty", isPaired(ring) ? product(warps, named("BLOCKS")) : warps,
          "each warp that reads them");
    if (isLoop) out_.close();
  }
  return out_.end();
}

void KernelEmitter::writeProducer(KernelText &text) {
  for (unsigned i = 0; i < parameters_.size(); ++i)
    remember(kernel_.producer->argument(i), named(parameters_[i].name));
  text_.constants = text.constants;
  for (const Constant &constant : text.constants) names_.reserve(constant.name);
  out_.append(ringVariables());
  block(*kernel_.producer);
  bool isFirst = true;
  for (const SharedRing &ring : kernel_.rings) {
    if (!isPaired(ring)) continue;
    if (isFirst) blank();
    const Expr drain =
        call("tile2cu::drain", {named(prefixed(ring, "ring")), barriersOf(ring, "empty")});
    add(shortIf(binary(Prec::Relational, ">", named("BLOCKS"), integer(1)),
                evaluate(drain, isFirst ? "arrivals of the other block need this one" : "")));
    isFirst = false;
  }
  text.producer = dropUnused(out_.end());
  text.constants = text_.constants;
  text.helpers.insert(text_.helpers.begin(), text_.helpers.end());
}

}  // namespace tile2cu::emit
