#include "passes/pipeline/overlap_dots.h"

#include <map>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/memory/ring_stage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/register_pressure.h"
#include "passes/ir/builder.h"
#include "passes/pipeline/dot_waits.h"
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
      if (op->kind == OpKind::RingTake) takes_.push_back(op);
    });
  }

  // Whether the loop has this form.
  bool matches() {
    const Op *end = body_.terminator();
    if (dots_.size() < 2 || isLeft(loop_) || !end || end->kind != OpKind::Yield) return false;
    for (const Op *dot : dots_) {
      const bool isOfWarpgroup = dot->parent == &body_ && dot->has(Attr::group_columns);
      if (!isOfWarpgroup || dot->getBool(Attr::async)) return false;
      if (!isRead(dot) && !onlyAddsToCarried(dot, body_)) return false;
    }
    staysInFlight_ =
        fits(tunables().overlap_reserved_registers_across) && runsForSure(kernel_, loop_);
    return isRead(dots_.front()) && fits(tunables().overlap_reserved_registers) &&
           llvm::all_of(dots_, [&](Op *dot) { return keepsOperands(dot); }) &&
           llvm::all_of(takes_,
                        [&](Op *take) { return take->parent != &body_ || releaseOf(take); });
  }

  void run() {
    startTogether();
    for (Op *dot : dots_) {
      dot->setBool(Attr::async, true);
      if (isRead(dot)) waitAtFirstUse(dot);
    }
    loop_->setInt(Attr::unroll, 1);
    if (staysInFlight_)
      waitBehind();
    else
      waitAtEnd();
  }

 private:
  // Whether the accumulators of all dots of an iteration fit in a thread's registers together.
  bool fits(int64_t beside) const {
    int64_t registers = beside;
    for (const Op *dot : dots_) {
      registers += registersOf(dot->result());
      if (const Value *inRegisters = dot->operand(DotSharedOp::a_optIndex))
        registers += registersOf(inRegisters);
    }
    return registers <= consumerRegisters(kernel_);
  }

  // Whether the accumulator belongs to this iteration alone and is read.
  static bool isRead(const Op *dot) { return !dot->operand(0) && !dot->result()->unused(); }

  // Whether the memory and registers that the dot reads are unchanged until the first wait of a
  // later iteration.
  bool keepsOperands(const Op *dot) const {
    const auto &buffers = dot->getInts(Attr::buffers);
    for (unsigned i : {0, 1}) {
      const Op *take =
          takeOf(dot->operand(i ? DotSharedOp::b_stage_optIndex : DotSharedOp::stage_optIndex));
      if (take && take->parent == &body_) {
        const bool waits = isRead(dot) || !staysInFlight_;
        if (!waits && kernel_.rings[take->getInt(Attr::ring)].stages < 2) return false;
      } else if (buffers[i] >= 0 && isStoredIn(body_, buffers[i])) {
        return false;
      }
    }
    // The next iteration overwrites the registers of the operand when it computes it. That is after
    // its first wait, if the operand depends on an accumulator.
    const Value *inRegisters = dot->operand(DotSharedOp::a_optIndex);
    if (!inRegisters) return true;
    const Needed needed =
        neededBy(body_, [&](const Op &op) { return &op == inRegisters->definition; });
    return llvm::any_of(dots_,
                        [&](Op *other) { return isRead(other) && needed.ops.contains(other); });
  }

  // The release of the stage, if there is exactly one.
  static Op *releaseOf(const Op *take) {
    Op *release = nullptr;
    for (Op *user : take->result()->users) {
      if (user->kind != OpKind::RingRelease) continue;
      if (release || user->parent != take->parent) return nullptr;
      release = user;
    }
    return release;
  }

  // Whether the dot uses only stages of its iteration, each of which is waited for once.
  bool standsAlone(const Op *dot) const {
    for (int64_t buffer : dot->getInts(Attr::buffers))
      if (buffer < 0 || isStoredIn(body_, buffer)) return false;
    return llvm::all_of(dot->operands(), [&](const Value *operand) {
      if (!operand || definedOutside(operand, body_)) return true;
      const Op *take = takeOf(operand);
      return take && take->parent == &body_ &&
             llvm::count_if(takes_, [&](const Op *other) {
               return other->getInt(Attr::ring) == take->getInt(Attr::ring);
             }) == 1;
    });
  }

  // Moves the first dot before the loads of the iteration, so that they run in parallel.
  void startBeforeLoads() {
    Op *first = dots_.front(), *front = nullptr;
    bool loads = false;
    for (Op *op = body_.front(); op != first; op = op->next()) {
      const bool isItsTake =
          op->kind == OpKind::RingTake && llvm::is_contained(first->operands(), op->result());
      if (!front && !isItsTake) front = op;
      loads |= op->kind == OpKind::Load;
    }
    if (!loads || !standsAlone(first)) return;
    for (Op *take : takes_)
      if (llvm::is_contained(first->operands(), take->result()) && isBefore(front, take))
        take->moveBefore(front);
    first->moveBefore(front);
  }

  // Independent dots start right after the first one.
  void startTogether() {
    startBeforeLoads();
    Op *place = dots_.front();
    for (Op *dot : llvm::drop_begin(dots_)) {
      if (!isRead(dot) || !standsAlone(dot)) continue;
      for (Op *take : takes_) {
        if (!llvm::is_contained(dot->operands(), take->result()) || isBefore(take, place)) continue;
        take->moveAfter(place);
        place = take;
      }
      dot->moveAfter(place);
      place = dot;
    }
    llvm::sort(dots_, [](const Op *a, const Op *b) { return a != b && isBefore(a, b); });
  }

  void waitAtFirstUse(Op *dot) {
    Builder b = Builder::before(firstUserIn(body_, *dot->result()));
    waits_[dot] = waitFor(b, dot->result());
  }

  // The first wait of the iteration after which all dots that read the stage have completed; null
  // if it is in the next iteration.
  Op *lastWaitOf(const Op *take) const {
    Op *found = nullptr;
    for (Op *dot : llvm::reverse(dots_)) {
      if (isRead(dot)) found = waits_.at(dot);
      if (llvm::is_contained(dot->operands(), take->result())) return found;
    }
    return nullptr;
  }

  // Releases stages after the waits of this iteration; returns the stages that are still being read
  // at its end.
  llvm::SmallVector<Op *, 2> releaseInStep() {
    llvm::SmallVector<Op *, 2> inFlight;
    for (Op *take : takes_) {
      if (take->parent != &body_ || !isReadByProduct(take)) continue;
      Op *release = releaseOf(take), *behind = lastWaitOf(take);
      if (!behind)
        inFlight.push_back(take);
      else if (isBefore(release, behind))
        release->moveAfter(behind);
    }
    return inFlight;
  }
  bool isReadByProduct(const Op *take) const {
    return llvm::any_of(
        dots_, [&](const Op *dot) { return llvm::is_contained(dot->operands(), take->result()); });
  }

  void waitBehind() {
    if (!runsAtLeastOnce(loop_)) loop_->setBool(Attr::runs, true);
    Builder before = Builder::before(loop_), after = Builder::after(loop_);
    after.loc.statement = -1;
    llvm::SmallVector<Value *, 2> sums;
    for (Op *dot : dots_)
      if (!isRead(dot)) sums.push_back(loop_->result(dot->operand(0)->index - 1));
    if (!sums.empty()) waitFor(after, sums);
    Op *firstWait = waits_.at(dots_.front());
    for (Op *take : releaseInStep()) {
      Op *release = releaseOf(take);
      auto [previous, last] =
          carryOneStep(loop_, before.constant(Scalar::I32, -1), take->result(), "previous_stage");
      release->setOperand(0, previous);
      release->moveAfter(firstWait);
      after.create(OpKind::RingRelease, {last}, {})
          ->setInt(Attr::ring, release->getInt(Attr::ring));
    }
  }

  void waitAtEnd() {
    Op *end = body_.terminator();
    Builder b = Builder::before(end);
    llvm::SmallVector<Value *, 2> sums;
    for (Op *dot : dots_)
      if (!isRead(dot)) sums.push_back(dot->result());
    if (!sums.empty()) waitFor(b, sums);
    for (Op *take : releaseInStep()) releaseOf(take)->moveBefore(end);
  }

  Kernel &kernel_;
  Op *loop_;
  Block &body_;
  std::vector<Op *> dots_, takes_;
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
      context.diagnostics.decided(DiagId::ProductsOverlap, kernel, loop->loc, {});
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
