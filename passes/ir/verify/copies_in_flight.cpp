#include "passes/ir/verify/copies_in_flight.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "fmt/format.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include "passes/ir/builder.h"
#include "passes/ir/verify/paths.h"

namespace tile2cu::ir {
namespace {

// A stage of a buffer. The number of the stage is kAnyStage if it is not known, and 0 in a buffer
// without stages.
using Place = std::pair<int64_t, int64_t>;
constexpr int64_t kAnyStage = -1;

bool mayBeSame(const Place &a, const Place &b) {
  return a.first == b.first &&
         (a.second == b.second || a.second == kAnyStage || b.second == kAnyStage);
}

// The newest copies to a place.
struct Work {
  int64_t newer = -1;  // groups after theirs, on the path with the fewest; -1: not committed
  bool isBusy = true;  // they may be in flight
  // Iterations of the loop that may end before they are waited for, if that is known.
  std::optional<int64_t> ahead = {};
  bool operator==(const Work &other) const {
    return newer == other.newer && isBusy == other.isBusy && ahead == other.ahead;
  }
};

struct State {
  std::map<Place, Work> copies;
  std::map<const Value *, int64_t> numbers;  // of the values that stages are computed from
  // Stages whose copies are complete, and the buffers: the value has been waited for since, or was
  // set while no such copies were in flight.
  std::map<const Value *, std::set<int64_t>> complete;

  bool operator==(const State &other) const {
    return copies == other.copies && numbers == other.numbers && complete == other.complete;
  }
  bool canJoin(const State &other) const { return numbers == other.numbers; }
  void blur() { numbers.clear(); }
  void join(const State &other) {
    for (const auto &[place, work] : other.copies) {
      auto [known, isNew] = copies.try_emplace(place, work);
      if (isNew) continue;
      known->second.newer = std::min(known->second.newer, work.newer);
      known->second.isBusy |= work.isBusy;
      if (work.ahead)
        known->second.ahead = std::min(known->second.ahead.value_or(*work.ahead), *work.ahead);
    }
    for (auto &[stage, buffers] : complete) {
      const auto others = other.complete.find(stage);
      std::erase_if(buffers, [&](int64_t buffer) {
        return others == other.complete.end() || !others->second.contains(buffer);
      });
    }
    std::erase_if(complete, [](const auto &entry) { return entry.second.empty(); });
    std::erase_if(numbers, [&](const auto &entry) {
      auto same = other.numbers.find(entry.first);
      return same == other.numbers.end() || same->second != entry.second;
    });
  }
};

// The values that stages are computed from, through loops, branches and calls. Only their numbers
// are followed.
class StageValues {
 public:
  explicit StageValues(const Kernel &kernel) {
    std::map<int64_t, std::vector<const Op *>> calls;
    walk(kernel.body, [&](const Op *op) {
      if (op->kind == OpKind::Call) calls[op->getInt(Attr::id)].push_back(op);
    });
    walk(kernel.body, [&](const Op *op) {
      for (const Value *stage : stagesOf(op)) add(stage);
    });
    while (!work_.empty()) {
      const Value *value = work_.back();
      work_.pop_back();
      const Op *op = value->isArgument() ? value->owner->parent : value->definition;
      if (!op) continue;
      if (op->kind == OpKind::LocalFunction)
        for (const Op *call : calls[op->getInt(Attr::id)]) add(call->operand(value->index));
      else
        addSources(op, value);
    }
  }

  bool contains(const Value *value) const { return known_.contains(value); }

  // The operands of an operation that are stages.
  static llvm::SmallVector<const Value *, 3> stagesOf(const Op *op) {
    switch (op->kind) {
      case OpKind::AsyncCopy:
        return {op->operand(AsyncCopyOp::stage_optIndex)};
      case OpKind::SharedStore:
        return {op->operand(SharedStoreOp::stage_optIndex)};
      case OpKind::AsyncWait:
        return {op->operand(AsyncWaitOp::stageIndex)};
      case OpKind::SharedLoad:
        return {op->operand(SharedLoadOp::stage_optIndex)};
      case OpKind::LoadFragments:
        return {op->operand(LoadFragmentsOp::stageIndex)};
      case OpKind::DotShared:
        return {op->operand(DotSharedOp::stage_optIndex),
                op->operand(DotSharedOp::b_stage_optIndex),
                op->operand(DotSharedOp::next_stage_optIndex)};
      default:
        return {};
    }
  }

 private:
  void add(const Value *value) {
    if (value && known_.insert(value).second) work_.push_back(value);
  }

  // Adds the values from which an operation computes `value`, or from which a loop carries it.
  void addSources(const Op *op, const Value *value) {
    const unsigned i = value->index;
    switch (op->kind) {
      case OpKind::For:
        if (!value->isArgument()) {
          add(ForOp(op).carried(i));
        } else if (i == 0) {
          for (unsigned bound : {0, 1, 2}) add(op->operand(bound));
        } else {
          add(ForOp(op).init(i - 1));
          addYielded(*op->region(), i - 1);
        }
        break;
      case OpKind::If:
        for (const auto &region : op->regions) addYielded(*region, i);
        break;
      case OpKind::Add:
      case OpKind::Sub:
      case OpKind::Eq:
      case OpKind::Select:
        for (const Value *operand : op->operands()) add(operand);
        break;
      default:
        break;  // its number is not followed
    }
  }
  void addYielded(const Block &region, unsigned i) {
    const Op *end = region.terminator();
    if (end && end->kind == OpKind::Yield) add(end->operand(i));
  }

  llvm::DenseSet<const Value *> known_;
  std::vector<const Value *> work_;
};

class Copies : private Paths<State> {
 public:
  explicit Copies(const Kernel &kernel) : Paths(kernel) {
    walk(kernel.body, [&](const Op *op) {
      hasWork |= op->kind == OpKind::AsyncCopy || op->kind == OpKind::AsyncWait;
    });
    if (!hasWork) return;
    stages_.emplace(kernel);
    walk(kernel.body, [&](const Op *op) {
      if (op->kind == OpKind::Break) leftEarly_.insert(loopAround(op));
      if (op->kind != OpKind::Call || !op->getBool(Attr::ahead)) return;
      for (int64_t buffer : buffersOf(op)) copiedAhead_.insert({loopAround(op), buffer});
    });
  }

  llvm::MapVector<const Op *, std::optional<int64_t>> pending;  // none: no copies are named
  using Paths::check;
  using Paths::count;
  using Paths::found;

 private:
  static const Op *loopAround(const Op *op) {
    const Op *loop = op->parent->parent;
    while (loop && !isLoop(loop)) loop = loop->parent->parent;
    return loop;
  }

  // The buffers that the called function copies to.
  std::set<int64_t> buffersOf(const Op *call) const {
    std::set<int64_t> buffers;
    walk(*calledBy(call)->region(), [&](const Op *op) {
      if (op->has(Attr::buffer)) buffers.insert(op->getInt(Attr::buffer));
    });
    return buffers;
  }

  // ---- numbers of stages

  std::optional<int64_t> numberOf(const State &at, const Value *value) const {
    if (auto known = at.numbers.find(value); known != at.numbers.end()) return known->second;
    const Op *op = value->definition;
    if (!op || !stages_->contains(value)) return std::nullopt;
    if (op->kind == OpKind::Constant) return constantInt(value);
    llvm::SmallVector<int64_t, 3> numbers;
    if (op->kind == OpKind::Select) {
      const auto condition = numberOf(at, op->operand(0));
      return condition ? numberOf(at, op->operand(*condition ? 1 : 2)) : std::nullopt;
    }
    for (const Value *operand : op->operands()) {
      const auto number = numberOf(at, operand);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    }
    switch (op->kind) {
      case OpKind::Add:
        return numbers[0] + numbers[1];
      case OpKind::Sub:
        return numbers[0] - numbers[1];
      case OpKind::Eq:
        return numbers[0] == numbers[1];
      default:
        return std::nullopt;
    }
  }

  void hand(State &at, llvm::ArrayRef<Value *> from, llvm::ArrayRef<const Value *> to) override {
    llvm::SmallVector<std::optional<int64_t>, 4> handed;
    llvm::SmallVector<std::set<int64_t>, 4> complete;
    for (size_t i = 0; i < to.size(); ++i) {
      const bool isStage = stages_->contains(to[i]);
      handed.push_back(isStage ? numberOf(at, from[i]) : std::nullopt);
      complete.push_back(isStage ? completeAt(at, from[i]) : std::set<int64_t>());
    }
    for (size_t i = 0; i < to.size(); ++i) {
      at.numbers.erase(to[i]);
      at.complete.erase(to[i]);
      if (handed[i]) at.numbers[to[i]] = *handed[i];
      if (!complete[i].empty()) at.complete[to[i]] = std::move(complete[i]);
    }
  }

  // The buffers whose copies to this stage are complete.
  std::set<int64_t> completeAt(const State &at, const Value *stage) const {
    std::set<int64_t> buffers, busy;
    if (const auto number = numberOf(at, stage))
      for (const auto &[place, work] : at.copies) {
        buffers.insert(place.first);
        if (work.isBusy && mayBeSame(place, {place.first, *number})) busy.insert(place.first);
      }
    for (int64_t buffer : busy) buffers.erase(buffer);
    if (const auto known = at.complete.find(stage); known != at.complete.end())
      buffers.insert(known->second.begin(), known->second.end());
    return buffers;
  }

  // The value gets a new number.
  void begin(const Op *op) override {
    for (const auto &result : op->results) state->complete.erase(result.get());
  }

  // A loop copies ahead only for iterations that it has (iterationsAhead), and to buffers that
  // nothing else in it copies to (loopCopyingAhead). When it ends, all of them have waited for
  // their copies (endIteration).
  void drop(State &at, const Op *op) override {
    eraseInside(at.numbers, op);
    eraseInside(at.complete, op);
    if (isLoop(op))
      std::erase_if(at.copies, [&](const auto &entry) {
        return copiedAhead_.contains({op, entry.first.first});
      });
  }

  // A loop whose variable is a stage, and whose bounds are known.
  std::optional<int64_t> tripsOf(const Op *op) override {
    const ForOp loop(op);
    if (!stages_->contains(loop.variable()) || loop.compare() != Compare::Lt) return std::nullopt;
    const auto lower = numberOf(*state, loop.lower()), upper = numberOf(*state, loop.upper()),
               step = numberOf(*state, loop.step());
    if (!lower || !upper || !step || *step < 1 || *upper - *lower > kMostTrips) return std::nullopt;
    return *upper <= *lower ? 0 : llvm::divideCeil(*upper - *lower, *step);
  }
  void beginTrip(const Op *op, int64_t i) override {
    const ForOp loop(op);
    state->numbers[loop.variable()] =
        *numberOf(*state, loop.lower()) + i * *numberOf(*state, loop.step());
  }

  // ---- copies for later iterations

  // The integer that a value is for all arguments.
  static std::optional<int64_t> integerOf(const Value *value) {
    const Op *op = value->definition;
    if (!op) return std::nullopt;
    if (op->kind == OpKind::Cast) return integerOf(op->operand(0));
    if (op->kind != OpKind::Add && op->kind != OpKind::Sub && op->kind != OpKind::Mul)
      return constantInt(value);
    const auto a = integerOf(op->operand(0)), b = integerOf(op->operand(1));
    if (!a || !b) return std::nullopt;
    return op->kind == OpKind::Add ? *a + *b : op->kind == OpKind::Sub ? *a - *b : *a * *b;
  }
  // The value before casts that keep all its bits.
  static const Value *withoutCasts(const Value *value) {
    const auto widthOf = [](const Value *each) { return bitWidth(each->type.scalar()); };
    while (value->definition && value->definition->kind == OpKind::Cast &&
           widthOf(value) >= widthOf(value->definition->operand(0)))
      value = value->definition->operand(0);
    return value;
  }

  // The most iterations whose steps together are at most `distance`.
  static std::optional<int64_t> iterationsWithin(const Value *distance, const ForOp &loop) {
    distance = withoutCasts(distance);
    const auto number = integerOf(distance), step = integerOf(loop.step());
    const bool isFalling = isGreater(loop.compare());
    if (number && step && (isFalling ? *step < 0 : *step >= 1)) return *number / std::abs(*step);
    if (isFalling) return std::nullopt;
    const Op *multiply = distance->definition;
    if (!multiply || multiply->kind != OpKind::Mul) return std::nullopt;
    for (unsigned i : {0, 1})
      if (withoutCasts(multiply->operand(i)) == withoutCasts(loop.step()))
        return integerOf(multiply->operand(1 - i));
    return std::nullopt;
  }

  // Whether `left` is `upper - variable`, in a loop that counts down `variable - upper`.
  static bool isWayToBound(const Value *left, const ForOp &loop) {
    left = withoutCasts(left);
    const Value *from = loop.variable(), *to = withoutCasts(loop.upper());
    if (isGreater(loop.compare())) std::swap(from, to);
    if (left == to && constantInt(from) == 0) return true;
    const Op *difference = left->definition;
    return difference && difference->kind == OpKind::Sub &&
           difference->operand(0) != difference->operand(1) &&
           withoutCasts(difference->operand(0)) == to &&
           withoutCasts(difference->operand(1)) == from;
  }

  // How many iterations ahead a call copies, at most: the branch around it asks whether the loop
  // has such an iteration, `distance < upper - variable`. None if it asks in another form.
  static std::optional<int64_t> iterationsAhead(const Op *call) {
    const Op *branch = call->parent->parent, *around = loopAround(call);
    if (!around || around->kind != OpKind::For || !branch || branch->kind != OpKind::If ||
        call->parent != branch->region(0))
      return std::nullopt;
    const ForOp loop(around);
    const Op *compare = branch->operand(0)->definition;
    if (!compare || (compare->kind != OpKind::Lt && compare->kind != OpKind::Le))
      return std::nullopt;
    if (!isWayToBound(compare->operand(1), loop)) return std::nullopt;
    // `distance <= upper - variable` does not show that `variable + distance < upper`.
    if (compare->kind == OpKind::Le && isStrict(loop.compare())) return std::nullopt;
    return iterationsWithin(compare->operand(0), loop);
  }

  // The loop around `op`, if it copies ahead to one of these buffers.
  const Op *loopCopyingAhead(const Op *op, const std::set<int64_t> &buffers) const {
    for (const Op *loop = loopAround(op); loop; loop = loopAround(loop))
      for (int64_t buffer : buffers)
        if (copiedAhead_.contains({loop, buffer})) return loop;
    return nullptr;
  }

  // By the end of an iteration the copies for it have been waited for.
  void endIteration(const Op *loop) override {
    if (loop->kind == OpKind::For) state->complete.erase(ForOp(loop).variable());
    for (auto &[place, work] : state->copies) {
      if (!work.isBusy || !work.ahead || !copiedAhead_.contains({loop, place.first})) continue;
      if (*work.ahead > 0)
        --*work.ahead;
      else if (isChecking)
        fail(loop, fmt::format("an iteration ends before an async_wait for the copies to buffer {} "
                               "that were made for it",
                               place.first));
    }
  }

  // ---- copies and waits

  Place placeOf(int64_t buffer, const Value *stage) const {
    return {buffer, stage ? numberOf(*state, stage).value_or(kAnyStage) : 0};
  }

  void copy(const Op *op) {
    const int64_t buffer = op->getInt(Attr::buffer);
    if (loopCopyingAhead(op, {buffer})) return fail(op, kOtherCopy);
    const Value *stage = op->operand(AsyncCopyOp::stage_optIndex);
    state->copies[placeOf(buffer, stage)] = {-1, true, ahead_};
    if (const auto known = state->complete.find(stage); known != state->complete.end())
      known->second.erase(buffer);
  }

  void visit(const Op *op) override {
    switch (op->kind) {
      case OpKind::AsyncCopy:
        copy(op);
        break;
      case OpKind::SharedStore:
        store(op);
        break;
      case OpKind::AsyncCommit:
        for (auto &[place, work] : state->copies) ++work.newer;
        break;
      case OpKind::AsyncWait:
        wait(op);
        break;
      case OpKind::Call:
        call(op);
        break;
      case OpKind::SharedLoad:
        read(op, op->getInt(Attr::buffer), op->operand(SharedLoadOp::stage_optIndex));
        break;
      case OpKind::LoadFragments:
        for (int64_t buffer : op->getInts(Attr::buffers))
          read(op, buffer, op->operand(LoadFragmentsOp::stageIndex));
        break;
      case OpKind::DotShared:
        dot(op);
        break;
      // No copies of threads are in flight to the buffers of these.
      case OpKind::SharedZero:
      case OpKind::TmaLoad:
      case OpKind::TmaStore:
      case OpKind::Load:
      case OpKind::Atomic:
      case OpKind::CudaEffect:
      case OpKind::Reduce:
      case OpKind::ReduceAcross:
      case OpKind::Scan:
      case OpKind::Sort:
        Paths::visit(op);
        break;
      default:
        // A new operation that uses shared memory belongs to one of the lists above.
        T2C_ASSERT(!op->has(Attr::buffer) && !op->has(Attr::buffers));
        Paths::visit(op);
    }
  }

  // A copy that the thread makes itself counts as one of its group, and is complete at once.
  void store(const Op *op) {
    const Value *stage = op->operand(SharedStoreOp::stage_optIndex);
    if (stage) state->copies[placeOf(op->getInt(Attr::buffer), stage)] = {-1, false};
  }

  void call(const Op *op) {
    if (op->getBool(Attr::ahead)) {
      const Op *loop = loopAround(op);
      if (!loop) return fail(op, "copies for a later iteration, but stands in no loop");
      if (leftEarly_.contains(loop))
        return fail(op, "copies for a later iteration of a loop that a break leaves");
      ahead_ = iterationsAhead(op);
      if (!ahead_)
        return fail(op,
                    "copies for a later iteration, but the branch around it does not ask whether "
                    "there is one: `distance < upper - variable`");
    } else if (loopCopyingAhead(op, buffersOf(op))) {
      return fail(op, kOtherCopy);
    }
    const Block &body = *calledBy(op)->region();
    hand(*state, op->operands(), pointersTo(body.arguments));
    run(body);
    ahead_.reset();
    if (!state) return;
    // A copy to the argument was a copy to the operand.
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (const auto known = state->complete.find(op->operand(i)); known != state->complete.end())
        std::erase_if(known->second, [&](int64_t buffer) {
          const auto inside = state->complete.find(body.argument(i));
          return inside == state->complete.end() || !inside->second.contains(buffer);
        });
    drop(*state, calledBy(op));
  }

  // A dot reads its stage, then does what its regions do, and then reads the next stage.
  void dot(const Op *op) {
    const auto &buffers = op->getInts(Attr::buffers);
    const Value *first = op->operand(DotSharedOp::stage_optIndex),
                *second = op->operand(DotSharedOp::b_stage_optIndex),
                *next = op->operand(DotSharedOp::next_stage_optIndex);
    read(op, buffers[0], first);
    read(op, buffers[1], second ? second : first);
    Paths::visit(op);
    if (!state || !next) return;
    for (int64_t buffer : buffers) read(op, buffer, next);
  }

  void wait(const Op *op) {
    std::optional<int64_t> newer;
    bool isBusy = false;
    const Value *stage = op->operand(AsyncWaitOp::stageIndex);
    for (int64_t buffer : op->getInts(Attr::buffers))
      for (const auto &[place, work] : state->copies)
        if (mayBeSame(place, placeOf(buffer, stage))) {
          newer = std::min(newer.value_or(work.newer), work.newer);
          isBusy |= work.isBusy;
        }
    if (!isChecking) {
      auto [known, isNew] = pending.try_emplace(op, newer);
      if (!isNew && newer) known->second = std::min(known->second.value_or(*newer), *newer);
      return;
    }
    if (isBusy && *newer < 0) fail(op, "waits for copies before their async_commit");
    const int64_t counted = std::max<int64_t>(pending.lookup(op).value_or(0), 0);
    const int64_t left = op->getInt(Attr::pending, counted);
    if (isBusy && left > *newer)
      fail(op, fmt::format("leaves {} groups of copies in flight, but only {} are newer than those "
                           "that it names",
                           left, *newer));
    for (auto &[place, work] : state->copies) {
      work.isBusy &= work.newer < left;
      if (!work.isBusy) work.ahead.reset();
    }
    for (int64_t buffer : op->getInts(Attr::buffers)) state->complete[stage].insert(buffer);
  }

  void read(const Op *op, int64_t buffer, const Value *stage) {
    if (!isChecking) return;
    const Place from = placeOf(buffer, stage);
    const auto known = state->complete.find(stage);
    const bool isComplete = known != state->complete.end() && known->second.contains(buffer);
    for (const auto &[place, work] : state->copies) {
      if (!work.isBusy || !mayBeSame(place, from)) continue;
      const bool isSame = place == from && from.second != kAnyStage;
      if (isSame || !isComplete)
        fail(op, "reads a stage whose copies may be in flight; an async_wait has to name it first");
    }
  }

  static constexpr int64_t kMostTrips = 1024;
  static constexpr const char *kOtherCopy =
      "copies to a buffer that the loop around it fills for later iterations";
  std::optional<StageValues> stages_;
  std::set<std::pair<const Op *, int64_t>> copiedAhead_;  // loops, and the buffers that they fill
  std::set<const Op *> leftEarly_;                        // loops with a break
  std::optional<int64_t> ahead_;  // iterations ahead, of the call that is being followed
};

}  // namespace

llvm::MapVector<const Op *, int64_t> pendingCopies(const Kernel &kernel) {
  Copies copies(kernel);
  copies.count();
  llvm::MapVector<const Op *, int64_t> pending;
  for (const auto &[wait, newer] : copies.pending)
    pending[wait] = std::max<int64_t>(newer.value_or(0), 0);
  return pending;
}

std::optional<Violation> findCopyViolation(const Kernel &kernel) {
  Copies copies(kernel);
  copies.count();
  copies.check();
  return std::move(copies.found);
}

}  // namespace tile2cu::ir
