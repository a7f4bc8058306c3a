// Tiles that take another layout without leaving their warps: by shuffles, or in the registers of each thread.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/analysis/layout/layout_inference.h"

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
Expr KernelEmitter::movedPart(const passes::MovedPart &part, const Layout &layout,
                              llvm::ArrayRef<Expr> vars) {
  const Digit &of = part.of;
  Expr e;
  if (of.unit == Unit::Register) {
    e = vars[of.axis];
    if (of.stride > 1) e = binary(Prec::Multiplicative, "/", e, literal(Scalar::I32, of.stride));
    if (of.stride * of.extent < layout.registerAxes()[of.axis])
      e = binary(Prec::Multiplicative, "%", e, literal(Scalar::I32, of.extent));
  } else {
    e = unitPart(of);
  }
  if (!part.reversed) return e;
  return binary(Prec::Additive, "-", literal(Scalar::I32, of.extent - 1), e);
}

void KernelEmitter::moveInWarp(Op *op) {
  statementComment(op);
  if (const auto exchange = passes::laneExchange(op)) return exchangeLanes(op, *exchange);
  if (op->get(Attr::via) == Exchange::Shuffle)
    comment(
        "Each thread takes its elements from the lanes that hold them: no shared memory, as the "
        "tile does not leave its warp.");
  else
    comment("Each thread has its elements already, in other registers.");
  if (passes::isPairing(op)) return pairInThread(op);
  for (unsigned i = 0; i < op->numResults(); ++i)
    if (!op->result(i)->unused()) moveInWarp(op, i);
}

// b[v * 2] = lo[v]; b[v * 2 + 1] = hi[v]; or the other way
void KernelEmitter::pairInThread(Op *op) {
  const Layout &part = *passes::partOf(op)->type.layout();
  const char *fallback = op->numResults() > 1 ? "part" : "pairs";
  for (auto &result : op->results) {
    if (result->unused()) continue;
    const Storage target =
        makeStorage(result->type, result->name.empty() ? fallback : result->name);
    describeLayout(target);
    add(declare(result->type, target.name));
    storage_[result.get()] = target;
  }
  names_.open();
  Vars vars;
  openLoops(part, true, vars);
  for (unsigned which : {0u, 1u}) {
    const Value *of = passes::partOf(op, which);
    if (!storage_.count(of)) continue;  // nobody wants it
    const passes::PairedIndex index = passes::pairedIndex(op, part, which);
    Vars at = vars;
    if (index.axis == at.size()) at.push_back(integer(0));
    Expr place = product(at[index.axis], literal(Scalar::I32, index.times));
    at[index.axis] = sum(place, literal(Scalar::I32, index.offset));
    const bool splits = op->numResults() > 1;
    const Value *from = splits ? passes::wholeOf(op) : of;
    const Expr whole = storageRef(storage_.at(passes::wholeOf(op)), at),
               own = storageRef(storage_.at(of), vars);
    requireCurrent(from, held_.at(from));
    set(splits ? own : whole, splits ? whole : own);
  }
  closeLoops(part, true);
  names_.close();
}

// own[i] = exchange_lanes<1>(x[i * 2], x[i * 2 + 1]);
void KernelEmitter::exchangeLanes(Op *op, const passes::LaneExchange &exchange) {
  const Layout &layout = *op->result()->type.layout();
  comment("Pairs of lanes exchange halves: each lane then has " +
          std::to_string(layout.registerAxes().back()) + " elements side by side.");
  const Storage source = stored(op->operand(0));
  const std::string &name = op->result()->name;
  const Storage target =
      makeStorage(op->result()->type, name.empty() ? "exchanged" : name + "_exchanged");
  describeLayout(target);
  add(declare(op->result()->type, target.name));

  names_.open();
  Vars vars;
  openLoops(layout, false, vars);
  std::vector<Expr> halves;
  for (const int64_t upper : {0, 1}) {
    Vars from;
    for (const passes::SourceIndex &index : exchange.registers)
      from.push_back(sourceIndex(index, [&](const passes::MovedPart &part) {
        return part.of.unit == Unit::Register ? movedPart(part, layout, vars)
                                              : literal(Scalar::I32, upper);
      }));
    halves.push_back(storageRef(source, from, true));
  }
  const Expr helper = instance("tile2cu::exchange_lanes", {integer(exchange.laneBit)});
  set(storageRef(target, vars, true), call(helper, halves));
  closeLoops(layout, false);
  names_.close();
  storage_[op->result()] = target;
}

void KernelEmitter::moveInWarp(Op *op, unsigned which) {
  const passes::WarpMove move = *passes::warpMove(op, which);
  Value *result = op->result(which);
  const Storage source = stored(op->operand(0));
  const Layout &layout = *result->type.layout();
  const bool selects = move.candidates > 1, one = isOneVariable(layout);

  std::string wanted = result->name.empty() ? "moved" : result->name;
  if (wanted == source.name) wanted += "_moved";
  Storage target = makeStorage(result->type, wanted);
  describeLayout(target);
  if (selects)
    add(declare(result->type, target.name,
                one ? literal(result->type.scalar(), int64_t{0}) : braces({}, {})));
  else if (!one)
    add(declare(result->type, target.name));

  names_.open();
  Vars vars;
  openLoops(layout, true, vars);
  // Which register holds an element may depend on the lane: then the candidates come one after the other.
  const char *const kNames[] = {"k", "l", "m", "n"};
  unsigned loops = 0;
  Expr condition;
  auto candidate = [&](const passes::MovedPart &part) {
    const Expr var = named(names_.take(kNames[loops++ % 4]));
    open({unrolledLoop(var.spelling(), integer(part.of.extent))});
    Expr mine = binary(Prec::Equality, "==", movedPart(part, layout, vars), var);
    condition = loops == 1 ? mine : binary(Prec::And, "&&", condition, mine);
    return var;
  };
  auto indexOf = [&](const passes::SourceIndex &index, bool isLane) {
    return sourceIndex(index, [&](const passes::MovedPart &part) {
      const bool known = isLane || part.of.unit == Unit::Register;
      return known ? movedPart(part, layout, vars) : candidate(part);
    });
  };
  Vars at;
  for (const passes::SourceIndex &index : move.registers) at.push_back(indexOf(index, false));
  Expr value = storageRef(source, at);
  if (move.crossesLanes) value = call("tile2cu::warp_shuffle", {value, indexOf(move.lane, true)});
  const Expr element = storageRef(target, vars);
  if (selects) {
    // No shuffle under the condition: all lanes take part in each.
    if (move.crossesLanes) {
      std::string name = names_.take("sent");
      declareConstant(typeOf(result->type), name, value);
      value = named(name);
    }
    add(shortIf(condition, {Assign{element, "=", value}}));
  } else if (one) {
    add(variable(typeOf(result->type), target.name, value));
  } else {
    set(element, value);
  }
  for (unsigned i = 0; i < loops; ++i) close();
  closeLoops(layout, true);
  names_.close();
  storage_[result] = target;
}

}  // namespace tile2cu::emit
