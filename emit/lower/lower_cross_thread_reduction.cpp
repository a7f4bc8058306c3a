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
  std::string functor;
  std::string buffer;  // "smem.x_sum"; empty: no warps
  Storage storage;     // the partial results, then the result
};

// Where an element of the tile without `axis` stands in a buffer of [warps][rest], with room for the padding of `written`, the
// tile that was written there: `layout` may be another one, which pads less, with or without the axis.
std::string KernelEmitter::sharedIndex(const Layout &layout, const Layout &written, unsigned axis,
                                       llvm::ArrayRef<std::string> vars) {
  const bool isWithout = layout.rank() < written.rank();
  Expr index = primary("0");
  for (unsigned d = 0; d < written.rank(); ++d) {
    if (d == axis) continue;
    index = sum(product(index, number(written.dim(d).padded())),
                coordinate(layout, isWithout && d > axis ? d - 1 : d, vars));
  }
  return index.str();
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
    line(valueTypeOf(op) + " " + copy.name + " = " + storage.name + ";");
  } else {
    line(declare(partial->type, copy.name));
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

void KernelEmitter::reduceLanes(const Across &across, const std::string &target) {
  for (const Digit &digit : across.lanes) {
    std::string arguments = digit.extent == 32 ? ""
                                               : "<" + std::to_string(digit.extent) + ", " +
                                                     std::to_string(digit.stride) + ">";
    line(target + " = tile2cu::warp_reduce" + arguments + "(" + target + ", " + across.functor +
         ");");
  }
}

// An element of the buffer: that of warp `warp` for the element `rest` of the tile without the axis.
std::string KernelEmitter::meetingPlace(const Across &across, const Expr &warp,
                                        const std::string &rest) {
  const SharedBuffer &buffer = kernel_.shared[across.op->getInt(Attr::buffer)];
  Expr index = warp;
  if (buffer.shape.size() > 1) index = sum(product(warp, number(buffer.shape[1])), primary(rest));
  return across.buffer + "[" + index.str() + "]";
}

// The lanes' result of each warp goes to shared memory.
void KernelEmitter::shareWarpResults(const Across &across) {
  std::string writer;
  auto add = [&](const Digit &digit) {
    writer += (writer.empty() ? "" : " && ") + unitPart(digit).str() + " == 0";
  };
  for (const Digit &digit : across.lanes) add(digit);
  for (Unit unit : {Unit::Lane, Unit::Warp})  // of copies, one writes
    for (const Digit &copy : across.layout.replicas(unit)) add(copy);
  Expr warp = primary("0");
  for (const Digit &digit : llvm::reverse(across.warps))
    warp = sum(product(warp, number(digit.extent)), unitPart(digit));
  std::vector<std::string> vars;
  openLoops(across.layout, true, vars);
  std::string target = storageRef(across.storage, vars).str();
  reduceLanes(across, target);
  line(
      (writer.empty() ? "" : "if (" + writer + ") ") +
      meetingPlace(across, warp,
                   sharedIndex(across.layout, across.layout, across.op->getInt(Attr::axis), vars)) +
      " = " + target + ";");
  closeLoops(across.layout, true);
  line(barrierCall() + "  // the warps' results are in " + across.buffer);
}

// Every thread combines the warps' results, in the layout of the result, which need not be that of the parts.
void KernelEmitter::combineWarpResults(Across &across) {
  Op *op = across.op;
  const Layout *back = &across.layout;
  const Type &type = op->result()->type;
  std::string declared;  // the type of a variable that begins with its first value
  if (type.isTile() &&
      !passes::sameArrays(*type.layout(), *back->withoutDim(op->getInt(Attr::axis)))) {
    back = type.layout().get();
    Storage total = makeStorage(type, op->result()->name);
    if (op->numOperands() == 1) {
      describeLayout(total);
      if (isOneVariable(*back))
        declared = cppType(type.element()) + " ";
      else
        line(declare(type, total.name));
    } else {
      total.isVector = false;
      line(declareArray(valueTypeOf(op), *back, total.name, false) + ";");
    }
    across.storage = total;
  }
  std::vector<std::string> vars;
  openLoops(*back, true, vars);
  std::string target = storageRef(across.storage, vars).str();
  std::string rest = sharedIndex(*back, across.layout, op->getInt(Attr::axis), vars);
  std::string w = names_.take("w");
  line(declared + target + " = " + meetingPlace(across, primary("0"), rest) + ";");
  line("#pragma unroll");
  line("for (int " + w + " = 1; " + w + " < " +
       (across.warpCount == kernel_.options.numWarps ? "NUM_WARPS"
                                                     : std::to_string(across.warpCount)) +
       "; ++" + w + ") {");
  const auto kind = op->get(Attr::kind);
  Expr other = primary(meetingPlace(across, primary(w), rest));
  if (op->numOperands() == 1 && kind)
    assign(primary(target),
           combineInThread(*kind, op->operand(0)->type.scalar(), primary(target), other));
  else
    line(target + " = " + across.functor + "(" + target + ", " + other.str() + ");");
  line("}");
  closeLoops(*back, true);
}

void KernelEmitter::reduceAcross(Op *op) {
  unsigned axis = op->getInt(Attr::axis);
  if (!op->getBool(Attr::role_named)) statementComment(op);
  const Layout &layout = *op->operand(0)->type.layout();
  Across across{op, layout, {}, {}, 1, combiner(op), "", acrossStorage(op)};
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
      std::vector<std::string> vars;
      openLoops(layout, true, vars);
      reduceLanes(across, storageRef(across.storage, vars).str());
      closeLoops(layout, true);
    }
    bindReduced(across, rest);
    return;
  }
  bufferTypes_[op->getInt(Attr::buffer)] = valueTypeOf(op);
  across.buffer = "smem." + kernel_.shared[op->getInt(Attr::buffer)].name;
  // Of all threads: a warp that copies would not come to its barrier.
  bool wholeBlock = !kernel_.producer && isOneVariable(layout) && across.lanes.size() == 1 &&
                    across.lanes[0].extent == 32 && across.warpCount == kernel_.options.numWarps;
  if (wholeBlock) {
    const std::string &name = across.storage.name;
    line(name + " = tile2cu::block_reduce<NUM_WARPS>(" + name + ", " + across.functor + ", " +
         across.buffer + ");  // the warps meet at one barrier");
    bindReduced(across, rest);
    return;
  }
  shareWarpResults(across);
  std::string before = across.storage.name;
  combineWarpResults(across);
  bindReduced(across, across.storage.name == before ? rest : op->result()->type.layout());
}

}  // namespace tile2cu::emit
