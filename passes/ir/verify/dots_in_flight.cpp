#include "passes/ir/verify/dots_in_flight.h"

#include <algorithm>
#include <limits>
#include <set>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::ir {
namespace {

bool isOfWarpgroup(const Op *op) {
  return op->kind == OpKind::DotShared && op->has(Attr::group_columns);
}

// The count of a wait that names no work in flight.
constexpr int64_t kNothing = std::numeric_limits<int64_t>::max();

// The newest dot that has a token.
struct Work {
  int64_t newer = 0;   // dots that have started after it, on the path with the fewest
  bool isBusy = true;  // it may be in flight
  // The shared buffers in which the dots with this token read, if the token is a stage.
  std::set<int64_t> buffers = {};
  bool operator==(const Work &other) const {
    return newer == other.newer && isBusy == other.isBusy && buffers == other.buffers;
  }
};

// The dots that have started when an operation begins. A token or dot that is not listed has no
// work.
struct State {
  llvm::DenseMap<const Value *, Work> tokens;
  llvm::DenseMap<const Op *, Work> dots;

  bool operator==(const State &other) const { return tokens == other.tokens && dots == other.dots; }
  void each(llvm::function_ref<void(Work &)> change) {
    for (auto &entry : tokens) change(entry.second);
    for (auto &entry : dots) change(entry.second);
  }
  bool isBusy(const Value *token) const {
    auto known = tokens.find(token);
    return known != tokens.end() && known->second.isBusy;
  }
};

// Control reaches a place from here too.
template <class Map>
void join(Map &into, const Map &from) {
  for (const auto &[key, work] : from) {
    auto [known, isNew] = into.try_emplace(key, work);
    if (isNew) continue;
    known->second.newer = std::min(known->second.newer, work.newer);
    known->second.isBusy |= work.isBusy;
    known->second.buffers.insert(work.buffers.begin(), work.buffers.end());
  }
}
void join(std::optional<State> &into, const std::optional<State> &from) {
  if (!from) return;
  if (!into) {
    into = from;
    return;
  }
  join(into->tokens, from->tokens);
  join(into->dots, from->dots);
}

// Follows the paths through a kernel. It does so twice: first it counts, then it checks, with the
// counts known.
class Dots {
 public:
  explicit Dots(const Kernel &kernel) : kernel_(kernel) {
    walk(const_cast<Block &>(kernel.body), [&](Op *op) {
      hasWork_ |= op->kind == OpKind::DotWait || (isOfWarpgroup(op) && op->getBool(Attr::async));
      if (op->kind == OpKind::Phase) phases_[op->getInt(Attr::id)] = op;
    });
  }

  void count() {
    if (!hasWork_) return;
    state_ = State();
    run(kernel_.body);
  }
  void check() {
    isChecking_ = true;
    count();
  }

  llvm::MapVector<const Op *, int64_t> pending;
  std::optional<Violation> found;

 private:
  void fail(const Op *op, std::string message) {
    if (!found) found = {op, std::move(message)};
  }

  // ---- control flow

  struct Loop {
    const Op *op;
    std::optional<State> next, after;  // where an iteration and the loop are left early
  };

  // `to` takes the work of `from`.
  template <class Targets>
  static void hand(State &state, llvm::ArrayRef<Value *> from, const Targets &to) {
    llvm::SmallVector<std::optional<Work>, 4> handed;
    for (const Value *value : from) {
      auto known = state.tokens.find(value);
      handed.push_back(known == state.tokens.end() ? std::nullopt : std::optional(known->second));
    }
    for (size_t i = 0; i < handed.size(); ++i) {
      state.tokens.erase(to[i].get());
      if (handed[i]) state.tokens[to[i].get()] = *handed[i];
    }
  }
  static llvm::ArrayRef<Value *> operandsFrom(const Op *op, unsigned first) {
    return llvm::ArrayRef<Value *>(op->operands()).drop_front(first);
  }
  using Values = llvm::ArrayRef<std::unique_ptr<Value>>;

  static void drop(State &state, const Op *op) {
    llvm::SmallVector<const Value *, 8> inside;
    for (const auto &entry : state.tokens)
      if (llvm::any_of(op->regions,
                       [&](auto &region) { return isInside(entry.first->home(), *region); }))
        inside.push_back(entry.first);
    for (const Value *value : inside) state.tokens.erase(value);
  }

  // Runs `iteration` with the state at the loop's head until that state does not change.
  void repeat(const Op *op, llvm::function_ref<void()> iteration) {
    for (;;) {
      const std::optional<State> head = state_;
      loops_.push_back({op, {}, {}});
      iteration();
      join(state_, loops_.back().next);
      std::optional<State> after = std::move(loops_.back().after);
      loops_.pop_back();
      join(state_, head);
      if (!state_ || state_ == head) {
        after_ = std::move(after);
        return;
      }
    }
  }

  void forLoop(const Op *op) {
    Block &body = *op->region();
    const Values carried = Values(body.arguments).drop_front();
    hand(*state_, operandsFrom(op, ForOp::kFirstInit), carried);
    repeat(op, [&] {
      run(body);
      if (state_) hand(*state_, body.terminator()->operands(), carried);
    });
    if (state_) {
      llvm::SmallVector<Value *, 4> last;
      for (const auto &value : carried) last.push_back(value.get());
      hand(*state_, last, op->results);
    }
    join(state_, after_);
    if (state_) drop(*state_, op);
  }

  void whileLoop(const Op *op) {
    Block &head = *op->region(0), &body = *op->region(1);
    hand(*state_, op->operands(), head.arguments);
    std::optional<State> ends;
    repeat(op, [&] {
      run(head);
      if (!state_) return;
      ends = state_;
      const auto passed = operandsFrom(head.terminator(), 1);
      hand(*ends, passed, op->results);
      hand(*state_, passed, body.arguments);
      run(body);
      if (state_) hand(*state_, body.terminator()->operands(), head.arguments);
    });
    state_ = std::move(ends);
    join(state_, after_);
    if (state_) drop(*state_, op);
  }

  void branch(const Op *op) {
    const std::optional<State> before = state_;
    std::optional<State> after;
    if (op->regions.size() == 1) after = before;  // where the condition is false
    for (const auto &region : op->regions) {
      state_ = before;
      run(*region);
      if (state_ && region->terminator())
        hand(*state_, region->terminator()->operands(), op->results);
      join(after, state_);
    }
    state_ = std::move(after);
    if (state_) drop(*state_, op);
  }

  // A break, continue or return.
  void leave(const Op *op) {
    std::optional<State> left;
    std::swap(left, state_);
    if (op->kind == OpKind::Return || loops_.empty()) return;
    Loop &loop = loops_.back();
    const bool ends = op->kind == OpKind::Break;
    const Values to = ends ? Values(loop.op->results)
                      : loop.op->kind == OpKind::While
                          ? Values(loop.op->region()->arguments)
                          : Values(loop.op->region()->arguments).drop_front();
    hand(*left, op->operands(), to);
    join(ends ? loop.after : loop.next, left);
  }

  void run(const Block &block) {
    for (const auto &op : block.ops) {
      if (!state_ || found) return;
      if (isChecking_) checkOp(op.get());
      for (const auto &result : op->results)
        state_->tokens.erase(result.get());  // of the iteration before
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
        case OpKind::DotShared:
          if (isOfWarpgroup(op.get())) start(op.get());
          break;
        case OpKind::DotWait:
          wait(op.get());
          break;
        case OpKind::Phase:
          break;  // it runs where it is invoked
        default:
          for (const auto &region : op->regions) run(*region);
      }
    }
  }

  // ---- dots and waits

  void start(const Op *dot) {
    state_->each([](Work &work) { ++work.newer; });
    state_->dots[dot] = {};
    state_->tokens[dot->result()] = {};
    const Value *first = dot->operand(DotSharedOp::stage_optIndex);
    const Value *second = dot->operand(DotSharedOp::b_stage_optIndex);
    readStage(first, dot->getInts(Attr::buffers)[0]);
    readStage(second ? second : first, dot->getInts(Attr::buffers)[1]);
    if (dot->getBool(Attr::async)) return;
    state_->each([](Work &work) { work.isBusy = false; });
    state_->tokens.erase(dot->result());
  }

  // A dot that starts now reads the buffer in this stage; -1: an operand in registers.
  void readStage(const Value *stage, int64_t buffer) {
    if (!stage) return;
    Work &work = state_->tokens[stage];
    if (!work.isBusy) work.buffers.clear();
    work.newer = 0;
    work.isBusy = true;
    if (buffer >= 0) work.buffers.insert(buffer);
  }

  void wait(const Op *op) {
    std::optional<int64_t> newer;
    for (const Value *token : op->operands())
      if (auto known = state_->tokens.find(token); known != state_->tokens.end())
        newer = std::min(newer.value_or(known->second.newer), known->second.newer);
    if (!isChecking_) {
      auto [known, isNew] = pending.try_emplace(op, newer.value_or(kNothing));
      if (newer) known->second = std::min(known->second, *newer);
      return;
    }
    const int64_t counted = pending.lookup(op), left = op->getInt(Attr::pending, counted);
    if (left > counted)
      fail(op, "leaves " + std::to_string(left) + " dots in flight, but only " +
                   std::to_string(counted) + " are newer than those that it names");
    state_->each([&](Work &work) { work.isBusy &= work.newer < left; });
  }

  // ---- what must not be used while a dot is in flight

  void checkOp(const Op *op) {
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const Value *value = op->operand(i);
      if (value && value->type.isTile() && state_->tokens.count(value)) checkUse(op, i);
    }
    switch (op->kind) {
      case OpKind::RingRelease:
        if (state_->isBusy(op->operand(0))) fail(op, "releases a stage that a dot in flight reads");
        break;
      case OpKind::DotShared: {
        auto known = state_->dots.find(op);
        if (op->operand(DotSharedOp::a_optIndex) && known != state_->dots.end() &&
            known->second.isBusy)
          fail(op, "its first operand overwrites registers that it reads in flight");
        break;
      }
      case OpKind::Invoke:
        walk(*phases_.lookup(op->getInt(Attr::id))->region(),
             [&](Op *inner) { checkWrite(op, inner); });
        break;
      default:
        checkWrite(op, op);
    }
  }

  // The accumulator of a dot in flight is in registers that only the next dot may use, which adds
  // to it in place.
  void checkUse(const Op *op, unsigned operand) {
    const Value *value = op->operand(operand);
    if (isOfWarpgroup(op) && operand == DotSharedOp::acc_optIndex) {
      if (value->users.size() != 1 || value->home() != op->parent)
        fail(op, "adds to an accumulator in flight that is used elsewhere too");
      return;
    }
    const Op *holder = op->kind == OpKind::Yield ? op->parent->parent : op;
    switch (holder ? holder->kind : OpKind::Return) {
      case OpKind::DotWait:
      case OpKind::For:
      case OpKind::While:
      case OpKind::If:
      case OpKind::Break:
      case OpKind::Continue:
      case OpKind::Condition:
        return;
      default:
        fail(op, "reads an accumulator in flight; only the result of a dot_wait is complete");
    }
  }

  // `inner` is `op`, or an operation of the phase that `op` invokes.
  void checkWrite(const Op *op, const Op *inner) {
    switch (inner->kind) {
      case OpKind::SharedLoad:
      case OpKind::TensorCopyOut:
        return;
      default:
        if (!inner->has(Attr::buffer)) return;
    }
    const Value *stage =
        inner->kind == OpKind::SharedStore ? inner->operand(SharedStoreOp::stage_optIndex)
        : inner->kind == OpKind::AsyncCopy ? inner->operand(AsyncCopyOp::stage_optIndex)
                                           : nullptr;
    if (stage && op != inner && stage->isArgument() && stage->owner->parent->kind == OpKind::Phase)
      stage = op->operand(stage->index);
    const auto isWritten = [&](int64_t buffer) {
      return buffer >= 0 && sharesPlace(buffer, inner->getInt(Attr::buffer));
    };
    const bool isRead =
        stage ? state_->isBusy(stage) && llvm::any_of(state_->tokens[stage].buffers, isWritten)
              : llvm::any_of(state_->dots, [&](auto &dot) {
                  return dot.second.isBusy &&
                         llvm::any_of(dot.first->getInts(Attr::buffers), isWritten);
                });
    if (isRead) fail(op, "writes to shared memory that a dot in flight reads");
  }

  bool sharesPlace(int64_t a, int64_t b) const {
    const SharedBuffer &first = kernel_.shared[a], &second = kernel_.shared[b];
    return a == b || (first.slot >= 0 && first.slot == second.slot && first.stack != second.stack);
  }

  const Kernel &kernel_;
  bool hasWork_ = false, isChecking_ = false;
  std::optional<State> state_;  // none where control does not come
  std::optional<State> after_;  // where the loop that `repeat` ran was left by a break
  llvm::SmallVector<Loop, 4> loops_;
  llvm::DenseMap<int64_t, const Op *> phases_;
};

}  // namespace

llvm::MapVector<const Op *, int64_t> pendingDots(const Kernel &kernel) {
  Dots dots(kernel);
  dots.count();
  for (auto &[wait, newer] : dots.pending)
    if (newer == kNothing) newer = 0;
  return std::move(dots.pending);
}

std::optional<Violation> findDotViolation(const Kernel &kernel) {
  Dots dots(kernel);
  dots.count();
  dots.check();
  return std::move(dots.found);
}

}  // namespace tile2cu::ir
