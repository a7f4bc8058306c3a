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

// A stage of a buffer. The number of the stage is kAnyStage if it is not known.
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
  bool operator==(const Work &other) const {
    return newer == other.newer && isBusy == other.isBusy;
  }
};

struct State {
  std::map<Place, Work> copies;
  std::map<const Value *, int64_t> numbers;  // of what stages are computed from

  bool operator==(const State &other) const {
    return copies == other.copies && numbers == other.numbers;
  }
  bool canJoin(const State &other) const { return numbers == other.numbers; }
  void blur() { numbers.clear(); }
  void join(const State &other) {
    for (const auto &[place, work] : other.copies) {
      auto [known, isNew] = copies.try_emplace(place, work);
      if (isNew) continue;
      known->second.newer = std::min(known->second.newer, work.newer);
      known->second.isBusy |= work.isBusy;
    }
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
      if (op->kind != OpKind::Call || !op->getBool(Attr::ahead)) return;
      const Op *loop = op->parent->parent;
      while (loop && !isLoop(loop)) loop = loop->parent->parent;
      walk(*calledBy(op)->region(), [&](const Op *inner) {
        if (inner->has(Attr::buffer)) copiedAhead_.insert({loop, inner->getInt(Attr::buffer)});
      });
    });
  }

  llvm::MapVector<const Op *, std::optional<int64_t>> pending;  // none: no copies are named
  using Paths::check;
  using Paths::count;
  using Paths::found;

 private:
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
    for (size_t i = 0; i < to.size(); ++i)
      handed.push_back(stages_->contains(to[i]) ? numberOf(at, from[i]) : std::nullopt);
    for (size_t i = 0; i < to.size(); ++i) {
      at.numbers.erase(to[i]);
      if (handed[i]) at.numbers[to[i]] = *handed[i];
    }
  }

  // A loop copies ahead for iterations that it has. When it ends, they have waited for the copies.
  void drop(State &at, const Op *op) override {
    eraseInside(at.numbers, op);
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

  // ---- copies and waits

  Place placeOf(int64_t buffer, const Value *stage) const {
    return {buffer, stage ? numberOf(*state, stage).value_or(kAnyStage) : kAnyStage};
  }

  void visit(const Op *op) override {
    switch (op->kind) {
      case OpKind::AsyncCopy:
        state->copies[placeOf(op->getInt(Attr::buffer), op->operand(AsyncCopyOp::stage_optIndex))] =
            Work();
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
      default:
        Paths::visit(op);
    }
  }

  // A copy that the thread makes itself counts as one of its group, and is complete at once.
  void store(const Op *op) {
    const Value *stage = op->operand(SharedStoreOp::stage_optIndex);
    if (stage) state->copies[placeOf(op->getInt(Attr::buffer), stage)] = {-1, false};
  }

  void call(const Op *op) {
    const Block &body = *calledBy(op)->region();
    hand(*state, op->operands(), pointersTo(body.arguments));
    run(body);
    if (state) drop(*state, calledBy(op));
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
    for (auto &[place, work] : state->copies) work.isBusy &= work.newer < left;
  }

  void read(const Op *op, int64_t buffer, const Value *stage) {
    if (!isChecking) return;
    const Place from = placeOf(buffer, stage);
    if (from.second == kAnyStage) return;  // nothing is known
    for (const auto &[place, work] : state->copies)
      if (work.isBusy && place == from)
        fail(op, "reads a stage whose copies may be in flight; an async_wait has to name it first");
  }

  static constexpr int64_t kMostTrips = 1024;
  std::optional<StageValues> stages_;
  std::set<std::pair<const Op *, int64_t>> copiedAhead_;  // loops, and the buffers that they fill
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
