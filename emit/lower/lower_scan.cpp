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
  std::string combine = combiner(op), type = valueTypeOf(op);
  bool tuple = op->numOperands() > 1;
  if (op->has(Attr::buffer)) bufferTypes_[op->getInt(Attr::buffer)] = type;
  // An operation of the language where the combine function is a known one.
  const auto kind = tuple ? std::nullopt : op->get(Attr::kind);
  Scalar scalarType = op->operand(0)->type.scalar();
  auto apply = [&](const std::string &a, const std::string &b) {
    return !kind ? combine + "(" + a + ", " + b + ")"
                 : combineInThread(*kind, scalarType, primary(a), primary(b)).str();
  };
  // What stands at `target`, combined with what comes before it; known functions are commutative.
  auto putAfter = [&](const std::string &target, const std::string &later) {
    return !kind ? target + " = " + apply(target, later) + ";"
                 : assignment(primary(target),
                              combineInThread(*kind, scalarType, primary(target), primary(later)));
  };
  auto putBefore = [&](const std::string &target, const std::string &earlier) {
    return !kind ? target + " = " + apply(earlier, target) + ";"
                 : assignment(primary(target), combineInThread(*kind, scalarType, primary(target),
                                                               primary(earlier)));
  };

  // The result starts as a copy of the operand.
  Storage result =
      makeStorage(op->result()->type, op->result()->name.empty() ? "scanned" : op->result()->name);
  if (tuple) {
    result.isVector = false;
    line(declareArray(type, layout, result.name, false) + ";");
  } else {
    describeLayout(result);
    if (!isOneVariable(layout)) line(declare(op->result()->type, result.name));
  }
  auto element = [&](const std::vector<std::string> &vars) {
    return storageRef(result, vars).str();
  };
  {
    std::vector<std::string> vars;
    openLoops(layout, true, vars);
    std::string value;
    for (unsigned i = 0; i < op->numOperands(); ++i)
      value += (i ? ", " : "") + storageRef(stored(op->operand(i)), vars).str();
    line((!tuple && isOneVariable(layout) ? type + " " : "") + element(vars) + " = " +
         (tuple ? type + "{" + value + "}" : value) + ";");
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
  std::vector<std::string> vars;
  std::vector<std::string> outer;
  unsigned next = 0;
  for (unsigned a = 0; a < layout.registerAxes().size(); ++a) {
    auto use = layout.axisUse(a);
    bool along = use && use->dim == axis;
    if (along || layout.registerAxes()[a] == 1) {
      vars.push_back("0");
      continue;
    }
    vars.push_back(names_.take(loopVar(next++)));
    outer.push_back("#pragma unroll\nfor (int " + vars[a] + " = 0; " + vars[a] + " < " +
                    extentName(layout, a) + "; ++" + vars[a] + ") {");
  }
  std::string high = digits.high >= 0 ? names_.take(loopVar(next++)) : "";
  std::string low = digits.low >= 0 ? names_.take(vectorVar_) : "";
  std::string lowExtent = digits.low >= 0 ? extentName(layout, digits.low) : "1";
  std::string highExtent = digits.high >= 0 ? extentName(layout, digits.high) : "1";
  auto at = [&](const std::string &h, const std::string &l) {
    std::vector<std::string> indices = vars;
    if (digits.high >= 0) indices[digits.high] = h;
    if (digits.low >= 0) indices[digits.low] = l;
    return element(indices);
  };
  auto loop = [&](const std::string &var, const std::string &extent, const std::string &from) {
    line("#pragma unroll");
    if (!reverse)
      line("for (int " + var + " = " + from + "; " + var + " < " + extent + "; ++" + var + ") {");
    else
      line("for (int " + var + " = " + extent + " - 1" + (from == "0" ? "" : " - " + from) + "; " +
           var + " >= 0; --" + var + ") {");
  };
  std::string lastLow = reverse ? "0" : digits.low >= 0 ? lowExtent + " - 1" : "0";
  std::string firstHigh = reverse ? highExtent + " - 1" : "0";
  std::string laneArguments = digits.lane.extent == 32
                                  ? ""
                                  : "<" + std::to_string(digits.lane.extent) + ", " +
                                        std::to_string(digits.lane.stride) + ">";
  std::string lanePart = lanes ? unitPart(digits.lane).str() : "0";
  std::string edge =
      reverse ? std::to_string(digits.lane.extent - 1) : "0";  // the lane where the scan starts
  std::string otherEdge = reverse ? "0" : std::to_string(digits.lane.extent - 1);  // and ends
  bool tailLoop = warps && !outer.empty();
  std::string buffer = warps ? "smem." + kernel_.shared[op->getInt(Attr::buffer)].name : "";
  auto slot = [&](const std::string &warp) {
    const SharedBuffer &shared = kernel_.shared[op->getInt(Attr::buffer)];
    if (shared.shape.size() == 1) return buffer + "[" + warp + "]";
    return buffer + "[" +
           (warp == "0" ? ""
                        : (primary(warp).isAtom() ? warp : "(" + warp + ")") + " * " +
                              number(shared.shape[1]).str() + " + ") +
           sharedIndex(layout, layout, axis, vars) + "]";
  };

  for (const std::string &open : outer) line(open);
  if (needsTotal) {
    line("// carry: the " + std::string(reverse ? "later" : "earlier") +
         " vectors of this warp together.");
    if (digits.high >= 0) line(type + " " + total + ";");
  }
  const std::string totalHere = digits.high >= 0 ? total : type + " " + total;
  if (digits.high >= 0) loop(high, highExtent, "0");
  if (digits.low >= 0) {
    loop(low, lowExtent, "1");
    line(putBefore(at(high, low), at(high, reverse ? low + " + 1" : low + " - 1")));
    line("}");
  }
  auto addBefore = [&](const std::string &value, const std::string &h) {
    if (digits.low >= 0) {
      line("#pragma unroll");
      line("for (int " + low + " = 0; " + low + " < " + lowExtent + "; ++" + low + ") {");
    }
    line(putBefore(at(h, low), value));
    if (digits.low >= 0) line("}");
  };
  std::string vectorTotal = at(high, lastLow);
  if (lanes) {
    if (!laneOutside) takeLane();
    line("const " + type + " " + through +
         " = tile2cu::" + (reverse ? "warp_scan_reverse" : "warp_scan") + laneArguments + "(" +
         vectorTotal + ", " + combine + ");");
    line(std::string(type) + " " + beforeLane +
         " = tile2cu::" + (reverse ? "warp_shift_down" : "warp_shift_up") + laneArguments + "(" +
         through + ", " + through + ");");
    if (digits.high >= 0) {
      std::string notFirst = high + " != " + firstHigh;
      line("if (" + notFirst + ") " + beforeLane + " = " + lanePart + " == " + edge + " ? " +
           total + " : " + apply(total, beforeLane) + ";");
      line("if (" + notFirst + " || " + lanePart + " != " + edge + ") {");
    } else {
      line("if (" + lanePart + " != " + edge + ") {");
    }
    addBefore(beforeLane, high);
    line("}");
    if (needsTotal) {
      std::string source = digits.lane.extent == 32 ? otherEdge : "";
      if (source.empty()) {
        // The last lane of this lane's group.
        std::string group =
            digits.lane.stride == 1 && digits.lane.extent == 1
                ? "lane"
                : "lane - " + (binary(Prec::Multiplicative, "*", unitPart(digits.lane),
                                      literal(Scalar::I32, digits.lane.stride)))
                                  .str();
        source =
            group + (otherEdge == "0"
                         ? ""
                         : " + " + std::to_string((digits.lane.extent - 1) * digits.lane.stride));
      }
      std::string all = "tile2cu::warp_shuffle(" + through + ", " + source + ")";
      if (digits.high >= 0)
        line(total + " = " + high + " == " + firstHigh + " ? " + all + " : " + apply(total, all) +
             ";");
      else
        line(totalHere + " = " + all + ";");
    }
  } else if (needsTotal) {
    if (digits.high >= 0) {
      line("if (" + high + " != " + firstHigh + ") {");
      addBefore(total, high);
      line("}");
    }
    line(totalHere + " = " + vectorTotal + ";");
  }
  if (digits.high >= 0) line("}");

  if (warps) {
    std::string warpPart = unitPart(digits.warp).str();
    std::string writer;
    for (Digit lane : {digits.lane})
      if (lane.extent > 1) writer = unitPart(lane).str() + " == " + edge;
    for (Unit unit : {Unit::Lane, Unit::Warp})
      for (const Digit &copy : layout.replicas(unit))
        writer += (writer.empty() ? "" : " && ") + unitPart(copy).str() + " == 0";
    line((writer.empty() ? "" : "if (" + writer + ") ") + slot(warpPart) + " = " + total + ";");
    if (tailLoop)
      for (size_t i = 0; i < outer.size(); ++i) line("}");
    line(barrierCall() + "  // the warps' totals are in " + buffer);
    if (tailLoop)
      for (const std::string &open : outer) line(open);
    std::string w = names_.take("w");
    std::string count = digits.warp.extent == kernel_.options.numWarps
                            ? "NUM_WARPS"
                            : std::to_string(digits.warp.extent);
    if (!reverse) {
      line(type + " " + beforeWarp + " = " + slot("0") + ";");
      line("#pragma unroll");
      line("for (int " + w + " = 1; " + w + " < " + count + " - 1; ++" + w + ") {");
      line("if (" + w + " < " + warpPart + ") " + putAfter(beforeWarp, slot(w)));
      line("}");
      line("if (" + warpPart + " > 0) {");
    } else {
      line(type + " " + beforeWarp + " = " + slot(count + " - 1") + ";");
      line("#pragma unroll");
      line("for (int " + w + " = " + count + " - 2; " + w + " > 0; --" + w + ") {");
      line("if (" + w + " > " + warpPart + ") " + putAfter(beforeWarp, slot(w)));
      line("}");
      line("if (" + warpPart + " < " + count + " - 1) {");
    }
    if (digits.high >= 0) {
      line("#pragma unroll");
      line("for (int " + high + " = 0; " + high + " < " + highExtent + "; ++" + high + ") {");
    }
    addBefore(beforeWarp, high);
    if (digits.high >= 0) line("}");
    line("}");
  }
  for (size_t i = 0; i < outer.size(); ++i) line("}");
  names_.close();
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Storage part = result;
    part.member = tuple ? "value" + std::to_string(i) : "";
    storage_[op->result(i)] = part;
  }
}

}  // namespace tile2cu::emit
