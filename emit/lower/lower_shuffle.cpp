// Tiles that take another layout without leaving their warps: by shuffles, or in the registers of
// each thread.
#include "emit/lower/lowerings.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/layout/lane_transpose.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/layout/warp_shuffle.h"

namespace tile2cu::emit {
using namespace ir;

// An index of a register or lane of the source, with `term` for each part.
static Expr sourceIndex(const passes::SourceIndex &index,
                        llvm::function_ref<Expr(const passes::MovedPart &)> term) {
  Expr e = integer(0);
  for (const passes::MovedPart &part : llvm::reverse(index.parts))
    e = sum(e, product(term(part), literal(Scalar::I32, part.stride)));
  return sum(e, literal(Scalar::I32, index.base));
}

// A part of an index of the result, whose registers are at `vars`.
static Expr movedPart(LoweringContext &ctx, const passes::MovedPart &part, const Layout &layout,
                      llvm::ArrayRef<Expr> vars) {
  const Digit &of = part.of;
  Expr e;
  if (of.unit == Unit::Register) {
    e = vars[of.axis];
    if (of.stride > 1) e = binary(Prec::Multiplicative, "/", e, literal(Scalar::I32, of.stride));
    if (of.stride * of.extent < layout.registerAxes()[of.axis])
      e = binary(Prec::Multiplicative, "%", e, literal(Scalar::I32, of.extent));
  } else {
    e = unitPart(ctx, of);
  }
  if (!part.reversed) return e;
  return binary(Prec::Additive, "-", literal(Scalar::I32, of.extent - 1), e);
}

// b[v * 2] = lo[v]; b[v * 2 + 1] = hi[v]; or the other way
static void pairInThread(LoweringContext &ctx, Op *op) {
  const Layout &part = *passes::partOf(op)->type.layout();
  const char *fallback = op->numResults() > 1 ? "part" : "pairs";
  for (auto &result : op->results) {
    if (result->unused()) continue;
    const Storage target =
        makeStorage(ctx, result->type, result->name.empty() ? fallback : result->name);
    describeLayout(ctx, target);
    ctx.out.add(declare(ctx, result->type, target.name));
    ctx.values.place(result.get(), target);
  }
  ctx.names.open();
  Vars vars;
  openLoops(ctx, part, true, vars);
  for (unsigned which : {0u, 1u}) {
    const Value *of = passes::partOf(op, which);
    if (!ctx.values.isPlaced(of)) continue;  // nothing reads it
    const passes::PairedIndex index = passes::pairedIndex(op, part, which);
    Vars at = vars;
    if (index.axis == at.size()) at.push_back(integer(0));
    Expr place = product(at[index.axis], literal(Scalar::I32, index.times));
    at[index.axis] = sum(place, literal(Scalar::I32, index.offset));
    const bool splits = op->numResults() > 1;
    const Value *from = splits ? passes::wholeOf(op) : of;
    const Expr whole = storageRef(ctx, ctx.values.storageOf(passes::wholeOf(op)), at),
               own = storageRef(ctx, ctx.values.storageOf(of), vars);
    ctx.values.requireHeld(from);
    ctx.out.set(splits ? own : whole, splits ? whole : own);
  }
  closeLoops(ctx, part, true);
  ctx.names.close();
}

// own[i] = exchange_lanes<1>(x[i * 2], x[i * 2 + 1]);
static void exchangeLanes(LoweringContext &ctx, Op *op, const passes::LaneExchange &exchange) {
  const Layout &layout = *op->result()->type.layout();
  ctx.out.comment("Pairs of lanes exchange halves: each lane then has " +
                  std::to_string(layout.registerAxes().back()) + " elements side by side.");
  const Storage source = ctx.values.stored(op->operand(0));
  const std::string &name = op->result()->name;
  const Storage target =
      makeStorage(ctx, op->result()->type, name.empty() ? "exchanged" : name + "_exchanged");
  describeLayout(ctx, target);
  ctx.out.add(declare(ctx, op->result()->type, target.name));

  ctx.names.open();
  Vars vars;
  openLoops(ctx, layout, false, vars);
  std::vector<Expr> halves;
  for (const int64_t upper : {0, 1}) {
    Vars from;
    for (const passes::SourceIndex &index : exchange.registers)
      from.push_back(sourceIndex(index, [&](const passes::MovedPart &part) {
        return part.of.unit == Unit::Register ? movedPart(ctx, part, layout, vars)
                                              : literal(Scalar::I32, upper);
      }));
    const Expr part = instance("tile2cu::vec", {typeOf(op->result()->type), integer(2)});
    halves.push_back(source.isFragment ? pairOf(ctx, source, from, part)
                                       : storageRef(ctx, source, from, true));
  }
  const Expr helper = instance("tile2cu::exchange_lanes", {integer(exchange.laneBit)});
  ctx.out.set(storageRef(ctx, target, vars, true), call(helper, halves));
  closeLoops(ctx, layout, false);
  ctx.names.close();
  ctx.values.place(op->result(), target);
}

static void moveInWarp(LoweringContext &ctx, Op *op, unsigned which) {
  const passes::WarpMove move = *passes::warpMove(op, which);
  Value *result = op->result(which);
  const Storage source = ctx.values.stored(op->operand(0));
  const Layout &layout = *result->type.layout();
  const bool selects = move.candidates > 1, one = isOneVariable(ctx, layout);

  std::string wanted = result->name.empty() ? "moved" : result->name;
  if (wanted == source.name.wanted()) wanted += "_moved";
  Storage target = makeStorage(ctx, result->type, wanted);
  describeLayout(ctx, target);
  if (selects)
    ctx.out.add(declare(ctx, result->type, target.name,
                        one ? literal(result->type.scalar(), int64_t{0}) : braces({}, {})));
  else if (!one)
    ctx.out.add(declare(ctx, result->type, target.name));

  ctx.names.open();
  Vars vars;
  openLoops(ctx, layout, true, vars);
  // Which register holds an element may depend on the lane: then the candidates come one after the
  // other.
  const char *const kNames[] = {"k", "l", "m", "n"};
  unsigned loops = 0;
  Expr condition;
  auto candidate = [&](const passes::MovedPart &part) {
    const Expr var = named(ctx.names.take(kNames[loops++ % 4]));
    ctx.out.open({unrolledLoop(var.symbol(), integer(part.of.extent))});
    Expr mine = binary(Prec::Equality, "==", movedPart(ctx, part, layout, vars), var);
    condition = loops == 1 ? mine : binary(Prec::And, "&&", condition, mine);
    return var;
  };
  auto indexOf = [&](const passes::SourceIndex &index, bool isLane) {
    return sourceIndex(index, [&](const passes::MovedPart &part) {
      const bool known = isLane || part.of.unit == Unit::Register;
      return known ? movedPart(ctx, part, layout, vars) : candidate(part);
    });
  };
  Vars at;
  for (const passes::SourceIndex &index : move.registers) at.push_back(indexOf(index, false));
  Expr value = storageRef(ctx, source, at);
  if (move.crossesLanes) value = call("tile2cu::warp_shuffle", {value, indexOf(move.lane, true)});
  const Expr element = storageRef(ctx, target, vars);
  if (selects) {
    // No shuffle under the condition: all lanes take part in each.
    if (move.crossesLanes) {
      Symbol name = ctx.names.take("sent");
      ctx.out.declareConstant(typeOf(result->type), name, value);
      value = named(name);
    }
    ctx.out.add(shortIf(condition, {Assign{element, "=", value}}));
  } else if (one) {
    ctx.out.add(variable(typeOf(result->type), target.name, value));
  } else {
    ctx.out.set(element, value);
  }
  for (unsigned i = 0; i < loops; ++i) ctx.out.close();
  closeLoops(ctx, layout, true);
  ctx.names.close();
  ctx.values.place(result, target);
}

void moveInWarp(LoweringContext &ctx, Op *op) {
  ctx.comments.statement(op);
  if (const auto exchange = passes::laneExchange(op)) return exchangeLanes(ctx, op, *exchange);
  if (op->get(Attr::exchange) == Exchange::Shuffle)
    ctx.out.comment(
        "Each thread takes its elements from the lanes that hold them: no shared memory, as the "
        "tile does not leave its warp.");
  else
    ctx.out.comment("Each thread has its elements already, in other registers.");
  if (passes::isPairing(op)) return pairInThread(ctx, op);
  for (unsigned i = 0; i < op->numResults(); ++i)
    if (!op->result(i)->unused()) moveInWarp(ctx, op, i);
}

}  // namespace tile2cu::emit
