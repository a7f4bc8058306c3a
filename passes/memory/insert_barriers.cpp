#include "passes/memory/insert_barriers.h"

#include <functional>
#include <map>
#include <set>

#include "fmt/format.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/access_overlap.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/atomic_order.h"
#include "passes/analysis/memory/global_effects.h"
#include "passes/analysis/memory/ring_stage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

struct Pending {
  Op *op = nullptr;
  bool write = false;
  int buffer = -1;                    // -1: global memory
  const Op *ahead = nullptr;          // the loop in which it fills a stage for a later iteration
  bool isAsync = false;               // by wgmma or TMA: needs a fence after writes by threads
  bool inFlight = false;              // a TMA copy that has not been waited for yet
  bool isOrdered = false;             // ordered by a barrier, but perhaps not by a fence
  std::optional<unsigned> base = {};  // global memory: the parameter that its addresses come from

  // The key that distinguishes it from others; the rest follows from the operation.
  std::pair<const Op *, unsigned> key() const {
    return {op, unsigned(buffer + 1) << 3 | unsigned(write) << 2 | unsigned(inFlight) << 1 |
                    unsigned(isOrdered)};
  }
};

// Entries in the order in which they came, each once.
class Set {
 public:
  Set() = default;
  // A copy builds its index when an entry is added.
  Set(const Set &other) : entries_(other.entries_) {}
  Set(Set &&) = default;
  Set &operator=(Set other) {
    std::swap(entries_, other.entries_);
    std::swap(known_, other.known_);
    return *this;
  }

  template <typename Entries>
  void add(const Entries &entries) {
    if (known_.size() != entries_.size())
      for (const Pending &entry : entries_) known_.insert(entry.key());
    for (const Pending &entry : entries)
      if (known_.insert(entry.key()).second) entries_.push_back(entry);
  }
  // `change` may modify an entry; the entry is removed if it returns true.
  void update(llvm::function_ref<bool(Pending &)> change) {
    std::vector<Pending> all;
    std::swap(all, entries_);
    known_.clear();
    llvm::erase_if(all, change);
    add(all);
  }
  void clear() {
    entries_.clear();
    known_.clear();
  }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  bool operator==(const Set &other) const {
    return std::equal(begin(), end(), other.begin(), other.end(),
                      [](const Pending &a, const Pending &b) { return a.key() == b.key(); });
  }

 private:
  std::vector<Pending> entries_;
  llvm::DenseSet<std::pair<const Op *, unsigned>> known_;
};
using Effects = std::vector<Pending>;

struct State {
  Kernel &kernel;
  PassContext &context;
  Set pending = {};
  std::map<int64_t, Op *> functions = {};
  AccessOverlaps overlaps = {};

  bool sameStorage(int a, int b) const {
    const SharedBuffer &first = kernel.shared[a], &second = kernel.shared[b];
    return a == b || (first.slot >= 0 && first.slot == second.slot && first.stack != second.stack);
  }

  // Whether each element is accessed by one thread only.
  static bool ownElements(const Op *op) {
    const Type &type = op->operand(0)->type;
    return type.isTile() && type.layout() && !type.layout()->isReplicated();
  }

  bool conflicts(const Pending &a, const Pending &b) {
    if (!a.write && !b.write) return false;
    if (a.isOrdered && !b.isAsync) return false;
    if ((a.buffer < 0) != (b.buffer < 0)) return false;
    if (a.buffer >= 0) return sameStorage(a.buffer, b.buffer) && !otherStage(a, b);
    if (b.op->has(Attr::fences) && releases(kernel, b.op, a.op)) return true;
    if (a.op->has(Attr::fences) && acquires(kernel, a.op, b.op)) return true;
    if (commute(a.op, b.op)) return false;
    if (areApart(kernel, a.base, b.base)) return false;
    const Alias kind = alias(kernel, a.op, b.op);
    if (kind == Alias::None) return false;
    if (++proofs > tunables().overlap_proofs) return true;
    const Overlap found = overlaps.of(a.op, b.op);
    if (!found.isPossible) return false;
    // Accesses of one thread are ordered.
    const bool isOneThread =
        ownElements(a.op) && ownElements(b.op) && a.op->operand(0)->type == b.op->operand(0)->type;
    return !isOneThread ||
           !(found.isSameElement || (kind == Alias::SameElement && found.isSameStep));
  }

  // Prefetched copies fill another stage than the one that their iteration reads. A thread copies
  // the same elements of every stage, so two calls of one copy never conflict.
  bool otherStage(const Pending &a, const Pending &b) const {
    if (a.buffer != b.buffer) return false;
    // All threads have released a stage before it is reused.
    if (ofStages.count(a.buffer) && b.write) return true;
    if (a.op->kind == OpKind::Call && b.op->kind == OpKind::Call)
      return a.op->getInt(Attr::id) == b.op->getInt(Attr::id);
    if (!a.ahead == !b.ahead) return false;
    const Pending &copy = a.ahead ? a : b, &other = a.ahead ? b : a;
    if (other.op->kind ==
        OpKind::LoadFragments)  // of the loop's first stage, which has not been released yet
      return other.op->getInt(Attr::fragments) == copy.op->getInt(Attr::id);
    return isInside(other.op->parent, *copy.ahead->region());
  }

  // Buffers of which each warp reads only what it wrote.
  std::set<int64_t> ofWarps = {};
  // Buffers that threads write stage by stage, next to a ring.
  std::set<int64_t> ofStages = {};

  // Buffers whose readers have barriers of their own.
  bool hasOwnBarriers(int64_t buffer) const {
    return ofWarps.count(buffer) != 0 || llvm::any_of(kernel.rings, [&](const SharedRing &ring) {
             return llvm::is_contained(ring.buffers, buffer);
           });
  }

  // The memory effects of an operation, including those in its regions.
  Effects effects(Op *op) {
    Effects result;
    std::function<void(Op *)> add = [&](Op *access) {
      switch (access->kind) {
        case OpKind::Call:
          walk(*functions.at(access->getInt(Attr::id))->region(), add);
          break;
        case OpKind::SharedStore:
          if (!ofWarps.count(access->getInt(Attr::buffer)))
            result.push_back({access, true, int(access->getInt(Attr::buffer))});
          break;
        case OpKind::SharedZero:
        case OpKind::AsyncCopy:
          result.push_back({access, true, int(access->getInt(Attr::buffer))});
          break;
        case OpKind::SharedLoad:
          if (hasOwnBarriers(access->getInt(Attr::buffer))) break;
          result.push_back({access, false, int(access->getInt(Attr::buffer))});
          break;
        case OpKind::TmaStore:
          result.push_back({access, false, int(access->getInt(Attr::buffer))});
          result.back().isAsync = result.back().inFlight = true;
          break;
        case OpKind::DotShared:
        case OpKind::LoadFragments:
          for (int64_t buffer : access->getInts(Attr::buffers))
            if (buffer >= 0 && !hasOwnBarriers(buffer)) {
              result.push_back({access, false, int(buffer)});
              result.back().isAsync = access->has(Attr::group_columns);
            }
          break;
        case OpKind::Load:
          if (isReadOnly(kernel, access)) break;
          result.push_back({access, false, -1});
          result.back().base = basePointer(access->operand(0));
          break;
        case OpKind::Store:
        case OpKind::Atomic:
        case OpKind::CudaEffect:
          if (!accessesGlobal(access)) break;
          // An atomic load that orders nothing only reads.
          result.push_back({access, access->has(Attr::fences) || writesGlobal(access), -1});
          if (access->is(GlobalAccess)) result.back().base = basePointer(access->operand(0));
          break;
        // Rings have barriers of their own, and the others access no memory that threads share.
        case OpKind::ProducerAcquire:
        case OpKind::TmaLoad:
        case OpKind::ConsumerWait:
        case OpKind::ConsumerRelease:
        case OpKind::Barrier:
        case OpKind::DebugBarrier:
        case OpKind::AsyncCommit:
        case OpKind::AsyncWait:
        case OpKind::DotWait:
        case OpKind::TmaStoreWait:
        case OpKind::DeviceAssert:
        case OpKind::DevicePrint:
          break;
        default:
          // A new operation that accesses memory belongs to one of the lists above.
          T2C_ASSERT(!access->is(Reads) && !access->is(Writes));
      }
    };
    if (op->kind == OpKind::Nest) {
      for (auto &inner : op->region()->ops) add(inner.get());
    } else if (op->kind == OpKind::Call) {
      add(op);
      const Op *loop = op->getBool(Attr::ahead) ? op->parentOp() : nullptr;
      while (loop && loop->kind != OpKind::For) loop = loop->parentOp();
      for (Pending &entry : result) entry = {op, entry.write, entry.buffer, loop};
    } else {
      add(op);
    }
    return result;
  }

  // "'q' in line 25 and 'k' here may overlap", for accesses to global memory.
  std::string overlap(const Pending &earlier, const Pending &later) const {
    if (later.buffer >= 0) return "";
    auto name = [&](const Op *op) {
      const auto effects = globalEffects(op);
      const auto base = effects.size() == 1 ? basePointer(effects[0].pointer) : std::nullopt;
      return base ? fmt::format("'{}'", kernel.parameters[*base].name) : "a pointer";
    };
    return fmt::format("; {} in line {} and {} here may overlap", name(earlier.op),
                       earlier.op->loc.line, name(later.op));
  }

  // `op` is the later access, or a loop or branch around it. The barrier does not order the pending
  // accesses in `laterBlock`, which runs after it.
  void barrierBefore(Op *op, const Pending &earlier, const Pending &later,
                     const Block *laterBlock = nullptr) {
    Builder b = Builder::before(op);
    const std::string reason = reasonFor(earlier, later);
    Op *barrier = b.create(OpKind::Barrier, {}, {});
    barrier->setString(Attr::reason, reason);
    if (earlier.write && later.isAsync) barrier->setBool(Attr::async_proxy, true);
    context.diagnostics.decided(
        DiagId::BarrierPlaced, kernel, later.op->loc,
        {kernel.packed() ? "the warp synchronizes" : "a barrier of the whole block",
         isLoop(op) ? "the loop of this" : "this", reason + overlap(earlier, later)});
    for (const Op *loop = loopAround(op->parent); loop; loop = loopAround(loop->parent))
      ++placed[loop];
    passBarrier(barrier->getBool(Attr::async_proxy), laterBlock);
  }

  // All threads have arrived at a barrier. Their writes to shared memory still need a fence before
  // wgmma or TMA access them.
  void passBarrier(bool isFence = false, const Block *laterBlock = nullptr) {
    pending.update([&](Pending &entry) {
      if (entry.inFlight || (laterBlock && isInside(entry.op->parent, *laterBlock))) return false;
      entry.isOrdered = true;
      return isFence || !entry.write || entry.buffer < 0;
    });
  }

  std::string reasonFor(const Pending &earlier, const Pending &later) const {
    if (later.buffer >= 0) {
      const std::string &before = kernel.shared[earlier.buffer].name,
                        &after = kernel.shared[later.buffer].name;
      if (earlier.op->kind == OpKind::SharedZero)
        return fmt::format("smem.{} is all zeros", before);
      const bool isScatter = later.write && later.op->has(Attr::axis) && before == after;
      if (earlier.write && (!later.write || isScatter))
        return fmt::format("smem.{} has been written", before);
      if (before == after)
        return fmt::format("all threads have read smem.{}, which may be overwritten", before);
      return fmt::format("all threads have read smem.{}, whose memory smem.{} reuses", before,
                         after);
    }
    const auto what = [](const Op *op) { return op->kind == OpKind::Atomic ? "atomic" : "text"; };
    if (later.op->has(Attr::fences) && releases(kernel, later.op, earlier.op))
      return fmt::format("the accesses above are ordered before the {}", what(later.op));
    if (earlier.op->has(Attr::fences) && acquires(kernel, earlier.op, later.op))
      return fmt::format("the accesses below are ordered after the {}", what(earlier.op));
    if (earlier.write && !later.write) return "the stores above are visible to the loads below";
    if (!earlier.write) return "the loads above have completed before the stores below";
    return "the stores above are ordered before those below";
  }

  // An earlier access that has to complete first, and the effect that has to wait.
  struct Conflict {
    Pending before, now;
  };
  int proofs = 0;  // for the current effect
  std::optional<Conflict> conflictOf(const Effects &effects) {
    for (const Pending &now : effects) {
      proofs = 0;
      for (const Pending &before : pending)
        if (conflicts(before, now)) return Conflict{before, now};
    }
    return std::nullopt;
  }

  void access(Op *op, const Effects &effects) {
    if (isTrial && trialConflict) return;
    const auto conflict = conflictOf(effects);
    if (isTrial) {
      trialConflict = conflict;
      return;
    }
    if (conflict) barrierBefore(op, conflict->before, conflict->now);
    pending.add(effects);
  }

  // The accesses that are pending where an iteration of the loop ends early, and where the loop
  // ends early.
  struct Exits {
    Set ofSteps, ofLoop;
  };
  std::vector<Exits> loops = {};  // the innermost loop is last

  // A trial run only finds whether an iteration conflicts with pending accesses: it adds none and
  // inserts no barrier.
  bool isTrial = false;
  std::optional<Conflict> trialConflict = {};

  // The conflict of an iteration of the loop with an access before the loop.
  std::optional<Conflict> conflictIn(Op *loop) {
    const Set before = pending;
    isTrial = true;
    trialConflict.reset();
    runSteps(loop);
    isTrial = false;
    pending = before;
    return trialConflict;
  }

  // Barriers between iterations are inserted first. For accesses before the loop, one barrier
  // before it is enough.
  void runLoop(Op *loop) {
    if (isTrial) return runSteps(loop);
    Set before;
    std::swap(pending, before);
    runSteps(loop);
    std::swap(pending, before);
    auto conflict = conflictIn(loop);
    if (Op *const entry = entryOf(loop); conflict && entry) {
      if (!isInside(conflict->before.op->parent, *entry->region())) {
        barrierBefore(entry, conflict->before, conflict->now, entry->region());
        conflict = conflictIn(loop);
      }
      // A barrier between the two: they become two branches.
      if (conflict) entry->setBool(Attr::with_loop, false);
    }
    if (conflict) barrierBefore(loop, conflict->before, conflict->now);
    runSteps(loop);
  }

  // A barrier for accesses before a branch {with_loop} stands before it, not in it: the loop would
  // need another one, which may not stand between the two.
  void runEntry(Op *branch) {
    const Set before = pending;
    isTrial = true;
    trialConflict.reset();
    run(*branch->region(0));
    isTrial = false;
    pending = before;
    if (trialConflict) barrierBefore(branch, trialConflict->before, trialConflict->now);
  }

  // The pending accesses after the iterations of a loop, for given accesses before it, as long as
  // no barrier is inserted in the loop. Each loop is visited several times for each visit of its
  // enclosing loop, mostly with the same accesses pending. Without this cache, nested loops would
  // take exponential time.
  struct Settled {
    Set before, after;
    unsigned placed = 0;  // barriers in the loop
  };
  std::map<const Op *, std::vector<Settled>> settled = {};
  std::map<const Op *, unsigned> placed = {};

  void runSteps(Op *op) {
    if (isTrial) return runRounds(op);
    std::vector<Settled> &known = settled[op];
    llvm::erase_if(known, [&](const Settled &each) { return each.placed != placed[op]; });
    for (const Settled &each : known) {
      if (!(each.before == pending)) continue;
      pending = each.after;
      return;
    }
    Settled result{pending, {}, placed[op]};
    runRounds(op);
    result.after = pending;
    if (result.placed == placed[op]) settled[op].push_back(std::move(result));
  }

  // Two rounds: the accesses of one iteration are compared with those of the next.
  void runRounds(Op *op) {
    loops.emplace_back();
    for (int round = 0; round < (isTrial ? 1 : 2); ++round) {
      Set before = pending;
      for (auto &region : op->regions) {
        run(*region);
        // A `while` ends after its first region.
        if (op->kind == OpKind::While && region == op->regions.front())
          loops.back().ofLoop.add(pending);
      }
      pending.add(loops.back().ofSteps);
      pending.add(before);
    }
    pending.add(loops.back().ofLoop);
    loops.pop_back();
  }

  // The operations after it are not executed on this path.
  void leave(Op *op) {
    if (op->kind == OpKind::Continue) loops.back().ofSteps.add(pending);
    if (op->kind == OpKind::Break) loops.back().ofLoop.add(pending);
    pending.clear();
  }

  void run(Block &block) {
    std::vector<Op *> ops;
    for (auto &op : block.ops) ops.push_back(op.get());
    for (Op *op : ops) {
      if (op->is(Exit)) {
        leave(op);
        continue;
      }
      switch (op->kind) {
        case OpKind::LocalFunction:
          functions[op->getInt(Attr::id)] = op;  // its effects happen where it is called
          break;
        case OpKind::Barrier:
        case OpKind::DebugBarrier:
          passBarrier(op->getBool(Attr::async_proxy));
          break;
        case OpKind::TmaStoreWait:
          pending.update([](Pending &entry) {
            entry.inFlight = false;
            return false;
          });
          break;
        case OpKind::ReduceAcross:
        case OpKind::Scan: {
          if (!op->has(Attr::buffer)) break;
          int buffer = op->getInt(Attr::buffer);
          access(op, {{op, true, buffer}});
          passBarrier();  // its own barrier
          if (!isTrial) pending.add(Effects{{op, false, buffer}});
          break;
        }
        case OpKind::Sort:
          // Its own barriers are before and after each read.
          if (!op->has(Attr::buffer)) break;
          access(op, {{op, true, int(op->getInt(Attr::buffer))}});
          passBarrier();
          break;
        case OpKind::For:
        case OpKind::While:
          runLoop(op);
          break;
        case OpKind::If: {
          if (!isTrial && loopBegunBy(op)) runEntry(op);
          Set before = pending, after;
          for (auto &region : op->regions) {
            pending = before;
            run(*region);
            after.add(pending);
          }
          pending = std::move(before);
          pending.add(after);
          break;
        }
        case OpKind::DotShared:
          access(op, effects(op));
          for (auto &region : op->regions) run(*region);
          // The fragments that it prefetches are read after its last region.
          if (!op->regions.empty()) access(op, effects(op));
          break;
        case OpKind::Load:
        case OpKind::Atomic:
        case OpKind::CudaEffect:
          access(op, effects(op));
          if (op->has(Attr::buffer)) {
            // The value goes through shared memory, with a barrier of its own.
            access(op, {{op, true, int(op->getInt(Attr::buffer))}});
            passBarrier();
            if (!isTrial) pending.add(Effects{{op, false, int(op->getInt(Attr::buffer))}});
          }
          break;
        default:
          // A new operation with regions has to say which of them run, and in which order.
          T2C_ASSERT(op->regions.empty() || op->kind == OpKind::Nest || op->kind == OpKind::Map ||
                     op->kind == OpKind::ReduceThread || op->kind == OpKind::DeviceCall);
          access(op, effects(op));
      }
    }
  }
};

}  // namespace

llvm::LogicalResult insert_barriers(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    State state{kernel, context};
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::TmaStore && op->has(Attr::rows))
        state.ofWarps.insert(op->getInt(Attr::buffer));
      if (isStoreToStage(*op)) state.ofStages.insert(op->getInt(Attr::buffer));
    });
    state.run(kernel.body);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
