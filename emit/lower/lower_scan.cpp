// Scans: along a thread's vector, across lanes, across its vectors, across warps.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

namespace {
// The digits of a scanned dimension, fastest first: elements of a vector, lanes, vectors, warps. Each may be missing.
struct ScanDigits {
  int low = -1, high = -1;  // register axes
  Digit lane{Unit::Lane, 0, 1, 1}, warp{Unit::Warp, 0, 1, 1};
};
ScanDigits digitsOf(const LayoutDim &dim) {
  ScanDigits result;
  bool lanesSeen = false;
  for (const Digit &digit : dim.digits) {
    // One register beside others above the lanes is no digit; alone it keeps its name, for variants with more.
    if (digit.extent == 1 && result.high >= 0) continue;
    if (digit.unit == Unit::Register) {
      if (!lanesSeen && result.low < 0)
        result.low = digit.axis;
      else
        result.high = digit.axis;
    } else if (digit.unit == Unit::Lane) {
      lanesSeen = true;
      result.lane = digit;
    } else {
      result.warp = digit;
      lanesSeen = true;
    }
  }
  return result;
}
}  // namespace

// One text from top to bottom, in the order in which it is printed.
void KernelEmitter::scan(Op *op) {  // NOLINT(readability-function-size)
  statementComment(op);
  unsigned axis = op->getInt(Attr::axis);
  bool reverse = op->getBool(Attr::reverse);
  const Layout &layout = *op->operand(0)->type.layout();
  ScanDigits digits = digitsOf(layout.dim(axis));
  if (digits.low >= 0 && isDropped(layout, digits.low)) digits.low = -1;
  if (digits.high >= 0 && isDropped(layout, digits.high)) digits.high = -1;
  const Expr combine = combiner(op), type = valueTypeOf(op), zero = integer(0), one = integer(1);
  bool tuple = op->numOperands() > 1;
  if (op->has(Attr::buffer)) bufferTypes_[op->getInt(Attr::buffer)] = type;
  // An operation of the language where the combine function is a known one.
  const auto kind = tuple ? std::nullopt : op->get(Attr::kind);
  Scalar scalarType = op->operand(0)->type.scalar();
  auto apply = [&](const Expr &a, const Expr &b) {
    return kind ? combineInThread(*kind, scalarType, a, b) : call(combine, {a, b});
  };
  // What stands at `target`, combined with what comes before it; known functions are commutative.
  auto putAfter = [&](const Expr &target, const Expr &later) {
    return assignment(target, apply(target, later));
  };
  auto putBefore = [&](const Expr &target, const Expr &earlier) {
    return assignment(target, kind ? apply(target, earlier) : apply(earlier, target));
  };
  auto minus = [&](const Expr &a, const Expr &b) { return binary(Prec::Additive, "-", a, b); };
  auto compare = [&](const Expr &a, const char *sign, const Expr &b) {
    const bool isEquality = sign[1] == '=' && (sign[0] == '=' || sign[0] == '!');
    return binary(isEquality ? Prec::Equality : Prec::Relational, sign, a, b);
  };

  // The result starts as a copy of the operand.
  Storage result =
      makeStorage(op->result()->type, op->result()->name.empty() ? "scanned" : op->result()->name);
  if (tuple) {
    result.isVector = false;
    add(declareArray(type, layout, result.name, false));
  } else {
    describeLayout(result);
    if (!isOneVariable(layout)) add(declare(op->result()->type, result.name));
  }
  {
    Vars vars;
    openLoops(layout, true, vars);
    llvm::SmallVector<Expr, 4> values;
    for (unsigned i = 0; i < op->numOperands(); ++i)
      values.push_back(storageRef(stored(op->operand(i)), vars));
    const Expr value = tuple ? braces(type, values) : values[0];
    if (!tuple && isOneVariable(layout))
      add(variable(type, result.name, value));
    else
      set(storageRef(result, vars), value);
    closeLoops(layout, true);
  }

  // Loops over the other dimensions' registers.
  bool lanes = digits.lane.extent > 1, warps = digits.warp.extent > 1;
  bool needsTotal = digits.high >= 0 || warps;
  bool nested = false;
  for (unsigned a = 0; a < layout.registerAxes().size(); ++a) {
    auto use = layout.axisUse(a);
    nested = nested || (!(use && use->dim == axis) && layout.registerAxes()[a] != 1);
  }
  // Without a loop around it the scan's variables live on beside what follows.
  std::string total, beforeWarp, through, beforeLane;
  auto takeTotals = [&] {
    if (needsTotal) total = names_.take("carry");
    if (warps) beforeWarp = names_.take("before_warp");
  };
  auto takeLane = [&] {
    through = names_.take("through_lane");
    beforeLane = names_.take("before_lane");
  };
  bool laneOutside = lanes && !nested && digits.high < 0;
  if (!nested) takeTotals();
  if (laneOutside) takeLane();
  names_.open();
  if (nested) takeTotals();
  Vars vars;
  std::vector<For> outer;
  unsigned next = 0;
  for (unsigned a = 0; a < layout.registerAxes().size(); ++a) {
    auto use = layout.axisUse(a);
    bool along = use && use->dim == axis;
    if (along || layout.registerAxes()[a] == 1) {
      vars.push_back(zero);
      continue;
    }
    vars.push_back(named(names_.take(loopVar(next++))));
    outer.push_back(unrolledLoop(vars[a].spelling(), named(extentName(layout, a))));
  }
  const Expr high = digits.high >= 0 ? named(names_.take(loopVar(next++))) : zero;
  const Expr low = digits.low >= 0 ? named(names_.take(vectorVar_)) : zero;
  const Expr lowExtent = digits.low >= 0 ? named(extentName(layout, digits.low)) : one;
  const Expr highExtent = digits.high >= 0 ? named(extentName(layout, digits.high)) : one;
  auto at = [&](const Expr &h, const Expr &l) {
    Vars indices = vars;
    if (digits.high >= 0) indices[digits.high] = h;
    if (digits.low >= 0) indices[digits.low] = l;
    return storageRef(result, indices);
  };
  auto loop = [&](const Expr &var, const Expr &extent, const Expr &from) {
    For head = unrolledLoop(var.spelling(), extent);
    head.start.all[0].init = from;
    if (reverse) {
      const Expr last = minus(extent, one);
      head.start.all[0].init = from.isLiteral("0") ? last : minus(last, from);
      head.condition = compare(var, ">=", zero);
      head.advance.op = "--";
    }
    open({std::move(head)});
  };
  auto openOuter = [&] {
    for (const For &head : outer) open({head});
  };
  auto closeOuter = [&] {
    for (size_t i = 0; i < outer.size(); ++i) close();
  };
  const Expr lastLow = reverse || digits.low < 0 ? zero : minus(lowExtent, one);
  const Expr firstHigh = reverse ? minus(highExtent, one) : zero;
  auto laneHelper = [&](const char *up, const char *down) {
    const std::string name = std::string("tile2cu::") + (reverse ? down : up);
    return digits.lane.extent == 32
               ? word(name)
               : instance(name, {integer(digits.lane.extent), integer(digits.lane.stride)});
  };
  const Expr lanePart = lanes ? unitPart(digits.lane) : zero;
  const Expr lastLane = integer(digits.lane.extent - 1);
  const Expr edge = reverse ? lastLane : zero;       // the lane where the scan starts
  const Expr otherEdge = reverse ? zero : lastLane;  // and ends
  bool tailLoop = warps && !outer.empty();
  const Expr buffer = warps ? sharedTile(kernel_.shared[op->getInt(Attr::buffer)]) : Expr{};
  auto slot = [&](const Expr &warp) {
    const SharedBuffer &shared = kernel_.shared[op->getInt(Attr::buffer)];
    if (shared.shape.size() == 1) return elementOf(buffer, warp);
    const Expr rest = sharedIndex(layout, layout, axis, vars);
    const Expr row = binary(Prec::Multiplicative, "*", warp, number(shared.shape[1]));
    return elementOf(buffer, warp.isLiteral("0") ? rest : flatSum(row, rest));
  };

  openOuter();
  if (needsTotal) {
    add({Comment{"carry: the " + std::string(reverse ? "later" : "earlier") +
                 " vectors of this warp together."}});
    if (digits.high >= 0) add(variable(type, total));
  }
  auto setTotal = [&](const Expr &value) {
    if (digits.high >= 0)
      set(named(total), value);
    else
      add(variable(type, total, value));
  };
  if (digits.high >= 0) loop(high, highExtent, zero);
  if (digits.low >= 0) {
    loop(low, lowExtent, one);
    add(putBefore(at(high, low), at(high, reverse ? sum(low, one) : minus(low, one))));
    close();
  }
  auto addBefore = [&](const std::string &value, const Expr &h) {
    if (digits.low >= 0) open({unrolledLoop(low.spelling(), lowExtent)});
    add(putBefore(at(h, low), named(value)));
    if (digits.low >= 0) close();
  };
  const Expr vectorTotal = at(high, lastLow);
  if (lanes) {
    if (!laneOutside) takeLane();
    const Expr scanned = named(through), shifted = named(beforeLane);
    declareConstant(type, through,
                    call(laneHelper("warp_scan", "warp_scan_reverse"), {vectorTotal, combine}));
    add(variable(type, beforeLane,
                 call(laneHelper("warp_shift_up", "warp_shift_down"), {scanned, scanned})));
    Expr hasEarlier = compare(lanePart, "!=", edge);
    if (digits.high >= 0) {
      const Expr notFirst = compare(high, "!=", firstHigh);
      const Expr before =
          conditional(compare(lanePart, "==", edge), named(total), apply(named(total), shifted));
      add(shortIf(notFirst, {Assign{shifted, "=", before}}));
      hasEarlier = binary(Prec::Or, "||", notFirst, hasEarlier);
    }
    open(branchOn(hasEarlier));
    addBefore(beforeLane, high);
    close();
    if (needsTotal) {
      Expr source = otherEdge;
      if (digits.lane.extent != 32) {
        // The last lane of this lane's group.
        source = minus(named("lane"), binary(Prec::Multiplicative, "*", unitPart(digits.lane),
                                             literal(Scalar::I32, digits.lane.stride)));
        if (!reverse) source = sum(source, integer((digits.lane.extent - 1) * digits.lane.stride));
      }
      const Expr all = call("tile2cu::warp_shuffle", {scanned, source});
      setTotal(digits.high < 0
                   ? all
                   : conditional(compare(high, "==", firstHigh), all, apply(named(total), all)));
    }
  } else if (needsTotal) {
    if (digits.high >= 0) {
      open(branchOn(compare(high, "!=", firstHigh)));
      addBefore(total, high);
      close();
    }
    setTotal(vectorTotal);
  }
  if (digits.high >= 0) close();

  if (warps) {
    const Expr warpPart = unitPart(digits.warp);
    Expr writer;
    if (lanes) writer = compare(lanePart, "==", edge);
    for (Unit unit : {Unit::Lane, Unit::Warp})
      for (const Digit &copy : layout.replicas(unit))
        writer = bothOf(writer, compare(unitPart(copy), "==", zero));
    add(shortIf(writer, {Assign{slot(warpPart), "=", named(total)}}));
    if (tailLoop) closeOuter();
    add(evaluate(barrierCall(), "the warps' totals are in " + buffer.str()));
    if (tailLoop) openOuter();
    const Expr w = named(names_.take("w")), before = named(beforeWarp);
    const Expr count = digits.warp.extent == kernel_.options.numWarps ? named("NUM_WARPS")
                                                                      : integer(digits.warp.extent);
    add(variable(type, beforeWarp, slot(reverse ? minus(count, one) : zero)));
    For head = unrolledLoop(w.spelling(), minus(count, one));
    head.start.all[0].init = one;
    if (reverse) {
      head.start.all[0].init = minus(count, integer(2));
      head.condition = compare(w, ">", zero);
      head.advance.op = "--";
    }
    open({std::move(head)});
    add(shortIf(compare(w, reverse ? ">" : "<", warpPart), putAfter(before, slot(w))));
    close();
    open(branchOn(reverse ? compare(warpPart, "<", minus(count, one))
                          : compare(warpPart, ">", zero)));
    if (digits.high >= 0) open({unrolledLoop(high.spelling(), highExtent)});
    addBefore(beforeWarp, high);
    if (digits.high >= 0) close();
    close();
  }
  closeOuter();
  names_.close();
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Storage part = result;
    part.member = tuple ? "value" + std::to_string(i) : "";
    storage_[op->result(i)] = part;
  }
}

}  // namespace tile2cu::emit
