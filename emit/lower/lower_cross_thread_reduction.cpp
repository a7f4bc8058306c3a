// Reductions across threads: in the warp by shuffles, across warps through shared memory.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The lanes and warps that share the reduced axis, and where their results meet.
struct KernelEmitter::Across {
  Op *op;
  const Layout &layout;               // of the partial results
  llvm::SmallVector<Digit, 2> lanes;  // fastest first
  llvm::SmallVector<Digit, 2> warps;
  int64_t warpCount = 1;
  Expr functor;
  Expr buffer;      // smem.x_sum; none: no warps
  Storage storage;  // the partial results, then the result
};

// Where an element of the tile without `axis` stands in a buffer of [warps][rest], with room for the padding of `written`, the
// tile that was written there: `layout` may be another one, which pads less, with or without the axis.
Expr KernelEmitter::sharedIndex(const Layout &layout, const Layout &written, unsigned axis,
                                llvm::ArrayRef<Expr> vars) {
  const bool isWithout = layout.rank() < written.rank();
  Expr index = integer(0);
  for (unsigned d = 0; d < written.rank(); ++d) {
    if (d == axis) continue;
    index = sum(product(index, number(written.dim(d).padded())),
                coordinate(layout, isWithout && d > axis ? d - 1 : d, vars));
  }
  return index;
}

// Whether the other readers of what `op` combines are done before it: it stands beside them, or in a branch behind them.
static bool isLastReader(const Op *op) {
  const Value *parts = op->operand(0);
  if (!parts->definition) return false;
  const Block *home = parts->definition->parent;
  if (parts->users.size() == 1) return passes::loopAround(home) == passes::loopAround(op->parent);
  if (op->numOperands() != 1) return false;
  const Op *around = op;
  for (; around->parent != home; around = around->parentOp())
    if (around->parentOp()->kind != OpKind::If) return false;
  return llvm::all_of(parts->users, [&](const Op *user) {
    if (user == op) return true;
    while (user->parent != home) user = user->parentOp();
    for (user = user->next(); user; user = user->next())
      if (user == around) return true;
    return false;
  });
}

// The variable that the results are combined in: that of the partial results, unless somebody else reads those.
KernelEmitter::Storage KernelEmitter::acrossStorage(Op *op) {
  Value *partial = op->operand(0);
  Storage storage = stored(partial);
  storage.member.clear();
  storage.isVector = storage.isVector && op->numOperands() == 1;
  if (isLastReader(op)) return storage;
  Storage copy = storage;
  copy.name = names_.take(op->result()->name.empty() ? "total" : op->result()->name);
  if (isOneVariable(*partial->type.layout())) {
    add(variable(valueTypeOf(op), copy.name, named(storage.name)));
  } else {
    add(declare(partial->type, copy.name));
    copyStorage(copy, storage);
  }
  return copy;
}

void KernelEmitter::bindReduced(const Across &across, const LayoutRef &layout) {
  Op *op = across.op;
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Value *value = op->result(i);
    Storage result = across.storage;
    result.member = memberName(op, i);
    result.layout = layout;
    if (value->type.isTile() && value->type.layout()->registerAxes() != layout->registerAxes())
      result.axes = passes::axisMap(op, *layout, *value->type.layout());
    storage_[value] = result;
    if (!value->type.isTile()) remember(value, result.at());
  }
}

void KernelEmitter::reduceLanes(const Across &across, const Expr &target) {
  for (const Digit &digit : across.lanes) {
    const Expr helper =
        digit.extent == 32
            ? word("tile2cu::warp_reduce")
            : instance("tile2cu::warp_reduce", {integer(digit.extent), integer(digit.stride)});
    set(target, call(helper, {target, across.functor}));
  }
}

// An element of the buffer: that of warp `warp` for the element `rest` of the tile without the axis.
Expr KernelEmitter::meetingPlace(const Across &across, const Expr &warp, const Expr &rest) {
  const SharedBuffer &buffer = kernel_.shared[across.op->getInt(Attr::buffer)];
  Expr index = warp;
  if (buffer.shape.size() > 1) index = flatSum(product(warp, number(buffer.shape[1])), rest);
  return elementOf(across.buffer, index);
}

// The lanes' result of each warp goes to shared memory.
void KernelEmitter::shareWarpResults(const Across &across) {
  Expr writer;
  auto isFirst = [&](const Digit &digit) {
    writer = bothOf(writer, binary(Prec::Equality, "==", unitPart(digit), integer(0)));
  };
  for (const Digit &digit : across.lanes) isFirst(digit);
  for (Unit unit : {Unit::Lane, Unit::Warp})  // of copies, one writes
    for (const Digit &copy : across.layout.replicas(unit)) isFirst(copy);
  Expr warp = integer(0);
  for (const Digit &digit : llvm::reverse(across.warps))
    warp = sum(product(warp, number(digit.extent)), unitPart(digit));
  Vars vars;
  openLoops(across.layout, true, vars);
  const Expr target = storageRef(across.storage, vars);
  reduceLanes(across, target);
  const unsigned axis = across.op->getInt(Attr::axis);
  const Expr place =
      meetingPlace(across, warp, sharedIndex(across.layout, across.layout, axis, vars));
  add(shortIf(writer, {Assign{place, "=", target}}));
  closeLoops(across.layout, true);
  add(evaluate(barrierCall(), "the warps' results are in " + across.buffer.str()));
}

// Every thread combines the warps' results, in the layout of the result, which need not be that of the parts.
void KernelEmitter::combineWarpResults(Across &across) {
  Op *op = across.op;
  const Layout *back = &across.layout;
  const Type &type = op->result()->type;
  bool isDeclared = true;  // else the variable begins with its first value
  if (type.isTile() &&
      !passes::sameArrays(*type.layout(), *back->withoutDim(op->getInt(Attr::axis)))) {
    back = type.layout().get();
    Storage total = makeStorage(type, op->result()->name);
    if (op->numOperands() == 1) {
      describeLayout(total);
      if (isOneVariable(*back))
        isDeclared = false;
      else
        add(declare(type, total.name));
    } else {
      total.isVector = false;
      add(declareArray(valueTypeOf(op), *back, total.name, false));
    }
    across.storage = total;
  }
  Vars vars;
  openLoops(*back, true, vars);
  const Expr target = storageRef(across.storage, vars);
  const Expr rest = sharedIndex(*back, across.layout, op->getInt(Attr::axis), vars);
  const std::string w = names_.take("w");
  const Expr first = meetingPlace(across, integer(0), rest);
  if (isDeclared)
    set(target, first);
  else
    add(variable(typeOf(type), across.storage.name, first));
  const bool areAll = across.warpCount == kernel_.options.numWarps;
  For loop = unrolledLoop(w, areAll ? named("NUM_WARPS") : integer(across.warpCount));
  loop.start.all[0].init = integer(1);
  open({std::move(loop)});
  const auto kind = op->get(Attr::kind);
  const Expr other = meetingPlace(across, named(w), rest);
  if (op->numOperands() == 1 && kind)
    assign(target, combineInThread(*kind, op->operand(0)->type.scalar(), target, other));
  else
    set(target, call(across.functor, {target, other}));
  close();
  closeLoops(*back, true);
}

void KernelEmitter::reduceAcross(Op *op) {
  unsigned axis = op->getInt(Attr::axis);
  if (!op->getBool(Attr::role_named)) statementComment(op);
  const Layout &layout = *op->operand(0)->type.layout();
  Across across{op, layout, {}, {}, 1, combiner(op), {}, acrossStorage(op)};
  for (const Digit &digit : layout.dim(axis).digits) {
    if (digit.extent == 1) continue;
    if (digit.unit == Unit::Lane) across.lanes.push_back(digit);
    if (digit.unit != Unit::Warp) continue;
    across.warps.push_back(digit);
    across.warpCount *= digit.extent;
  }
  LayoutRef rest = layout.withoutDim(axis);
  ownLayouts_.push_back(rest);
  if (!op->has(Attr::buffer)) {
    if (!across.lanes.empty()) {
      Vars vars;
      openLoops(layout, true, vars);
      reduceLanes(across, storageRef(across.storage, vars));
      closeLoops(layout, true);
    }
    bindReduced(across, rest);
    return;
  }
  bufferTypes_[op->getInt(Attr::buffer)] = valueTypeOf(op);
  across.buffer = sharedTile(kernel_.shared[op->getInt(Attr::buffer)]);
  // Of all threads: a warp that copies would not come to its barrier.
  bool wholeBlock = !kernel_.producer && isOneVariable(layout) && across.lanes.size() == 1 &&
                    across.lanes[0].extent == 32 && across.warpCount == kernel_.options.numWarps;
  if (wholeBlock) {
    const Expr value = named(across.storage.name);
    const Expr helper = instance("tile2cu::block_reduce", {named("NUM_WARPS")});
    const Expr reduced = call(helper, {value, across.functor, across.buffer});
    add({Assign{value, "=", reduced}, "the warps meet at one barrier"});
    bindReduced(across, rest);
    return;
  }
  shareWarpResults(across);
  std::string before = across.storage.name;
  combineWarpResults(across);
  bindReduced(across, across.storage.name == before ? rest : op->result()->type.layout());
}

}  // namespace tile2cu::emit
