#include "passes/pipeline/overlap_dots.h"

#include <map>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/memory/ring_stage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/register_pressure.h"
#include "passes/ir/builder.h"
#include "passes/pipeline/async_dots.h"
#include "passes/rewrite/dead_code.h"
#include "passes/rewrite/loop_surgery.h"
#include "passes/target/occupancy.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

class Step {
 public:
  Step(Kernel &kernel, Op *loop) : kernel_(kernel), loop_(loop), body_(*loop->region()) {
    walk(body_, [&](Op *op) {
      if (op->kind == OpKind::DotShared) dots_.push_back(op);
      if (op->kind == OpKind::ConsumerWait) ringWaits_.push_back(op);
    });
  }

  // Whether the loop has this form.
  bool matches() {
    const Op *end = body_.terminator();
    if (dots_.size() < 2 || isLeft(loop_) || !end || end->kind != OpKind::Yield) return false;
    if (llvm::any_of(dots_, [](const Op *dot) { return dot->getBool(Attr::async); })) return false;
    llvm::copy_if(dots_, std::back_inserter(read_), isRead);
    staysInFlight_ =
        fits(tunables().overlap_reserved_registers_across) && runsForSure(kernel_, loop_);
    const WaitAt later = staysInFlight_ ? WaitAt::NextIteration : WaitAt::IterationEnd;
    return isRead(dots_.front()) && fits(tunables().overlap_reserved_registers) &&
           llvm::all_of(dots_,
                        [&](const Op *dot) {
                          return canStayAsync(loopDots(), dot,
                                              isRead(dot) ? WaitAt::FirstUse : later);
                        }) &&
           llvm::all_of(ringWaits_, [&](Op *ringWait) {
             return ringWait->parent != &body_ || releaseOf(ringWait);
           });
  }

  void run() {
    startTogether();
    for (Op *dot : dots_) {
      dot->setBool(Attr::async, true);
      if (isRead(dot)) waitAtFirstUse(dot);
    }
    loop_->setInt(Attr::unroll, 1);
    if (staysInFlight_)
      waitAfterLoop();
    else
      waitAtEnd();
  }

 private:
  // Whether the accumulators of all dots of an iteration fit in a thread's registers together.
  bool fits(int64_t others) const {
    int64_t registers = others;
    for (const Op *dot : dots_) {
      registers += registersOf(dot->result());
      if (const Value *inRegisters = dot->operand(DotSharedOp::a_optIndex))
        registers += registersOf(inRegisters);
    }
    return registers <= consumerRegisters(kernel_);
  }

  // Whether the accumulator belongs to this iteration alone and is read.
  static bool isRead(const Op *dot) { return !dot->operand(0) && !dot->result()->unused(); }

  LoopDots loopDots() const { return {kernel_, body_, read_}; }
  bool startsEarly(const Op *dot) const {
    return canStartEarly(loopDots(), dot, StartAt::IterationStart);
  }

  // The release of the stage, if there is exactly one.
  static Op *releaseOf(const Op *ringWait) {
    Op *release = nullptr;
    for (Op *user : ringWait->result()->users) {
      if (user->kind != OpKind::ConsumerRelease) continue;
      if (release || user->parent != ringWait->parent) return nullptr;
      release = user;
    }
    return release;
  }

  // Moves the first dot before the loads of the iteration, so that they run in parallel.
  void startBeforeLoads() {
    Op *first = dots_.front(), *front = nullptr;
    bool loads = false;
    for (Op *op = body_.front(); op != first; op = op->next()) {
      const bool isItsTake =
          op->kind == OpKind::ConsumerWait && llvm::is_contained(first->operands(), op->result());
      if (!front && !isItsTake) front = op;
      loads |= op->kind == OpKind::Load;
    }
    if (!loads || !startsEarly(first)) return;
    for (Op *ringWait : ringWaits_)
      if (llvm::is_contained(first->operands(), ringWait->result()) && isBefore(front, ringWait))
        ringWait->moveBefore(front);
    first->moveBefore(front);
  }

  // Independent dots start right after the first one.
  void startTogether() {
    startBeforeLoads();
    Op *point = dots_.front();
    for (Op *dot : llvm::drop_begin(dots_)) {
      if (!isRead(dot) || !startsEarly(dot)) continue;
      for (Op *ringWait : ringWaits_) {
        if (!llvm::is_contained(dot->operands(), ringWait->result()) || isBefore(ringWait, point))
          continue;
        ringWait->moveAfter(point);
        point = ringWait;
      }
      dot->moveAfter(point);
      point = dot;
    }
    llvm::sort(dots_, [](const Op *a, const Op *b) { return a != b && isBefore(a, b); });
  }

  void waitAtFirstUse(Op *dot) {
    Builder b = Builder::before(firstUserIn(body_, *dot->result()));
    waits_[dot] = waitFor(b, dot->result());
  }

  // The first wait of the iteration after which all dots that read the stage have completed; null
  // if it is in the next iteration.
  Op *lastWaitOf(const Op *ringWait) const {
    Op *found = nullptr;
    for (Op *dot : llvm::reverse(dots_)) {
      if (isRead(dot)) found = waits_.at(dot);
      if (llvm::is_contained(dot->operands(), ringWait->result())) return found;
    }
    return nullptr;
  }

  // Releases stages after the waits of this iteration; returns the stages that are still being read
  // at its end.
  llvm::SmallVector<Op *, 2> releaseInStep() {
    llvm::SmallVector<Op *, 2> inFlight;
    for (Op *ringWait : ringWaits_) {
      if (ringWait->parent != &body_ || !isReadByDot(ringWait)) continue;
      Op *release = releaseOf(ringWait), *lastWait = lastWaitOf(ringWait);
      if (!lastWait)
        inFlight.push_back(ringWait);
      else if (isBefore(release, lastWait))
        release->moveAfter(lastWait);
    }
    return inFlight;
  }
  bool isReadByDot(const Op *ringWait) const {
    return llvm::any_of(dots_, [&](const Op *dot) {
      return llvm::is_contained(dot->operands(), ringWait->result());
    });
  }

  void waitAfterLoop() {
    if (!runsAtLeastOnce(loop_)) loop_->setBool(Attr::runs, true);
    Builder before = Builder::before(loop_), after = Builder::after(loop_);
    after.loc.statement = -1;
    llvm::SmallVector<Value *, 2> accumulators;
    for (Op *dot : dots_)
      if (!isRead(dot)) accumulators.push_back(loop_->result(dot->operand(0)->index - 1));
    if (!accumulators.empty()) waitFor(after, accumulators);
    Op *firstWait = waits_.at(dots_.front());
    for (Op *ringWait : releaseInStep()) {
      Op *release = releaseOf(ringWait);
      auto [previous, last] = carryOneStep(loop_, before.constant(Scalar::I32, -1),
                                           ringWait->result(), "previous_stage");
      release->setOperand(0, previous);
      release->moveAfter(firstWait);
      after.create(OpKind::ConsumerRelease, {last}, {})
          ->setInt(Attr::ring, release->getInt(Attr::ring));
    }
  }

  void waitAtEnd() {
    Op *end = body_.terminator();
    Builder b = Builder::before(end);
    llvm::SmallVector<Value *, 2> accumulators;
    for (Op *dot : dots_)
      if (!isRead(dot)) accumulators.push_back(dot->result());
    if (!accumulators.empty()) waitFor(b, accumulators);
    for (Op *ringWait : releaseInStep()) releaseOf(ringWait)->moveBefore(end);
  }

  Kernel &kernel_;
  Op *loop_;
  Block &body_;
  std::vector<Op *> dots_, ringWaits_;
  std::vector<Op *> read_;  // the dots whose accumulators the iteration reads
  bool staysInFlight_ = false;
  std::map<const Op *, Op *> waits_;  // of dots whose accumulators are read
};

}  // namespace

llvm::LogicalResult overlap_dots(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    if (kernel.rings.empty()) continue;
    for (Op *loop : forLoopsIn(kernel.body)) {
      Step step(kernel, loop);
      if (!step.matches()) continue;
      step.run();
      context.diagnostics.decided(DiagId::DotsOverlap, kernel, loop->loc, {});
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
