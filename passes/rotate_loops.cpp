#include "passes/rotate_loops.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/dead_code.h"
#include "passes/ir/builder.h"
#include "passes/loops.h"
#include "passes/positive.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The last product of a step, with what it waits for and gives back.
struct LastProduct {
  Op *take, *dot, *release;
  bool contains(const Op *op) const { return op == take || op == dot || op == release; }
};

class Rotation {
 public:
  explicit Rotation(Op *loop) : loop_(loop), body_(*loop->region()) {}

  // Whether the loop has this form.
  bool matches() {
    std::vector<Op *> dots;
    walk(body_, [&](Op *op) {
      if (op->kind == OpKind::DotShared) dots.push_back(op);
    });
    if (dots.size() != 2 || isLeft(loop_)) return false;
    for (const Op *dot : dots)
      if (dot->parent != &body_ || !dot->has("group_columns")) return false;
    first_ = dots[0];
    Op *dot = dots[1];
    Op *end = body_.terminator();
    if (first_->operand(0) || !dot->operand(DotSharedOp::a_optIndex) || !dot->operand(0) || !end ||
        end->kind != OpKind::Yield)
      return false;
    Value *stage = dot->operand(DotSharedOp::b_stage_optIndex);
    last_ = {stage ? stage->definition : nullptr, dot, dot->next()};
    if (!last_.take || last_.take->kind != OpKind::RingTake || last_.take->parent != &body_)
      return false;
    if (last_.release->kind != OpKind::RingRelease || last_.release->operand(0) != stage)
      return false;
    if (stage->users.size() != 2 || dot->result()->users != std::vector<Op *>{end}) return false;
    slot_ = llvm::find(end->operands(), dot->result()) - end->operands().begin();
    return comesFromFirst(dot->operand(DotSharedOp::a_optIndex));
  }

  void run() {
    peelFirst();
    overlap();
    finishLast();
  }

 private:
  // Whether the operand rests on the first product of the same step.
  bool comesFromFirst(const Value *operand) const {
    const Needed needed = neededBy(body_, [&](const Op &op) { return &op == operand->definition; });
    return needed.ops.contains(first_);
  }

  Value *scaled() const { return last_.dot->operand(0); }
  Value *weights() const { return last_.dot->operand(DotSharedOp::a_optIndex); }

  // The first step without its last product, before the loop, which begins with the second.
  void peelFirst() {
    Builder before = Builder::before(loop_);
    std::map<Value *, Value *> map;
    map[body_.argument(0)] = loop_->operand(0);
    for (unsigned i = 0; i < loop_->numResults(); ++i)
      map[body_.argument(1 + i)] = loop_->operand(3 + i);
    const Op *end = body_.terminator();
    std::vector<Op *> copies;
    for (auto &op : body_.ops)
      if (op.get() != end && !last_.contains(op.get()))
        copies.push_back(clone(op.get(), before, map));
    auto now = [&](Value *value) { return map.count(value) ? map[value] : value; };
    if (now(scaled())->name.empty()) now(scaled())->name = body_.argument(1 + slot_)->name;
    for (unsigned i = 0; i < loop_->numResults(); ++i)
      loop_->setOperand(3 + i, now(i == slot_ ? scaled() : end->operand(i)));
    for (Op *copy : copies) dropZeros(copy);
    before.loc = loop_->loc;
    before.loc.statement = -1;
    Value *first = loop_->operand(0), *step = loop_->operand(2);
    loop_->setOperand(0, constantInt(first) == 0 ? step : before.binary(OpKind::Add, first, step));
    loop_->addOperand(now(weights()));
    carriedWeights_ = body_.addArgument(weights()->type, weights()->name);
    lastWeights_ = loop_->addResult(weights()->type, weights()->name);
  }

  // Where the loop's variable is 0, sums with it are their other part.
  static void dropZeros(Op *copy) {
    auto drop = [](Op *op) {
      if (op->kind != OpKind::Add) return;
      for (unsigned i : {0u, 1u})
        if (constantInt(op->operand(i)) == 0 && op->operand(1 - i)->type == op->result()->type)
          return op->result()->replaceAllUsesWith(op->operand(1 - i));
    };
    drop(copy);
    for (auto &region : copy->regions) walk(*region, drop);
  }

  // The last product of a step, once more.
  LastProduct again(Builder &b, Value *acc, Value *a) {
    std::map<Value *, Value *> map{{scaled(), acc}, {weights(), a}};
    Op *take = clone(last_.take, b, map);
    Op *dot = clone(last_.dot, b, map);
    return {take, dot, clone(last_.release, b, map)};
  }

  void overlap() {
    Value *carried = body_.argument(1 + slot_);
    std::vector<Op *> readers = carried->users;
    first_->setBool("async", true);
    Builder b = Builder::after(first_);
    LastProduct previous = again(b, carried, carriedWeights_);
    previous.dot->setBool("async", true);
    Value *scores = first_->result();
    Op *ready = b.create(OpKind::DotWait, {}, {scores->type}, scores->name);
    ready->setInt("pending", 1);
    scores->replaceAllUsesWith(ready->result());
    ready->addOperand(scores);
    // Before anything touches the sums.
    Op *place = nullptr;
    for (Op *reader : readers) {
      Op *at = ancestorIn(body_, reader);
      if (!place || isBefore(at, place)) place = at;
    }
    Builder at = Builder::before(place);
    Op *done = at.create(OpKind::DotWait, {previous.dot->result()}, {carried->type}, carried->name);
    done->setInt("pending", 0);
    previous.release->moveAfter(done);
    replaceUses(readers, carried, done->result());
    packLate(done, previous.release);
    Op *end = body_.terminator();
    end->setOperand(slot_, scaled());
    end->addOperand(weights());
    loop_->setInt("unroll", 1);
  }

  // The operand for the next product is converted when the last one has been read: until then its registers are taken.
  void packLate(Op *done, Op *behind) {
    Op *pack = weights()->definition;
    const bool isFree = pack && pack->kind == OpKind::Cast && pack->parent == &body_ &&
                        weights()->users.size() == 1;
    if (isFree && isBefore(pack, done)) pack->moveAfter(behind);
  }

  void finishLast() {
    Value *sums = loop_->result(slot_);
    std::vector<Op *> readers = sums->users;
    Builder after = Builder::after(loop_);
    LastProduct last = again(after, sums, lastWeights_);
    replaceUses(readers, sums, last.dot->result());
    last_.release->erase();
    last_.dot->erase();
    last_.take->erase();
  }

  Op *loop_;
  Block &body_;
  Op *first_ = nullptr;
  LastProduct last_ = {};
  unsigned slot_ = 0;  // of the sums among what the loop carries
  Value *carriedWeights_ = nullptr, *lastWeights_ = nullptr;
};

}  // namespace

llvm::LogicalResult rotate_loops(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    if (kernel.rings.empty()) continue;
    for (Op *loop : forLoopsIn(kernel.body)) {
      Rotation rotation(loop);
      if (!rotation.matches() || !runsForSure(kernel, loop)) continue;
      rotation.run();
      removeDeadCode(kernel.body);
      context.diagnostics.decided(DiagId::LoopRotated, kernel, loop->loc, {});
    }
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
