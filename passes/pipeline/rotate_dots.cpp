#include "passes/pipeline/rotate_dots.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/memory/ring_stage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/register_pressure.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/analysis/value/row_update.h"
#include "passes/ir/builder.h"
#include "passes/pipeline/async_dots.h"
#include "passes/rewrite/dead_code.h"
#include "passes/rewrite/loop_surgery.h"
#include "passes/target/cost_model.h"
#include "passes/target/occupancy.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// A dot, the stages that it waits for, and their releases.
struct StagedDot {
  llvm::SmallVector<Op *, 2> ringWaits;
  Op *dot = nullptr;
  llvm::SmallVector<Op *, 2> releases;  // the releases of each stage, right after the dot
};

// Nothing if other operations read one of the stages or release it.
std::optional<StagedDot> stagedDotOf(Op *dot) {
  StagedDot staged;
  staged.dot = dot;
  for (unsigned i : {DotSharedOp::stage_optIndex, DotSharedOp::b_stage_optIndex}) {
    Op *ringWait = ringWaitOf(dot->operand(i));
    if (ringWait && ringWait->parent == dot->parent &&
        !llvm::is_contained(staged.ringWaits, ringWait))
      staged.ringWaits.push_back(ringWait);
  }
  for (Op *op = dot->next(); op && op->kind == OpKind::ConsumerRelease; op = op->next())
    if (llvm::is_contained(staged.ringWaits, op->operand(0)->definition))
      staged.releases.push_back(op);
  for (const Op *ringWait : staged.ringWaits) {
    unsigned releases = 0;
    for (const Op *user : ringWait->result()->users) {
      if (user == dot) continue;
      if (!llvm::is_contained(staged.releases, user)) return std::nullopt;
      ++releases;
    }
    if (releases != 1) return std::nullopt;
  }
  return staged;
}

class Rotation {
 public:
  Rotation(Kernel &kernel, Op *loop) : kernel_(kernel), loop_(loop), body_(*loop->region()) {}

  // Whether the loop has this form.
  bool matches() {
    std::vector<Op *> dots;
    walk(body_, [&](Op *op) {
      if (op->kind == OpKind::DotShared) dots.push_back(op);
    });
    if (dots.size() != 2 || isLeft(loop_)) return false;
    if (ForOp(loop_).compare() != Compare::Lt) return false;
    const Scalar type = ForOp(loop_).lower()->type.scalar();
    if (loop_->getBool(Attr::stops) && !(isSigned(type) && bitWidth(type) == 32)) return false;
    auto first = stagedDotOf(dots[0]), last = stagedDotOf(dots[1]);
    const Op *end = body_.terminator();
    if (!first || !last || last->ringWaits.empty() || !end || end->kind != OpKind::Yield)
      return false;
    first_ = *first;
    last_ = *last;
    const Value *weights = last_.dot->operand(DotSharedOp::a_optIndex), *sum = last_.dot->result();
    if (!weights) return false;
    slot_ = llvm::find(end->operands(), sum) - end->operands().begin();
    const LoopDots loop{kernel_, body_, first_.dot};
    return dependsOn(weights, first_.dot->result()) &&
           canStartEarly(loop, first_.dot, StartAt::PreviousIteration) &&
           canStayAsync(loop, first_.dot, WaitAt::FirstUse) &&
           canStayAsync(loop, last_.dot, WaitAt::NextFirstUse);
  }

  // Registers per thread in the loop if the next iteration's first accumulator is live together
  // with this iteration's.
  int64_t registers() const {
    // Values that the loop carries, and the tiles from before the loop that it reads.
    std::set<const Value *> held;
    for (const auto &argument : body_.arguments) held.insert(argument.get());
    walk(body_, [&](Op *op) {
      for (const Value *operand : op->operands())
        if (operand && operand->definition && definedOutside(operand, body_) &&
            !isInlinedAtUse(operand->definition))
          held.insert(operand);
    });
    int64_t count = 2 * registersOf(first_.dot->result()) + tunables().rotate_reserved_registers;
    for (const Value *value : held) count += registersOf(value);
    return count;
  }

  // Rotates the loop. Returns whether the next iteration's first dot starts as soon as this
  // iteration's accumulator has been read.
  bool run(bool runsForSure) {
    Op *end = body_.terminator();
    Value *scores = carryFirst(runsForSure);
    Op *early = earlyPoint(lastReaderOf(*scores));
    // In the order in which the tensor cores execute the dots.
    next_ = startNext(scores, early ? early : last_.ringWaits.front());
    last_.dot->setBool(Attr::async, true);
    Builder b = Builder::after(last_.dot);
    Op *ready = b.create(OpKind::DotWait, {next_->result(0)}, {scores->type}, scores->name);
    for (unsigned i = 0; i < first_.ringWaits.size(); ++i)
      b.create(OpKind::ConsumerRelease, {next_->result(1 + i)}, {})
          ->setInt(Attr::ring, first_.ringWaits[i]->getInt(Attr::ring));
    end->addOperand(ready->result());
    waitForLast();
    loop_->setInt(Attr::unroll, 1);
    return early;
  }

 private:
  // Whether the result of an operation of the iteration depends on `value`, a result of another one
  // or a carried value.
  bool dependsOn(const Value *made, const Value *value) const {
    const Needed needed = neededBy(body_, [&](const Op &op) { return &op == made->definition; });
    return needed.values.contains(value);
  }

  // A copy of the first dot.
  Value *cloneFirst(Builder &b) {
    std::map<Value *, Value *> map;
    for (Op *ringWait : first_.ringWaits) clone(ringWait, b, map);
    Value *accumulator = clone(first_.dot, b, map)->result();
    for (Op *release : first_.releases) clone(release, b, map);
    return accumulator;
  }

  // The same, if the loop has an iteration. The emitted loop is guarded by the same condition:
  // otherwise ptxas (13.0) serializes the wgmmas, because the accumulator may then come from
  // something other than a wgmma.
  Value *cloneFirstIfRuns(Builder &b) {
    const Value *accumulator = first_.dot->result();
    Value *runs = b.binary(OpKind::Lt, ForOp(loop_).lower(), ForOp(loop_).upper());
    Op *branch = b.create(OpKind::If, {runs}, {accumulator->type}, accumulator->name);
    branch->setBool(Attr::with_loop, true);
    Builder then(*branch->addRegion()), other(*branch->addRegion());
    then.loc = other.loc = b.loc;
    then.yield({cloneFirst(then)});
    other.yield({other.create(OpKind::Undefined, {}, {accumulator->type})->result()});
    return branch->result();
  }

  // Inserts the first iteration's first dot before the loop, which carries its accumulator to its
  // uses.
  Value *carryFirst(bool runsForSure) {
    Builder before = Builder::before(loop_);
    Value *accumulator = runsForSure ? cloneFirst(before) : cloneFirstIfRuns(before);
    loop_->addOperand(accumulator);
    Value *carried = body_.addArgument(accumulator->type, accumulator->name);
    loop_->addResult(accumulator->type, accumulator->name);
    first_.dot->result()->replaceAllUsesWith(carried);
    return carried;
  }

  // The last operation of the iteration that reads this accumulator, or the results of branches
  // that replace it (masks).
  Op *lastReaderOf(const Value &accumulator) const {
    Op *last = nullptr;
    const auto later = [&](Op *op) {
      if (!last || isBefore(last, op)) last = op;
    };
    for (Op *user : accumulator.users) {
      Op *reader = ancestorIn(body_, user);
      later(reader);
      if (reader->kind != OpKind::If || user->kind != OpKind::Yield) continue;
      for (unsigned i = 0; i < reader->results.size(); ++i)
        if (user->operand(i) == &accumulator && !reader->result(i)->unused())
          later(lastReaderOf(*reader->result(i)));
    }
    return last;
  }

  // Where the next iteration's first dot starts, if not right before this iteration's last dot:
  // after the last reader, as soon as the code up to there takes as long as the dot in flight,
  // which has then completed (otherwise ptxas serializes the wgmmas, because the accumulator may be
  // rescaled in parallel with the new one), and if the code after it takes as long as the new dot.
  // Null if there is no such point.
  Op *earlyPoint(const Op *reader) const {
    const int64_t inFlight = dotCycles(last_.dot), next = dotCycles(first_.dot);
    int64_t before = 0, after = 0;
    Op *point = nullptr;
    for (Op *op = body_.front(); op != last_.dot; op = op->next()) {
      if (const int64_t cycles = specialCycles(op); cycles > 0 && !isForRowUpdates(op))
        (point ? after : before) += cycles;
      if (!point && before >= inFlight && !isBefore(op, reader)) point = op->next();
    }
    return after >= next ? point : nullptr;
  }

  // The carried accumulator is in flight: it is waited for at its first use, and then the stages
  // that its dot read are released. In the first iteration there is none, stage -1.
  void waitForLast() {
    Value *carried = ForOp(loop_).carried(slot_);
    Op *user = firstUserIn(body_, *carried);
    // Before the new dot: a wait after it would wait for the new dot too.
    Builder at = Builder::before(isBefore(next_, user) ? next_ : user);
    Builder before = Builder::before(loop_), after = Builder::after(loop_);
    before.loc.statement = after.loc.statement = at.loc.statement = -1;
    Op *done = waitFor(at, carried);
    waitFor(after, loop_->result(slot_));
    Op *lastRelease = done;
    for (Op *ringWait : last_.ringWaits) {
      const auto release = [&](Builder &b, Value *stage) {
        Op *op = b.create(OpKind::ConsumerRelease, {stage}, {});
        op->setInt(Attr::ring, ringWait->getInt(Attr::ring));
        return op;
      };
      auto [previous, last] = carryOneStep(loop_, before.constant(Scalar::I32, -1),
                                           ringWait->result(), "previous_stage");
      lastRelease = release(at, previous);
      release(after, last);
    }
    for (Op *release : last_.releases) release->erase();
    packLate(done, lastRelease);
  }

  // Converts the operand of the dot after the previous dot has completed: until then its registers
  // are in use.
  void packLate(Op *done, Op *lastRelease) {
    const Value *weights = last_.dot->operand(DotSharedOp::a_optIndex);
    Op *pack = weights->definition;
    const bool isFree =
        pack->kind == OpKind::Cast && pack->parent == &body_ && weights->users.size() == 1;
    if (isFree && isBefore(pack, done)) pack->moveAfter(lastRelease);
  }

  // Whether there is a next iteration. If the loop `stops`, now + step may overflow, so the
  // distance to the end is compared: in the type of the variable if the distance fits, or else in
  // 64 bits.
  Value *hasNext(Builder &b) const {
    Value *now = ForOp(loop_).variable(), *step = ForOp(loop_).step(), *end = ForOp(loop_).upper();
    const Integers integers(Assume::Launched);
    if (!loop_->getBool(Attr::stops) || integers.staysInType(loop_))
      return b.binary(OpKind::Lt, b.binary(OpKind::Add, now, step), end);
    if (integers.distanceOf(loop_) != Distance::Unknown)
      return b.binary(OpKind::Lt, step, b.binary(OpKind::Sub, end, now));
    auto wide = [&](Value *value) { return b.cast(value, Scalar::I64); };
    return b.binary(OpKind::Lt, wide(step), b.binary(OpKind::Sub, wide(end), wide(now)));
  }

  // Starts the next iteration's first dot, if there is one, before this iteration's last. Results:
  // its accumulator and its stages.
  Op *startNext(Value *scores, Op *point) {
    Builder b = Builder::before(point);
    b.loc = first_.dot->loc;
    Value *runs = hasNext(b);
    llvm::SmallVector<Type, 3> types{scores->type};
    types.append(first_.ringWaits.size(), Scalar::I32);
    Op *branch = b.create(OpKind::If, {runs}, types);
    branch->result(0)->name = scores->name;
    branch->setString(Attr::reason,
                      "The next iteration's first dot starts before this iteration's last dot, "
                      "in parallel with the code between them.");
    Builder then(*branch->addRegion()), other(*branch->addRegion());
    then.loc = other.loc = b.loc;
    llvm::SmallVector<Value *, 3> results{first_.dot->result()},
        none{other.create(OpKind::Undefined, {}, {scores->type})->result()};
    for (unsigned i = 0; i < first_.ringWaits.size(); ++i) {
      branch->result(1 + i)->name = "next_stage";
      results.push_back(first_.ringWaits[i]->result());
      none.push_back(other.constant(Scalar::I32, -1));
    }
    Op *end = then.yield(results);
    other.yield(none);
    for (Op *ringWait : first_.ringWaits) {
      ringWait->moveBefore(end);
      ringWait->result()->name = "loaded_stage";
    }
    first_.dot->moveBefore(end);
    first_.dot->setBool(Attr::async, true);
    for (Op *release : first_.releases) release->erase();
    return branch;
  }

  Kernel &kernel_;
  Op *loop_;
  Block &body_;
  StagedDot first_, last_;
  Op *next_ = nullptr;  // the branch in which the next iteration's first dot starts
  unsigned slot_ = 0;   // of the accumulator among the carried values
};

}  // namespace

llvm::LogicalResult rotate_dots(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    if (kernel.rings.empty()) continue;
    for (Op *loop : forLoopsIn(kernel.body)) {
      Rotation rotation(kernel, loop);
      if (!rotation.matches()) continue;
      const int64_t needed = rotation.registers(), has = consumerRegisters(kernel);
      if (needed > has) {
        context.diagnostics.decided(DiagId::LoopNotRotated, kernel, loop->loc,
                                    {std::to_string(needed), std::to_string(has)});
        continue;
      }
      const bool isEarly = rotation.run(runsForSure(kernel, loop));
      const DiagId what = isEarly ? DiagId::LoopRotatedEarly : DiagId::LoopRotated;
      context.diagnostics.decided(what, kernel, loop->loc, {});
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
