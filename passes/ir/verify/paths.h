// Follows every path through a kernel, with a state that its operations change: what may be in
// flight when an operation begins. A branch is followed on both sides, a loop until its head gets
// no new state, and a local function where it is called.
//
// A State has
//
//   bool operator==(const State &) const
//   void join(const State &)            control reaches this point from there too
//   bool canJoin(const State &) const   otherwise the head of a loop is followed once for each
//   void blur()                         two states can be joined after both were blurred
#pragma once
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/verify/verify.h"
#include "passes/ir/walk.h"

namespace tile2cu::ir {

template <class State>
class Paths {
 public:
  virtual ~Paths() = default;

 protected:
  explicit Paths(const Kernel &kernel) : kernel(kernel) {
    walk(kernel.body, [&](const Op *op) {
      if (op->kind == OpKind::LocalFunction) functions_[op->getInt(Attr::id)] = op;
    });
  }

  // The paths are followed twice: first the analysis counts, then it checks, with the counts known.
  void count() {
    if (!hasWork) return;
    state = State();
    run(kernel.body);
  }
  void check() {
    isChecking = true;
    count();
  }

  // ---- what an analysis adds

  // An operation begins.
  virtual void begin(const Op *) {}
  // An operation that is not control flow changes the state.
  virtual void visit(const Op *op) {
    for (const auto &region : op->regions) run(*region);
  }
  // The values `to` are now what the values `from` are.
  virtual void hand(State &, llvm::ArrayRef<Value *> from, llvm::ArrayRef<const Value *> to) = 0;
  // The values inside `op` are out of scope.
  virtual void drop(State &, const Op *op) = 0;
  // How often a loop runs, if each iteration is followed by itself, and where one begins.
  virtual std::optional<int64_t> tripsOf(const Op *) { return std::nullopt; }
  virtual void beginTrip(const Op *, int64_t) {}
  // An iteration of a loop ends with `state`.
  virtual void endIteration(const Op *) {}

  void fail(const Op *op, std::string message) {
    if (!found) found = {op, std::move(message)};
  }

  void run(const Block &block) {
    for (const auto &op : block.ops) {
      if (!state || found) return;
      begin(op.get());
      switch (op->kind) {
        case OpKind::For:
          forLoop(op.get());
          break;
        case OpKind::While:
          whileLoop(op.get());
          break;
        case OpKind::If:
          branch(op.get());
          break;
        case OpKind::Break:
        case OpKind::Continue:
        case OpKind::Return:
          leave(op.get());
          break;
        case OpKind::LocalFunction:
          break;  // it runs where it is called
        case OpKind::Yield:
        case OpKind::Condition:
        case OpKind::Nest:
          visit(op.get());
          break;
        default:
          // A new operation with control flow has to say which of its regions run, and when.
          T2C_ASSERT(!op->is(Control));
          visit(op.get());
      }
    }
  }

  const Op *calledBy(const Op *call) const { return functions_.lookup(call->getInt(Attr::id)); }

  static llvm::ArrayRef<Value *> operandsFrom(const Op *op, unsigned first) {
    return llvm::ArrayRef<Value *>(op->operands()).drop_front(first);
  }
  using Values = llvm::SmallVector<const Value *, 4>;
  static Values pointersTo(llvm::ArrayRef<std::unique_ptr<Value>> values) {
    Values pointers;
    for (const auto &value : values) pointers.push_back(value.get());
    return pointers;
  }

  const Kernel &kernel;
  bool hasWork = false;  // whether there is anything to count; the analysis sets it
  bool isChecking = false;
  std::optional<State> state;  // none in unreachable code
  std::optional<Violation> found;

 private:
  struct Loop {
    const Op *op;
    std::optional<State> next, after;  // where an iteration and the loop are left early
  };

  static void join(std::optional<State> &into, const std::optional<State> &from) {
    if (!from) return;
    if (into)
      into->join(*from);
    else
      into = from;
  }

  static Values carriedBy(const Op *loop) {
    const auto arguments = pointersTo(loop->region()->arguments);
    return Values(llvm::drop_begin(arguments, loop->kind == OpKind::For ? 1 : 0));
  }

  // Runs an iteration from `state`. Returns where the loop is left from within.
  std::optional<State> runOnce(const Op *op, llvm::function_ref<void()> iteration) {
    loops_.push_back({op, {}, {}});
    iteration();
    Loop loop = std::move(loops_.back());
    loops_.pop_back();
    join(state, loop.next);
    if (state) endIteration(op);
    return std::move(loop.after);
  }

  // Runs iterations from each state that the loop's head has, until there is no new one. Then
  // `state` is that at the head. Returns where the loop is left from within.
  std::optional<State> repeat(const Op *op, llvm::function_ref<void()> iteration) {
    constexpr size_t kMostHeads = 256;
    std::vector<State> heads;
    std::vector<size_t> work;
    const auto reach = [&](State head) {
      if (heads.size() >= kMostHeads) head.blur();
      auto known = llvm::find_if(heads, [&](const State &each) { return each.canJoin(head); });
      if (known == heads.end())
        known = heads.insert(known, head);
      else {
        State joined = *known;
        joined.join(head);
        if (joined == *known) return;
        *known = std::move(joined);
      }
      work.push_back(known - heads.begin());
    };
    std::optional<State> after;
    reach(*state);
    while (!work.empty() && !found) {
      state = heads[work.back()];
      work.pop_back();
      join(after, runOnce(op, iteration));
      if (state) reach(std::move(*state));
    }
    state.reset();
    for (const State &head : heads) join(state, head);
    return after;
  }

  void forLoop(const Op *op) {
    const Block &body = *op->region();
    const Values carried = carriedBy(op);
    hand(*state, operandsFrom(op, ForOp::kFirstInit), carried);
    const auto iteration = [&] {
      run(body);
      if (state) hand(*state, body.terminator()->operands(), carried);
    };
    std::optional<State> after;
    if (const auto trips = tripsOf(op)) {
      for (int64_t i = 0; i < *trips && state && !found; ++i) {
        beginTrip(op, i);
        join(after, runOnce(op, iteration));
      }
    } else {
      after = repeat(op, iteration);
    }
    if (state) {
      llvm::SmallVector<Value *, 4> last;
      for (unsigned i = 0; i < carried.size(); ++i) last.push_back(ForOp(op).carried(i));
      hand(*state, last, pointersTo(op->results));
    }
    join(state, after);
    if (state) drop(*state, op);
  }

  void whileLoop(const Op *op) {
    const Block &head = *op->region(0), &body = *op->region(1);
    const Values arguments = pointersTo(head.arguments);
    hand(*state, op->operands(), arguments);
    std::optional<State> ends;
    const std::optional<State> after = repeat(op, [&] {
      run(head);
      if (!state) return;
      const auto passed = operandsFrom(head.terminator(), 1);
      std::optional<State> end = state;
      hand(*end, passed, pointersTo(op->results));
      join(ends, end);
      hand(*state, passed, pointersTo(body.arguments));
      run(body);
      if (state) hand(*state, body.terminator()->operands(), arguments);
    });
    state = std::move(ends);
    join(state, after);
    if (state) drop(*state, op);
  }

  void branch(const Op *op) {
    const std::optional<State> before = state;
    std::optional<State> after;
    if (op->regions.size() == 1) after = before;  // where the condition is false
    for (const auto &region : op->regions) {
      state = before;
      run(*region);
      if (state && region->terminator())
        hand(*state, region->terminator()->operands(), pointersTo(op->results));
      join(after, state);
    }
    state = std::move(after);
    if (state) drop(*state, op);
  }

  // A break, continue or return.
  void leave(const Op *op) {
    std::optional<State> left;
    std::swap(left, state);
    if (op->kind == OpKind::Return || loops_.empty()) return;
    Loop &loop = loops_.back();
    const bool ends = op->kind == OpKind::Break;
    hand(*left, op->operands(), ends ? pointersTo(loop.op->results) : carriedBy(loop.op));
    join(ends ? loop.after : loop.next, left);
  }

  llvm::SmallVector<Loop, 4> loops_;
  llvm::DenseMap<int64_t, const Op *> functions_;
};

// Removes the values that are defined inside `op`.
template <class Map>
void eraseInside(Map &values, const Op *op) {
  llvm::SmallVector<const Value *, 8> inside;
  for (const auto &entry : values)
    if (llvm::any_of(op->regions,
                     [&](auto &region) { return isInside(entry.first->home(), *region); }))
      inside.push_back(entry.first);
  for (const Value *value : inside) values.erase(value);
}

}  // namespace tile2cu::ir
