#include "passes/predicate/skip_updates.h"

#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/rematerializable.h"
#include "passes/analysis/value/row_update.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/predicate/lane_partial_condition.h"
#include "passes/rewrite/dead_code.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

int64_t elementsOfThread(const Value *value) {
  int64_t count = 1;
  for (int64_t extent : value->type.layout()->registerAxes()) count *= extent;
  return count;
}

// The user's name of a value, or of the same value in another shape.
std::string nameOf(const Value *value) {
  if (!value->name.empty()) return value->name;
  for (const Op *user : value->users)
    if (isView(user) && !user->result()->name.empty()) return user->result()->name;
  return "";
}

// Updates of one loop under one condition.
class Guard {
 public:
  Guard(Block &body, Value *root, llvm::ArrayRef<Op *> updates)
      : body_(body), root_(root), updates_(updates.begin(), updates.end()) {
    for (auto &op : body.ops) {
      position_[op.get()] = int(ops_.size());
      ops_.push_back(op.get());
    }
  }

  // Decides what is guarded, and where; returns false if it is not worth a vote.
  bool plan() {
    const std::vector<Op *> all = updates_;
    votesEarly_ = true;
    findAsked();
    settle();
    reduction_ = reductionBefore(root_, members_);
    if (!reduction_) {
      updates_ = all;
      votesEarly_ = false;
      asked_.clear();
      settle();
    }
    return !updates_.empty() && isWorthIt();
  }

  // Returns how many operations a thread saves.
  int64_t run() {
    Builder b = Builder::before(branches_.front().point);
    for (const Op *update : updates_) {
      Op *old = update->operand(SelectOp::on_falseIndex)->definition;
      Op *point = branches_[branchOf_.at(update)].point;
      if (isNumber(update) && old->parent == &body_ && isBefore(point, old)) old->moveBefore(point);
    }
    const std::string name = root_->name.empty() ? "any" : "any_" + root_->name;
    Value *asked = reduction_ ? onParts(root_, reduction_, members_, b) : root_;
    vote_ = b.create(OpKind::VoteAny, {asked}, {Type(Scalar::Bool)}, name)->result();
    if (reduction_) vote_->definition->setBool(Attr::of_parts, true);
    for (Branch &branch : branches_) makeBranch(branch);
    return work();
  }

  Op *firstUpdate() const { return updates_.front(); }

 private:
  struct Branch {
    Op *point;  // the first update in it, before which the branch is inserted
    std::vector<Op *> ops;
  };

  void settle() {
    do {
      findMembers();
      assignBranches();
    } while (dropUpdate());
  }

  // The operations that compute each lane's partial condition: they stay before the vote.
  void findAsked() {
    std::set<const Op *> seen;
    std::vector<std::pair<const Op *, bool>> open = {{root_->definition, false}};
    while (!open.empty()) {
      auto [op, isPart] = open.back();
      open.pop_back();
      if (!op || op->parent != &body_ || !(isPart ? asked_ : seen).insert(op).second) continue;
      for (const Value *operand : op->operands())
        if (operand) open.push_back({operand->definition, isPart || isExtremumInWarp(op)});
    }
  }

  bool isUpdate(const Op *op) const { return llvm::is_contained(updates_, op); }
  // Whether the update keeps a uniform value.
  static bool isNumber(const Op *update) {
    return isOneNumber(update->operand(SelectOp::on_falseIndex));
  }
  bool isMember(const Op *op) const { return members_.count(op); }
  bool isKept(const Op *op) const {
    return llvm::any_of(updates_, [&](const Op *update) {
      return update->operand(SelectOp::on_falseIndex)->definition == op;
    });
  }

  // Whether `op` can be computed after the vote.
  bool isMovable(const Op *op) const {
    if (asked_.count(op) || isKept(op)) return false;
    if (isExtremumInWarp(op)) return votesEarly_;
    if (op == root_->definition && !votesEarly_) return false;
    if (op->has(Attr::exchange) || op->numResults() != 1 || !op->result()->type.isTile())
      return false;
    return op->is(Elementwise) || isView(op) || op->kind == OpKind::Splat ||
           op->kind == OpKind::Arange || op->kind == OpKind::ReduceThread;
  }

  // The updates, and the operations that only they need.
  void findMembers() {
    members_.clear();
    for (Op *op : llvm::reverse(ops_)) {
      const bool isNeededHere =
          isMovable(op) && !op->result()->unused() &&
          llvm::all_of(op->result()->users, [&](const Op *user) { return isMember(user); });
      if (isUpdate(op) || isNeededHere) members_.insert(op);
    }
  }

  using Known = std::map<const Value *, bool>;  // values with many uses are visited once
  bool isThere(const Value *value, size_t branch, Known &known) const {
    if (auto found = known.find(value); found != known.end()) return found->second;
    const Op *made = value->definition;
    bool result = true;
    if (!made || made->parent != &body_) {
      result = true;
    } else if (auto at = branchOf_.find(made); at != branchOf_.end()) {
      result = at->second <= branch;
    } else if ((isMember(made) && isFree(made)) || (isKept(made) && isOneNumber(value))) {
      result = llvm::all_of(made->operands(),
                            [&](const Value *operand) { return isThere(operand, branch, known); });
    } else {
      result = !isMember(made) && position_.at(made) < position_.at(branches_[branch].point);
    }
    return known[value] = result;
  }

  bool joins(Op *op, size_t branch) {
    Known known;
    for (const Value *operand : op->operands())
      if (operand && !isThere(operand, branch, known)) return false;
    branches_[branch].ops.push_back(op);
    branchOf_[op] = branch;
    return true;
  }

  // Each member goes into the first branch at which all its operands are available. An update
  // without such a branch opens one, which also takes earlier members that found none.
  void assignBranches() {
    branches_.clear();
    branchOf_.clear();
    std::vector<Op *> waiting;
    for (Op *op : ops_) {
      if (!isMember(op) || isFree(op)) continue;
      bool joined = false;
      for (size_t i = 0; i < branches_.size() && !joined; ++i) joined = joins(op, i);
      if (joined) continue;
      waiting.push_back(op);
      if (!isUpdate(op)) continue;
      branches_.push_back({op, {}});
      for (Op *member : waiting) joins(member, branches_.size() - 1);
      waiting.clear();
    }
    placeAtUses();
  }

  // Views and other rematerializable operations stay where they are read.
  bool isFree(const Op *op) const { return !isUpdate(op) && isInlinedAtUse(op); }

  // Whether an update in a branch before `branch` overwrites an operand of `op`.
  bool readsOld(const Op *op, size_t branch) const {
    return llvm::any_of(updates_, [&](const Op *update) {
      return branchOf_.at(update) < branch &&
             llvm::is_contained(op->operands(), update->operand(SelectOp::on_falseIndex));
    });
  }

  // Members that only later branches read move there, so that their results do not wait in
  // registers.
  void placeAtUses() {
    for (Op *op : llvm::reverse(ops_)) {
      if (!isMember(op) || isUpdate(op)) continue;
      size_t first = branches_.size() - 1;
      for (const Op *user : op->result()->users) first = std::min(first, branchOf_.at(user));
      if (isFree(op) || !readsOld(op, first)) branchOf_[op] = first;
    }
    for (Branch &branch : branches_) branch.ops.clear();
    for (Op *op : ops_)
      if (isMember(op)) branches_[branchOf_.at(op)].ops.push_back(op);
  }

  // Whether nothing reads `value` after `branch`.
  bool endsIn(const Value *value, size_t branch, Known &known) const {
    if (auto found = known.find(value); found != known.end()) return found->second;
    return known[value] = llvm::all_of(value->users, [&](Op *user) {
             if (auto at = branchOf_.find(user); at != branchOf_.end()) return at->second <= branch;
             if (position_.at(ancestorIn(body_, user)) >= position_.at(branches_[branch].point))
               return false;
             const bool isRenamed = user->numResults() == 1 && isInlinedAtUse(user);
             return !isRenamed || endsIn(user->result(), branch, known);
           });
  }

  // Removes an update that would not be done in place; false if there is none.
  bool dropUpdate() {
    std::set<const Value *> taken;
    for (Op *update : updates_) {
      const Value *old = update->operand(SelectOp::on_falseIndex);
      if (isNumber(update)) continue;
      Known known;
      if (taken.insert(old).second && endsIn(old, branchOf_.at(update), known)) continue;
      updates_.erase(llvm::find(updates_, update));
      return true;
    }
    return false;
  }

  int64_t work() const {
    int64_t count = 0;
    for (const Branch &branch : branches_)
      for (const Op *op : branch.ops)
        if (op->is(Elementwise) && !isUpdate(op)) count += elementsOfThread(op->result());
    return count;
  }

  bool isWorthIt() const {
    return work() >= std::max(tunables().vote_min_work,
                              tunables().vote_work_per_element * elementsOfThread(root_));
  }

  void makeBranch(Branch &branch) {
    Builder b = Builder::before(branch.point);
    Op *made = b.create(OpKind::If, {vote_}, {});
    Block &inside = *made->addRegion(), &otherwise = *made->addRegion();
    Op *end = Builder(inside).yield({});
    Builder other(otherwise);
    std::vector<Value *> kept;
    for (Op *op : branch.ops) {
      op->moveBefore(end);
      Value *value = op->result();
      std::vector<Op *> readers;
      for (Op *user : value->users)
        if (!isInside(user->parent, inside) &&
            (!isMember(user) || branchOf_.at(user) != index(branch)))
          readers.push_back(user);
      if (readers.empty()) continue;
      Value *result = made->addResult(value->type, nameOf(value));
      replaceUses(readers, value, result);
      end->addOperand(value);
      kept.push_back(isUpdate(op) ? op->operand(SelectOp::on_falseIndex)
                                  : other.create(OpKind::Undefined, {}, {value->type})->result());
    }
    other.yield(kept);
  }
  size_t index(const Branch &branch) const { return &branch - branches_.data(); }

  Block &body_;
  Value *root_;
  std::vector<Op *> updates_;  // in program order
  std::vector<Op *> ops_;      // of the body
  std::map<const Op *, int> position_;
  std::set<const Op *> members_;
  std::vector<Branch> branches_;
  std::map<const Op *, size_t> branchOf_;
  std::set<const Op *> asked_;
  // Whether the condition, and the reduction that it depends on, are computed after the vote, which
  // then uses the partial result of each lane.
  bool votesEarly_ = false;
  const Op *reduction_ = nullptr;
  Value *vote_ = nullptr;
};

bool isDot(const Op *op) { return op->kind == OpKind::DotShared || op->kind == OpKind::DotWait; }

// Whether `value` is carried by the loop with this body, unchanged or with a dot added to it in
// place.
bool isCarried(const Value *value, const Block &body) {
  if (value->isArgument()) return value->owner == &body && value->index > 0;
  const Op *made = value->definition;
  return isDot(made) && made->parent == &body && made->operand(value->index) &&
         isCarried(made->operand(value->index), body);
}

// Whether `value` is an accumulator, which the loop carries or the iteration makes, or computed
// element-wise from one.
bool isComputedFromDot(const Value *value, const Block &body) {
  llvm::SmallVector<const Value *, 8> open = {value};
  std::set<const Value *> seen;
  while (!open.empty()) {
    value = open.pop_back_val();
    if (!seen.insert(value).second) continue;
    const Op *made = value->definition;
    if (isCarried(value, body)) return true;
    if (!made || made->parent != &body) continue;
    if (isDot(made)) return true;
    if (made->kind == OpKind::If)  // a mask that is tested once, before its tile is selected
      open.push_back(made->region(1)->terminator()->operand(value->index));
    if (made->is(Elementwise)) open.append(made->operands().begin(), made->operands().end());
  }
  return false;
}

// Whether `select` updates a value in place: a carried value, or some rows of an accumulator.
bool keepsInPlace(const Op *select, const Block &body) {
  const Value *old = select->operand(SelectOp::on_falseIndex);
  return isCarried(old, body) || (decidesRows(select) && isComputedFromDot(old, body));
}

// Whether `again`, which comes later, equals `first`: conditions that are combined from others are
// created once for each reader.
bool isSame(const Value *first, const Value *again) {
  if (first == again) return true;
  const Op *a = first->definition, *b = again->definition;
  return a && b && a->parent == b->parent && isBefore(a, b) && sameTree(first, again);
}

struct Updates {
  Value *condition;
  std::vector<Op *> ops;
  bool inPlace = false;  // at least one of them
};

std::vector<Updates> updatesIn(Block &body) {
  std::vector<Updates> all;
  for (auto &op : body.ops) {
    if (op->kind != OpKind::Select || !op->result()->type.isTile()) continue;
    Value *root = rootOf(op->operand(SelectOp::conditionIndex));
    if (!root->type.isTile()) continue;
    const bool inPlace = keepsInPlace(op.get(), body);
    const bool isNumberOfRow = isOneNumber(op->operand(SelectOp::on_falseIndex)) &&
                               op->result()->type.numElements() == root->type.numElements();
    if (!inPlace && !isNumberOfRow) continue;
    auto known = llvm::find_if(all, [&](Updates &each) { return isSame(each.condition, root); });
    if (known == all.end()) known = all.insert(known, {root, {}});
    known->ops.push_back(op.get());
    known->inPlace |= inPlace;
  }
  llvm::erase_if(all, [](const Updates &each) { return !each.inPlace; });
  return all;
}

// Lets the updates of a loop under the same condition read one value; returns whether they did not
// already.
bool shareConditions(Op *loop) {
  bool changed = false;
  for (const Updates &updates : updatesIn(*loop->region()))
    for (const Op *update : updates.ops) {
      Value *root = rootOf(update->operand(SelectOp::conditionIndex));
      if (root == updates.condition) continue;
      root->replaceAllUsesWith(updates.condition);
      changed = true;
    }
  return changed;
}

void guardLoop(const Kernel &kernel, Op *loop, PassContext &context) {
  Block &body = *loop->region();
  for (auto &[root, ops, inPlace] : updatesIn(body)) {
    Guard guard(body, root, ops);
    if (!guard.plan()) continue;
    const Location loc = guard.firstUpdate()->loc;
    const int64_t work = guard.run();
    context.diagnostics.decided(
        DiagId::UpdateGuarded, kernel, loc,
        {root->name.empty() ? "its condition" : "'" + root->name + "'", std::to_string(work)});
  }
}

}  // namespace

llvm::LogicalResult skip_updates(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    bool changed = false;
    for (Op *loop : forLoopsIn(kernel.body)) changed |= shareConditions(loop);
    if (changed) removeDeadCode(kernel.body);
    for (Op *loop : forLoopsIn(kernel.body)) guardLoop(kernel, loop, context);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
