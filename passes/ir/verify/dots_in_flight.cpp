#include "passes/ir/verify/dots_in_flight.h"

#include <algorithm>
#include <limits>
#include <set>

#include "fmt/format.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/verify/paths.h"

namespace tile2cu::ir {
namespace {

bool isOfWarpgroup(const Op *op) {
  return op->kind == OpKind::DotShared && op->has(Attr::group_columns);
}

// The count of a wait that names no work in flight.
constexpr int64_t kNothing = std::numeric_limits<int64_t>::max();
// Dots in flight are counted up to this number, so that a loop without a wait ends.
constexpr int64_t kMostInFlight = 64;

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

template <class Map>
void joinWork(Map &into, const Map &from) {
  for (const auto &[key, work] : from) {
    auto [known, isNew] = into.try_emplace(key, work);
    if (isNew) continue;
    known->second.newer = std::min(known->second.newer, work.newer);
    known->second.isBusy |= work.isBusy;
    known->second.buffers.insert(work.buffers.begin(), work.buffers.end());
  }
}

// The dots that have started when an operation begins. A token or dot that is not listed has no
// work.
struct State {
  llvm::DenseMap<const Value *, Work> tokens;
  llvm::DenseMap<const Op *, Work> dots;
  int64_t inFlight = 0;  // at most so many dots, on the path with the most

  bool operator==(const State &other) const {
    return tokens == other.tokens && dots == other.dots && inFlight == other.inFlight;
  }
  bool canJoin(const State &) const { return true; }
  void blur() {}
  void join(const State &other) {
    joinWork(tokens, other.tokens);
    joinWork(dots, other.dots);
    inFlight = std::max(inFlight, other.inFlight);
  }
  void each(llvm::function_ref<void(Work &)> change) {
    for (auto &entry : tokens) change(entry.second);
    for (auto &entry : dots) change(entry.second);
  }
  bool isBusy(const Value *token) const {
    auto known = tokens.find(token);
    return known != tokens.end() && known->second.isBusy;
  }
};

class Dots : private Paths<State> {
 public:
  explicit Dots(const Kernel &kernel) : Paths(kernel) {
    walk(kernel.body, [&](const Op *op) {
      hasWork |= op->kind == OpKind::DotWait || (isOfWarpgroup(op) && op->getBool(Attr::async));
    });
  }

  llvm::MapVector<const Op *, int64_t> pending;    // newer than what a wait names
  llvm::DenseMap<const Op *, int64_t> inFlightAt;  // at most so many where a wait begins
  using Paths::check;
  using Paths::count;
  using Paths::found;

 private:
  // ---- control flow

  void begin(const Op *op) override {
    if (isChecking) checkOp(op);
    for (const auto &result : op->results)
      state->tokens.erase(result.get());  // of the iteration before
  }

  void visit(const Op *op) override {
    if (op->kind == OpKind::DotWait)
      wait(op);
    else if (isOfWarpgroup(op))
      start(op);
    else
      Paths::visit(op);
  }

  // `to` takes the work of `from`.
  void hand(State &at, llvm::ArrayRef<Value *> from, llvm::ArrayRef<const Value *> to) override {
    llvm::SmallVector<std::optional<Work>, 4> handed;
    for (const Value *value : from) {
      auto known = at.tokens.find(value);
      handed.push_back(known == at.tokens.end() ? std::nullopt : std::optional(known->second));
    }
    for (size_t i = 0; i < handed.size(); ++i) {
      at.tokens.erase(to[i]);
      if (handed[i]) at.tokens[to[i]] = *handed[i];
    }
  }

  void drop(State &at, const Op *op) override { eraseInside(at.tokens, op); }

  // ---- dots and waits

  void start(const Op *dot) {
    state->each([](Work &work) { ++work.newer; });
    state->inFlight = std::min(state->inFlight + 1, kMostInFlight);
    state->dots[dot] = {};
    state->tokens[dot->result()] = {};
    const Value *first = dot->operand(DotSharedOp::stage_optIndex);
    const Value *second = dot->operand(DotSharedOp::b_stage_optIndex);
    readStage(first, dot->getInts(Attr::buffers)[0]);
    readStage(second ? second : first, dot->getInts(Attr::buffers)[1]);
    if (dot->getBool(Attr::async)) return;
    state->each([](Work &work) { work.isBusy = false; });
    state->inFlight = 0;
    state->tokens.erase(dot->result());
  }

  // A dot that starts now reads the buffer in this stage; -1: an operand in registers.
  void readStage(const Value *stage, int64_t buffer) {
    if (!stage) return;
    Work &work = state->tokens[stage];
    if (!work.isBusy) work.buffers.clear();
    work.newer = 0;
    work.isBusy = true;
    if (buffer >= 0) work.buffers.insert(buffer);
  }

  void wait(const Op *op) {
    std::optional<int64_t> newer;
    for (const Value *token : op->operands())
      if (auto known = state->tokens.find(token); known != state->tokens.end())
        newer = std::min(newer.value_or(known->second.newer), known->second.newer);
    if (!isChecking) {
      auto [known, isNew] = pending.try_emplace(op, newer.value_or(kNothing));
      if (newer) known->second = std::min(known->second, *newer);
      int64_t &most = inFlightAt[op];
      most = std::max(most, state->inFlight);
      state->inFlight = std::min(state->inFlight, known->second);
      return;
    }
    const int64_t counted = pending.lookup(op), left = op->getInt(Attr::pending, counted);
    if (left > counted)
      fail(op,
           fmt::format("leaves {} dots in flight, but only {} are newer than those that it names",
                       left, counted));
    state->each([&](Work &work) { work.isBusy &= work.newer < left; });
  }

  // ---- what must not be used while a dot is in flight

  void checkOp(const Op *op) {
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const Value *value = op->operand(i);
      if (value && value->type.isTile() && state->tokens.count(value)) checkUse(op, i);
    }
    switch (op->kind) {
      case OpKind::ConsumerRelease:
        if (state->isBusy(op->operand(0))) fail(op, "releases a stage that a dot in flight reads");
        break;
      case OpKind::DotShared: {
        auto known = state->dots.find(op);
        if (op->operand(DotSharedOp::a_optIndex) && known != state->dots.end() &&
            known->second.isBusy)
          fail(op, "its first operand overwrites registers that it reads in flight");
        break;
      }
      case OpKind::Call:
        walk(*calledBy(op)->region(), [&](Op *inner) { checkWrite(op, inner); });
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

  // `inner` is `op`, or an operation of the function that `op` calls.
  void checkWrite(const Op *op, const Op *inner) {
    switch (inner->kind) {
      case OpKind::SharedLoad:
      case OpKind::TmaStore:
        return;
      default:
        if (!inner->has(Attr::buffer)) return;
    }
    const Value *stage =
        inner->kind == OpKind::SharedStore ? inner->operand(SharedStoreOp::stage_optIndex)
        : inner->kind == OpKind::AsyncCopy ? inner->operand(AsyncCopyOp::stage_optIndex)
                                           : nullptr;
    if (stage && op != inner && stage->isArgument() &&
        stage->owner->parent->kind == OpKind::LocalFunction)
      stage = op->operand(stage->index);
    const auto isWritten = [&](int64_t buffer) {
      return buffer >= 0 && sharesPlace(buffer, inner->getInt(Attr::buffer));
    };
    const bool isRead =
        stage ? state->isBusy(stage) && llvm::any_of(state->tokens[stage].buffers, isWritten)
              : llvm::any_of(state->dots, [&](auto &dot) {
                  return dot.second.isBusy &&
                         llvm::any_of(dot.first->getInts(Attr::buffers), isWritten);
                });
    if (isRead) fail(op, "writes to shared memory that a dot in flight reads");
  }

  bool sharesPlace(int64_t a, int64_t b) const {
    const SharedBuffer &first = kernel.shared[a], &second = kernel.shared[b];
    return a == b || (first.slot >= 0 && first.slot == second.slot && first.stack != second.stack);
  }
};

}  // namespace

llvm::MapVector<const Op *, int64_t> pendingDots(const Kernel &kernel) {
  Dots dots(kernel);
  dots.count();
  for (auto &[wait, newer] : dots.pending)
    newer = newer == kNothing ? 0 : std::min(newer, dots.inFlightAt.lookup(wait));
  return std::move(dots.pending);
}

std::optional<Violation> findDotViolation(const Kernel &kernel) {
  Dots dots(kernel);
  dots.count();
  dots.check();
  return std::move(dots.found);
}

}  // namespace tile2cu::ir
