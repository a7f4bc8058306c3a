// Scans: along a thread's vector, across lanes, across its vectors, across warps.
#include "emit/lower/lowerings.h"
#include "emit/lower/reductions.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/spelling/cuda_scalar.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

// The digits of a scanned dimension, fastest first: elements of a vector, lanes, vectors, warps.
// Each may be missing.
struct ScanDigits {
  int low = -1, high = -1;  // register axes
  Digit lane{Unit::Lane, 0, 1, 1}, warp{Unit::Warp, 0, 1, 1};
};

ScanDigits digitsOf(LoweringContext &ctx, const Layout &layout, unsigned axis) {
  ScanDigits result;
  bool lanesSeen = false;
  for (const Digit &digit : layout.dim(axis).digits) {
    // One register next to others above the lanes does not count; alone it keeps its name, for
    // variants with more.
    if (digit.extent == 1 && result.high >= 0) continue;
    if (digit.unit == Unit::Register) {
      (!lanesSeen && result.low < 0 ? result.low : result.high) = digit.axis;
    } else {
      lanesSeen = true;
      (digit.unit == Unit::Lane ? result.lane : result.warp) = digit;
    }
  }
  if (result.low >= 0 && ctx.constants.isDropped(layout, result.low)) result.low = -1;
  if (result.high >= 0 && ctx.constants.isDropped(layout, result.high)) result.high = -1;
  return result;
}

Expr minus(const Expr &a, const Expr &b) { return binary(Prec::Additive, "-", a, b); }

Expr compare(const Expr &a, const char *sign, const Expr &b) {
  const bool isEquality = sign[1] == '=' && (sign[0] == '=' || sign[0] == '!');
  return binary(isEquality ? Prec::Equality : Prec::Relational, sign, a, b);
}

// The scanned dimension, and how its elements are combined.
class Scan {
 protected:
  Scan(LoweringContext &ctx, Op *op)
      : op_(op),
        axis_(op->getInt(Attr::axis)),
        reverse_(op->getBool(Attr::reverse)),
        layout_(*op->operand(0)->type.layout()),
        digits_(digitsOf(ctx, layout_, axis_)),
        combine_(combiner(ctx, op)),
        type_(valueTypeOf(ctx, op)) {}

  bool isTuple() const { return op_->numOperands() > 1; }
  bool hasLow() const { return digits_.low >= 0; }
  bool hasHigh() const { return digits_.high >= 0; }
  bool hasLanes() const { return digits_.lane.extent > 1; }
  bool hasWarps() const { return digits_.warp.extent > 1; }
  bool needsCarry() const { return hasHigh() || hasWarps(); }

  // ---- combining

  // The operation of the language where the combine function is a known one. Those are commutative.
  std::optional<ReduceKind> kind() const { return isTuple() ? std::nullopt : op_->get(Attr::kind); }
  Expr apply(const Expr &a, const Expr &b) const {
    return kind() ? combineInThread(*kind(), op_->operand(0)->type.scalar(), a, b)
                  : call(combine_, {a, b});
  }
  // `target`, combined with what comes before it.
  Stmt putBefore(const Expr &target, const Expr &earlier) const {
    return assignment(target, kind() ? apply(target, earlier) : apply(earlier, target));
  }

  // ---- the shape

  // Whether the register axis belongs to another dimension.
  bool isAcross(unsigned axis) const {
    const auto use = layout_.axisUse(axis);
    return !(use && use->dim == axis_) && layout_.registerAxes()[axis] != 1;
  }
  Expr laneHelper(const char *up, const char *down) const {
    const std::string name = std::string("tile2cu::") + (reverse_ ? down : up);
    const Digit &lane = digits_.lane;
    return lane.extent == 32 ? word(name)
                             : instance(name, {integer(lane.extent), integer(lane.stride)});
  }
  // The lane where the scan starts, and the one where it ends.
  Expr firstLane() const { return reverse_ ? integer(digits_.lane.extent - 1) : zero_; }
  Expr lastLane() const { return reverse_ ? zero_ : integer(digits_.lane.extent - 1); }

  Op *const op_;
  const unsigned axis_;
  const bool reverse_;
  const Layout &layout_;
  const ScanDigits digits_;
  const Expr combine_, type_;
  const Expr zero_ = integer(0), one_ = integer(1);
};

class ScanWriter : Scan {
 public:
  ScanWriter(LoweringContext &ctx, Op *op) : Scan(ctx, op), ctx_(ctx) {}

  // One text from top to bottom, in the order in which it is printed.
  void write() {
    copyOperand();
    openScope();
    openOuter();
    declareCarry();
    if (hasHigh()) openScanLoop(high_, highExtent_, zero_);
    scanVector();
    if (hasLanes())
      scanLanes();
    else if (needsCarry())
      carryVector();
    if (hasHigh()) ctx_.out.close();
    if (hasWarps()) combineWarps();
    closeOuter();
    ctx_.names.close();
    placeResults();
  }

 private:
  // Combines all elements of a vector with `value`, which comes before them.
  void addBefore(const Symbol &value, const Expr &high);

  // ---- the parts of the text

  void copyOperand();
  void openScope();
  void takeCarry();
  void takeLane();
  void declareCarry();
  void scanVector();
  void scanLanes();
  void carryLanes(const Expr &scanned);
  void carryVector();
  void shareTotals();
  void combineWarps();
  void placeResults();

  // ---- loops and elements

  // A loop along the axis, from its start at `from` elements.
  void openScanLoop(const Expr &var, const Expr &extent, const Expr &from);
  void openOuter() {
    for (const For &head : outer_) ctx_.out.open({head});
  }
  void closeOuter() {
    for (size_t i = 0; i < outer_.size(); ++i) ctx_.out.close();
  }
  Expr at(const Expr &high, const Expr &low) const {
    Vars indices = vars_;
    if (hasHigh()) indices[digits_.high] = high;
    if (hasLow()) indices[digits_.low] = low;
    return storageRef(ctx_, result_, indices);
  }
  Expr firstHigh() const { return reverse_ ? minus(highExtent_, one_) : zero_; }
  Expr vectorTotal() const {
    return at(high_, reverse_ || !hasLow() ? zero_ : minus(lowExtent_, one_));
  }
  const SharedBuffer &buffer() const { return ctx_.kernel.shared[op_->getInt(Attr::buffer)]; }
  // The place of a warp's total.
  Expr slot(const Expr &warp) const;
  void setCarry(const Expr &value) {
    if (hasHigh())
      ctx_.out.set(named(carry_), value);
    else
      ctx_.out.add(variable(type_, carry_, value));
  }

  LoweringContext &ctx_;
  Storage result_;
  Symbol carry_, beforeWarp_, throughLane_, beforeLane_;
  Vars vars_;  // of the loops over the other dimensions' registers
  std::vector<For> outer_;
  Expr high_, low_, highExtent_, lowExtent_;
  Expr lanePart_;
};

// The result starts as a copy of the operand.
void ScanWriter::copyOperand() {
  const Value *result = op_->result();
  result_ = makeStorage(ctx_, result->type, result->name.empty() ? "scanned" : result->name);
  const bool isOne = !isTuple() && isOneVariable(ctx_, layout_);
  if (isTuple()) {
    result_.isVector = false;
    ctx_.out.add(declareArray(ctx_, type_, result_));
  } else {
    describeLayout(ctx_, result_);
    if (!isOne) ctx_.out.add(declare(ctx_, result->type, result_.name));
  }
  Vars vars;
  openLoops(ctx_, layout_, true, vars);
  llvm::SmallVector<Expr, 4> values;
  for (const Value *operand : op_->operands())
    values.push_back(storageRef(ctx_, ctx_.values.stored(operand), vars));
  const Expr value = isTuple() ? braces(type_, values) : values[0];
  if (isOne)
    ctx_.out.add(variable(type_, result_.name, value));
  else
    ctx_.out.set(storageRef(ctx_, result_, vars), value);
  closeLoops(ctx_, layout_, true);
}

void ScanWriter::takeCarry() {
  if (needsCarry()) carry_ = ctx_.names.take("carry");
  if (hasWarps()) beforeWarp_ = ctx_.names.take("before_warp");
}

void ScanWriter::takeLane() {
  throughLane_ = ctx_.names.take("through_lane");
  beforeLane_ = ctx_.names.take("before_lane");
}

// Names the variables. Without a loop around the scan, its own variables stay in scope after it.
void ScanWriter::openScope() {
  bool nested = false;
  for (unsigned a = 0; a < layout_.registerAxes().size(); ++a) nested |= isAcross(a);
  if (!nested) takeCarry();
  if (hasLanes() && !nested && !hasHigh()) takeLane();
  ctx_.names.open();
  if (nested) takeCarry();
  unsigned next = 0;
  for (unsigned a = 0; a < layout_.registerAxes().size(); ++a) {
    if (!isAcross(a)) {
      vars_.push_back(zero_);
      continue;
    }
    vars_.push_back(named(ctx_.info.loopNames.take(ctx_.names, next++)));
    outer_.push_back(unrolledLoop(vars_[a].symbol(), ctx_.constants.extent(layout_, a)));
  }
  high_ = hasHigh() ? named(ctx_.info.loopNames.take(ctx_.names, next++)) : zero_;
  low_ = hasLow() ? named(ctx_.names.take(ctx_.info.loopNames.ofVector())) : zero_;
  lowExtent_ = hasLow() ? ctx_.constants.extent(layout_, digits_.low) : one_;
  highExtent_ = hasHigh() ? ctx_.constants.extent(layout_, digits_.high) : one_;
  lanePart_ = hasLanes() ? unitPart(ctx_, digits_.lane) : zero_;
}

void ScanWriter::openScanLoop(const Expr &var, const Expr &extent, const Expr &from) {
  For head = unrolledLoop(var.symbol(), extent);
  head.start.all[0].init = from;
  if (reverse_) {
    const Expr last = minus(extent, one_);
    head.start.all[0].init = from.isLiteral("0") ? last : minus(last, from);
    head.condition = compare(var, ">=", zero_);
    head.advance.op = "--";
  }
  ctx_.out.open({std::move(head)});
}

void ScanWriter::addBefore(const Symbol &value, const Expr &high) {
  if (hasLow()) ctx_.out.open({unrolledLoop(low_.symbol(), lowExtent_)});
  ctx_.out.add(putBefore(at(high, low_), named(value)));
  if (hasLow()) ctx_.out.close();
}

void ScanWriter::declareCarry() {
  if (!needsCarry()) return;
  ctx_.out.add({Comment{"carry: the " + std::string(reverse_ ? "later" : "earlier") +
                        " vectors of this warp together."}});
  if (hasHigh()) ctx_.out.add(variable(type_, carry_));
}

void ScanWriter::scanVector() {
  if (!hasLow()) return;
  openScanLoop(low_, lowExtent_, one_);
  const Expr before = reverse_ ? sum(low_, one_) : minus(low_, one_);
  ctx_.out.add(putBefore(at(high_, low_), at(high_, before)));
  ctx_.out.close();
}

// Combines each vector with the elements before it in the warp: those of the lanes before its own,
// and of the vectors before those.
void ScanWriter::scanLanes() {
  if (!throughLane_) takeLane();
  const Expr scanned = named(throughLane_), shifted = named(beforeLane_);
  ctx_.out.declareConstant(
      type_, throughLane_,
      call(laneHelper("warp_scan", "warp_scan_reverse"), {vectorTotal(), combine_}));
  ctx_.out.add(variable(type_, beforeLane_,
                        call(laneHelper("warp_shift_up", "warp_shift_down"), {scanned, scanned})));
  Expr hasEarlier = compare(lanePart_, "!=", firstLane());
  if (hasHigh()) {
    const Expr notFirst = compare(high_, "!=", firstHigh());
    const Expr before = conditional(compare(lanePart_, "==", firstLane()), named(carry_),
                                    apply(named(carry_), shifted));
    ctx_.out.add(shortIf(notFirst, {Assign{shifted, "=", before}}));
    hasEarlier = binary(Prec::Or, "||", notFirst, hasEarlier);
  }
  ctx_.out.open(branchOn(hasEarlier));
  addBefore(beforeLane_, high_);
  ctx_.out.close();
  if (needsCarry()) carryLanes(scanned);
}

void ScanWriter::carryLanes(const Expr &scanned) {
  Expr source = lastLane();
  const Digit &lane = digits_.lane;
  if (lane.extent != 32) {
    // The last lane of this lane's group.
    source = minus(named("lane"), binary(Prec::Multiplicative, "*", unitPart(ctx_, lane),
                                         literal(Scalar::I32, lane.stride)));
    if (!reverse_) source = sum(source, integer((lane.extent - 1) * lane.stride));
  }
  const Expr all = call("tile2cu::warp_shuffle", {scanned, source});
  setCarry(!hasHigh()
               ? all
               : conditional(compare(high_, "==", firstHigh()), all, apply(named(carry_), all)));
}

// A thread has all vectors along the axis.
void ScanWriter::carryVector() {
  if (hasHigh()) {
    ctx_.out.open(branchOn(compare(high_, "!=", firstHigh())));
    addBefore(carry_, high_);
    ctx_.out.close();
  }
  setCarry(vectorTotal());
}

Expr ScanWriter::slot(const Expr &warp) const {
  const Expr tile = sharedTile(ctx_, op_->getInt(Attr::buffer));
  if (buffer().shape.size() == 1) return elementOf(tile, warp);
  const Expr rest = sharedIndex(ctx_, layout_, layout_, axis_, vars_);
  const Expr row =
      binary(Prec::Multiplicative, "*", warp, ctx_.constants.number(buffer().shape[1]));
  return elementOf(tile, warp.isLiteral("0") ? rest : flatSum(row, rest));
}

void ScanWriter::shareTotals() {
  const Expr warpPart = unitPart(ctx_, digits_.warp);
  Expr writer;
  if (hasLanes()) writer = compare(lanePart_, "==", firstLane());
  for (Unit unit : {Unit::Lane, Unit::Warp})
    for (const Digit &copy : layout_.replicas(unit))
      writer = bothOf(writer, compare(unitPart(ctx_, copy), "==", zero_));
  ctx_.out.add(shortIf(writer, {Assign{slot(warpPart), "=", named(carry_)}}));
  const bool hasTail = !outer_.empty();
  if (hasTail) closeOuter();
  ctx_.out.add(barrierCall(
      ctx_, "the warps' totals are in " + sharedTile(ctx_, op_->getInt(Attr::buffer)).str()));
  if (hasTail) openOuter();
}

void ScanWriter::combineWarps() {
  shareTotals();
  const Expr warpPart = unitPart(ctx_, digits_.warp);
  const Expr w = named(ctx_.names.take("w")), before = named(beforeWarp_);
  const bool areAll = digits_.warp.extent == ctx_.kernel.options.numWarps;
  const Expr count = areAll ? named("NUM_WARPS") : integer(digits_.warp.extent);
  ctx_.out.add(variable(type_, beforeWarp_, slot(reverse_ ? minus(count, one_) : zero_)));
  For head = unrolledLoop(w.symbol(), minus(count, one_));
  head.start.all[0].init = one_;
  if (reverse_) {
    head.start.all[0].init = minus(count, integer(2));
    head.condition = compare(w, ">", zero_);
    head.advance.op = "--";
  }
  ctx_.out.open({std::move(head)});
  ctx_.out.add(shortIf(compare(w, reverse_ ? ">" : "<", warpPart),
                       assignment(before, apply(before, slot(w)))));
  ctx_.out.close();
  ctx_.out.open(branchOn(reverse_ ? compare(warpPart, "<", minus(count, one_))
                                  : compare(warpPart, ">", zero_)));
  if (hasHigh()) ctx_.out.open({unrolledLoop(high_.symbol(), highExtent_)});
  addBefore(beforeWarp_, high_);
  if (hasHigh()) ctx_.out.close();
  ctx_.out.close();
}

void ScanWriter::placeResults() {
  for (unsigned i = 0; i < op_->numResults(); ++i) {
    Storage part = result_;
    part.member = isTuple() ? "value" + std::to_string(i) : "";
    ctx_.values.place(op_->result(i), part);
  }
}

}  // namespace

void lower(LoweringContext &ctx, const ScanOp &scan) {
  ctx.comments.statement(scan.op);
  ScanWriter(ctx, scan.op).write();
}

}  // namespace tile2cu::emit
