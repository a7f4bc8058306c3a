#include "passes/pipeline/pipeline_copies.h"

#include <set>

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/backward_slice.h"
#include "passes/analysis/memory/global_effects.h"
#include "passes/analysis/memory/ring_stage.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/pipeline/async_dots.h"
#include "passes/pipeline/stage_operand_loads.h"
#include "passes/rewrite/dead_code.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The prefetched copies of one loop.
class Pipeline {
 public:
  Pipeline(Kernel &kernel, Op *loop, const CopySlice &slice, int stages, int64_t id)
      : kernel_(kernel),
        loop_(loop),
        body_(*loop->region()),
        slice_(slice),
        stages_(stages),
        id_(id) {
    // Small numbers are compared in their type: the distance of 64 iterations is below 2^26. Others
    // are compared in 64 bits, which hold the distance of 64 iterations of 32-bit steps. A distance
    // is added to the smaller end of the loop.
    isFalling_ = countsDown(loop);
    constexpr int64_t kSmall = 1 << 20;
    const Scalar type = ForOp(loop).lower()->type.scalar();
    const auto isSmall = [&](std::optional<int64_t> number) {
      return bitWidth(type) >= 32 && number && *number >= 0 && *number <= kSmall;
    };
    const auto step = constantInt(ForOp(loop).step());
    const auto end = constantInt(isFalling_ ? ForOp(loop).upper() : ForOp(loop).lower());
    isSmallStep_ = isSmall(step && isFalling_ && *step >= -kSmall ? -*step : step);
    isSmall_ = isSmallStep_ && isSmall(end);
    compare_ = isSmall_ ? type : Scalar::I64;
    for (const Op *store : slice.stores) buffers_.push_back(store->getInt(Attr::buffer));
  }

  void run() {
    defineCopies();
    startFirst();
    eraseStores();
    rebuildLoop();
  }

 private:
  // The copies replace the stores of the loop. The loads are dead code now.
  void eraseStores() {
    for (Op *store : slice_.stores) {
      kernel_.shared[store->getInt(Attr::buffer)].stages = stages_;
      store->erase();
    }
  }

  Value *stages(Builder &b) {
    Value *value = b.constant(Scalar::I32, stages_);
    value->name = "STAGES";
    value->definition->setBool(Attr::named, true);
    return value;
  }
  Value *ahead(Builder &b) { return b.binary(OpKind::Sub, stages(b), b.constant(Scalar::I32, 1)); }

  // The distance that a number of iterations covers: 0 or more, unless the loop has no iterations.
  Value *distanceOf(Builder &b, Value *steps, Scalar type) {
    Value *step = ForOp(loop_).step();
    if (isFalling_) step = b.constant(step->type.scalar(), constantDim(step)->times(-1));
    if (constantInt(step) == 1) return b.cast(steps, type);
    return b.binary(OpKind::Mul, b.cast(steps, type), b.cast(step, type));
  }

  // function (stage, iv, carried...): the stores of one iteration.
  void defineCopies() {
    Builder b = Builder::before(loop_);
    Op *function = b.create(OpKind::LocalFunction, {}, {});
    function->setInt(Attr::id, id_);
    std::string name = "copy";
    for (const Op *store : slice_.stores)
      name += "_" + kernel_.shared[store->getInt(Attr::buffer)].name;
    function->setString(Attr::name, slice_.stores.size() > 2 ? "copy_step" : name);
    Block &region = *function->addRegion();
    Value *stage = region.addArgument(Scalar::I32, "stage");
    std::map<Value *, Value *> map;
    Value *iv = ForOp(loop_).variable();
    map[iv] = region.addArgument(iv->type, iv->name);
    for (unsigned i : slice_.carried) {
      Value *carried = ForOp(loop_).carried(i);
      map[carried] = region.addArgument(carried->type, carried->name);
    }
    Builder inside(region);
    for (Op *store : slice_.stores) {
      cloneNeeded(store, inside, map);
      copy(clone(store, inside, map), stage);
    }
    inside.yield({});
  }

  // Clones the operations that an operation of the slice depends on, each once, right before it.
  void cloneNeeded(Op *op, Builder &b, std::map<Value *, Value *> &map) {
    for (Value *operand : op->operands()) {
      Op *needed = operand ? operand->definition : nullptr;
      if (!needed || !slice_.ops.count(needed) || map.count(operand)) continue;
      cloneNeeded(needed, b, map);
      clone(needed, b, map);
    }
  }

  // A store to the stage; a copy from global memory if its load can be one.
  void copy(Op *store, Value *stage) {
    store->setOperand(SharedStoreOp::stage_optIndex, stage);
    auto load = LoadOp::of(store->operand(0));
    if (!load || !isCopied(load, store)) return;
    Builder b = Builder::before(store);
    b.loc = load->loc;
    Op *async =
        b.create(OpKind::AsyncCopy, {load.pointer(), load.mask_opt(), store->operand(1), stage}, {},
                 load->result()->name);
    async->attributes = store->attributes;
    async->setInt(Attr::vector, load->getInt(Attr::vector));
    async->set(Attr::form, *load->get(Attr::form));
    store->erase();
    load.op->erase();
  }

  // Parts that are contiguous in both memories, for a load whose width is decided. Copies of fewer
  // than 4 bytes are loads and stores, so they must not divide what one store writes.
  bool isCopied(LoadOp load, const Op *store) const {
    const Type &type = load->result()->type;
    if (!load->has(Attr::form) || !isCopy(load.op) || load->result()->users.size() != 1)
      return false;
    auto axis = vectorAxis(*type.layout());
    const int64_t vector = load->getInt(Attr::vector, 1);
    if (!isAsynchronousCopy(load.op) && axis && axis->extent > vector) return false;
    if (vector == 1) return true;
    const auto &strides = store->getInts(Attr::strides);
    for (unsigned d = 0; d < strides.size(); ++d)
      if (d == axis->dim ? strides[d] != 1 : strides[d] % vector != 0) return false;
    return store->getInt(Attr::offset) % vector == 0;
  }

  // Whether `small` is below `large`, as the loop compares its variable with its bound.
  Value *isBelow(Builder &b, Value *small, Value *large) {
    return b.binary(isStrict(ForOp(loop_).compare()) ? OpKind::Lt : OpKind::Le,
                    b.cast(small, compare_), b.cast(large, compare_));
  }

  // How far it is from one value of the variable to another one that follows.
  Value *distance(Builder &b, Value *from, Value *to) {
    if (isFalling_) std::swap(from, to);
    if (constantInt(from) == 0) return b.cast(to, compare_);
    return b.binary(OpKind::Sub, b.cast(to, compare_), b.cast(from, compare_));
  }

  // Whether the bound is further away than this, in the body. The variable has not reached its
  // bound there, so the difference fits. (In 64 bits it would not if the loop had more than
  // 2^63 / step iterations.)
  Value *isLess(Builder &b, Value *variable, Value *steps) {
    return isBelow(b, steps, distance(b, variable, ForOp(loop_).upper()));
  }

  // Whether the loop has an iteration at this distance from its start, computed before the loop.
  // The start may be far past the bound there: the difference saturates, or the sum of small
  // numbers is compared. A step that is not constant may be negative if the loop has no iterations.
  Value *hasStep(Builder &b, Value *steps) {
    Value *lower = ForOp(loop_).lower(), *upper = ForOp(loop_).upper(), *has = nullptr;
    Value *low = isFalling_ ? upper : lower, *high = isFalling_ ? lower : upper;
    if (constantInt(low) == 0) {
      has = isBelow(b, steps, high);
    } else if (isSmall_) {
      has = isBelow(b, b.binary(OpKind::Add, low, steps), high);
    } else {
      Value *left = distance(b, lower, upper);
      const Op *difference = left->definition;
      if (!Integers(Assume::Launched)
               .differenceFits(difference->operand(0), difference->operand(1)))
        left->definition->setBool(Attr::saturates, true);
      has = isBelow(b, steps, left);
    }
    if (constantInt(ForOp(loop_).step())) return has;
    return b.binary(OpKind::And, isBelow(b, lower, upper), has);
  }

  // The variable a few iterations after `from`. The loop reaches it, but the distance alone may not
  // fit its type: three steps of 2^30 from -2^31.
  Value *later(Builder &b, Value *from, Value *steps) {
    const Scalar type = from->type.scalar();
    const bool isZero = constantInt(from) == 0 && !isFalling_;
    const OpKind move = isFalling_ ? OpKind::Sub : OpKind::Add;
    if (isZero || isSmallStep_ || bitWidth(type) == 64) {
      Value *by = distanceOf(b, steps, type);
      return isZero ? by : b.binary(move, from, by);
    }
    return b.cast(b.binary(move, b.cast(from, compare_), distanceOf(b, steps, compare_)), type);
  }

  Op *call(Builder &b, Value *stage, Value *iv, llvm::ArrayRef<Value *> carried) {
    llvm::SmallVector<Value *, 6> arguments{stage, iv};
    arguments.append(carried.begin(), carried.end());
    Op *op = b.create(OpKind::Call, arguments, {});
    op->setInt(Attr::id, id_);
    return op;
  }

  // The carried values one iteration later: repeats the advances. After the last iteration they may
  // overflow, but no copy uses them there.
  llvm::SmallVector<Value *, 4> advanced(Builder &b, llvm::ArrayRef<Value *> carried) {
    std::map<Value *, Value *> map;
    unsigned at = 0;
    for (unsigned i : slice_.carried) map[ForOp(loop_).carried(i)] = carried[at++];
    for (auto &op : body_.ops)
      if (slice_.advances.count(op.get())) clone(op.get(), b, map);
    llvm::SmallVector<Value *, 4> next;
    for (unsigned i : slice_.carried) {
      Value *value = body_.terminator()->operand(i);
      next.push_back(map.count(value) ? map[value] : value);
    }
    return next;
  }

  // for %stage = 0 to STAGES - 1: the copies of the first iterations, as far as they exist.
  void startFirst() {
    Builder b = Builder::before(loop_);
    b.loc.statement = -1;
    llvm::SmallVector<Value *, 6> operands{b.constant(Scalar::I32, 0), ahead(b),
                                           b.constant(Scalar::I32, 1)};
    llvm::SmallVector<Type, 4> types;
    for (unsigned i : slice_.carried) {
      operands.push_back(ForOp(loop_).init(i));
      types.push_back(ForOp(loop_).init(i)->type);
    }
    Op *first = b.create(OpKind::For, operands, types);
    first->set(Attr::compare, Compare::Lt);
    first->setInt(Attr::unroll, 0);
    first->setBool(Attr::prologue, true);
    Block &body = *first->addRegion();
    Value *stage = body.addArgument(Scalar::I32, "stage");
    llvm::SmallVector<Value *, 4> carried;
    unsigned at = 0;
    for (unsigned i : slice_.carried) {
      std::string name = ForOp(loop_).carried(i)->name;
      first->result(at++)->name = name.empty() ? "next" : "next_" + name;
      carried.push_back(
          body.addArgument(ForOp(loop_).carried(i)->type, first->result(at - 1)->name));
    }
    Builder inside(body);
    Value *lower = ForOp(loop_).lower();
    Value *isStep = hasStep(inside, distanceOf(inside, stage, compare_));
    Op *branch = inside.create(OpKind::If, {isStep}, {});
    Builder then(*branch->addRegion());
    branch->addRegion();
    call(then, stage, later(then, lower, stage), carried);
    then.yield({});
    inside.create(OpKind::AsyncCommit, {}, {});
    inside.yield(advanced(inside, carried));
    for (auto &result : first->results) next_.push_back(result.get());
  }

  void rebuildLoop() {
    Builder before = Builder::before(loop_);
    Op *yield = body_.terminator();
    auto carry = [&](Value *first, const std::string &name) {
      loop_->addOperand(first);
      loop_->addResult(first->type, name);
      return body_.addArgument(first->type, name);
    };
    llvm::SmallVector<Value *, 4> carried;
    for (Value *value : next_) carried.push_back(carry(value, value->name));
    Value *free = carry(ahead(before), "free_stage");
    Value *stage = carry(before.constant(Scalar::I32, 0), "stage");

    Op *top = body_.front();
    Builder b = Builder::before(top);
    b.loc = loop_->loc;
    b.loc.statement = -1;
    Op *wait = b.create(OpKind::AsyncWait, {stage}, {});
    wait->set(Attr::buffers, Ints(buffers_));
    Op *barrier = b.create(OpKind::Barrier, {}, {});
    barrier->setString(Attr::reason,
                       "all threads' copies have completed, and free_stage has been read");
    Value *iv = ForOp(loop_).variable();
    Value *steps = distanceOf(b, ahead(b), compare_);
    Op *branch = b.create(OpKind::If, {isLess(b, iv, steps)}, {});
    Builder then(*branch->addRegion());
    branch->addRegion();
    call(then, free, later(then, iv, ahead(then)), carried)->setBool(Attr::ahead, true);
    then.yield({});
    b.create(OpKind::AsyncCommit, {}, {});

    std::vector<Op *> dots = readers();
    for (Op *load : loads_) load->setOperand(SharedLoadOp::stage_optIndex, stage);
    for (Op *dot : dots) {
      dot->setOperand(DotSharedOp::stage_optIndex, stage);
      if (dot->has(Attr::group_columns)) barrier->setBool(Attr::async_proxy, true);
    }
    Builder end = Builder::before(yield);
    for (Value *next : advanced(end, carried)) yield->addOperand(next);
    yield->addOperand(stage);
    if (dots.size() == 1 && isRotatable(dots.front())) {
      Value *next = nextStage(b, stage);
      next->name = "next_stage";
      yield->addOperand(next);
      rotate(dots.front(), next);
    } else {
      yield->addOperand(nextStage(end, stage));
      if (canOverlapCopies(dots)) overlapCopies(dots, barrier);
    }
  }

  // Whether the dots may start before the next copies do, and be waited for after them. None waits
  // for a stage of a ring, because that wait would have to move too.
  bool canOverlapCopies(llvm::ArrayRef<Op *> dots) {
    const LoopDots loop{kernel_, body_, {}};
    return !dots.empty() && llvm::all_of(dots, [&](const Op *dot) {
      return canStayAsync(loop, dot, WaitAt::IterationEnd) &&
             canStartEarly(loop, dot, StartAt::IterationStart) &&
             llvm::none_of(dot->operands(), ringWaitOf);
    });
  }

  // The dots of an iteration start before the next copies do, and are waited for after them.
  void overlapCopies(llvm::ArrayRef<Op *> dots, Op *barrier) {
    Op *point = barrier->next();
    Builder end = Builder::before(body_.terminator());
    llvm::SmallVector<Value *, 2> accumulators;
    for (Op *dot : dots) {
      dot->moveBefore(point);
      dot->setBool(Attr::async, true);
      accumulators.push_back(dot->result());
    }
    waitFor(end, accumulators);
  }

  Value *nextStage(Builder &b, Value *stage) {
    auto following = [&] { return b.binary(OpKind::Add, stage, b.constant(Scalar::I32, 1)); };
    Value *wraps = b.binary(OpKind::Eq, following(), stages(b));
    return b.select(wraps, b.constant(Scalar::I32, 0), following());
  }

  bool isPrefetched(int64_t buffer) const { return llvm::is_contained(buffers_, buffer); }

  // Collects the dots that read prefetched data, and in loads_ the elements of it that threads read
  // themselves.
  std::vector<Op *> readers() {
    std::vector<Op *> dots;
    walk(body_, [&](Op *op) {
      if (op->kind == OpKind::SharedLoad && isPrefetched(op->getInt(Attr::buffer)))
        loads_.push_back(op);
      if (op->kind != OpKind::DotShared) return;
      isAlone_ &= dots.empty();
      bool reads = false;
      for (int64_t buffer : op->getInts(Attr::buffers)) {
        reads |= isPrefetched(buffer);
        isAlone_ &= isPrefetched(buffer);
      }
      if (reads) dots.push_back(op);
    });
    return dots;
  }

  // Whether the fragments of a k-step can be loaded while the tensor cores work on the previous
  // one, from one stage into the next.
  bool isRotatable(const Op *dot) const {
    const bool isByWarps = dot->has(Attr::mma) && !dot->has(Attr::group_columns),
               isBatch = dot->result()->type.rank() == 3;
    const int64_t step = isByWarps && !isBatch ? dot->getInt(Attr::instruction_k) : 0;
    const int64_t steps = step ? llvm::divideCeil(dot->getInt(Attr::k), step) : 0;
    return isAlone_ && dot->parent == &body_ && steps >= 2 && steps % 2 == 0;
  }

  // The wait and the barrier move after the last fragments of this stage; the copies run in
  // parallel with its first MMAs.
  void rotate(Op *dot, Value *next) {
    Builder before = Builder::before(loop_);
    before.loc = dot->loc;
    before.loc.statement = -1;
    Op *wait = body_.front();
    while (wait->kind != OpKind::AsyncWait) wait = wait->next();
    Op *barrier = wait->next(), *commit = barrier;
    std::map<Value *, Value *> none;
    Value *firstStage = before.constant(Scalar::I32, 0);
    clone(wait, before, none)->setOperand(AsyncWaitOp::stageIndex, firstStage);
    before.create(OpKind::Barrier, {}, {})
        ->setString(Attr::reason, "all threads' copies have completed");
    Op *first = before.create(OpKind::LoadFragments, {firstStage}, {});
    first->setInt(Attr::fragments, id_);
    first->set(Attr::buffers, dot->getInts(Attr::buffers));
    dot->setInt(Attr::fragments, id_);
    dot->setOperand(DotSharedOp::next_stage_optIndex, next);

    Builder early(*dot->addRegion());
    Builder late(*dot->addRegion());
    Op *earlyEnd = early.yield({}), *lateEnd = late.yield({});
    while (commit->kind != OpKind::AsyncCommit) {
      Op *op = commit->next();
      if (commit != barrier) commit->moveBefore(earlyEnd);
      commit = op;
    }
    commit->moveBefore(earlyEnd);
    barrier->setString(Attr::reason,
                       "all threads' copies have completed, and this stage has been read");
    wait->setOperand(AsyncWaitOp::stageIndex, next);
    wait->moveBefore(lateEnd);
    barrier->moveBefore(lateEnd);
  }

  Kernel &kernel_;
  Op *loop_;
  Block &body_;
  const CopySlice &slice_;
  const int64_t stages_, id_;
  Ints buffers_;                        // of the prefetched tiles
  Scalar compare_;                      // the type in which distances are compared
  bool isFalling_ = false;              // the loop counts down
  bool isSmallStep_ = false;            // the step is a small constant
  bool isSmall_ = false;                // and its smaller end is one too
  std::vector<Op *> loads_;             // from which operands are computed
  bool isAlone_ = true;                 // only a single dot reads the prefetched data
  llvm::SmallVector<Value *, 4> next_;  // the loop's prefetched values after the first copies
};

struct State {
  Kernel &kernel;
  PassContext &context;
  int64_t functions = 0;

  void remark(const Op *op, DiagId id, const std::vector<std::string> &arguments) {
    context.diagnostics.decided(id, kernel, op->loc, arguments);
  }

  // The reason why no loop of this kind is pipelined; empty if it can be.
  std::string obstacle(const Op *loop) const {
    const Op *end = loop->region()->terminator();
    if (!end || end->kind != OpKind::Yield) return "its body does not end";
    if (llvm::any_of(context.targetsOf(kernel),
                     [](const Target &target) { return target.sm < 80; }))
      return "a target has no asynchronous copies";
    if (!countsUp(loop) && !countsDown(loop)) return "it does not count up or down to a bound";
    if (!isSigned(ForOp(loop).lower()->type.scalar())) return "its variable is unsigned";
    if (!exitsOf(const_cast<Op *>(loop), true, true).empty()) return "it has a break or continue";
    bool leaves = false;
    walk(*loop->region(), [&](Op *op) { leaves |= op->kind == OpKind::Return; });
    return leaves ? "it has a return" : "";
  }

  // Whether a dot that reads the buffer already has a stage: that of an inner loop.
  static bool isStaged(Op *loop, int64_t buffer) {
    bool found = false;
    walk(*loop->region(), [&](Op *op) {
      if (op->kind == OpKind::DotShared && llvm::is_contained(op->getInts(Attr::buffers), buffer))
        found |= op->operand(DotSharedOp::stage_optIndex) != nullptr;
    });
    return found;
  }

  // A parameter through which the kernel only reads may be declared so that its loads move.
  void warnOfWrites(Op *loop, const Op *store) {
    const auto load = LoadOp::of(store->operand(0));
    const auto base = load ? basePointer(load.pointer()) : std::nullopt;
    if (!base) return;
    bool writes = false;
    walk(kernel.body, [&](Op *op) {
      for (const GlobalEffect &effect : globalEffects(op))
        writes |= effect.writes && basePointer(effect.pointer) == base;
    });
    if (!writes)
      context.diagnostics.report(DiagId::OperandMayChange, loop->loc,
                                 {kernel.parameters[*base].name});
  }

  void pipeline(Op *loop) {
    const int stages = stagesOf(loop, kernel);
    std::set<int64_t> read;
    walk(*loop->region(), [&](Op *op) {
      if (op->kind != OpKind::DotShared) return;
      for (int64_t buffer : op->getInts(Attr::buffers))
        if (buffer >= 0) read.insert(buffer);
    });
    std::vector<Op *> stores;
    for (auto &op : loop->region()->ops)
      if (op->kind == OpKind::SharedStore && read.count(op->getInt(Attr::buffer)) &&
          !op->operand(SharedStoreOp::stage_optIndex))  // TMA loads have one
        stores.push_back(op.get());
    if (stores.empty() || stages < 2) return;
    if (std::string why = obstacle(loop); !why.empty()) {
      remark(loop, DiagId::LoopNotPipelined, {why});
      return;
    }
    stageLoads(kernel, context, loop, stores, stages);
    CopySlice slice;
    for (Op *store : stores) {
      const std::string why =
          isStaged(loop, store->getInt(Attr::buffer))
              ? "a dot reads it together with a tile that an inner loop prefetches"
              : addToSlice(kernel, loop, store, slice);
      if (why.empty()) continue;
      if (why == kMayBeWritten) warnOfWrites(loop, store);
      remark(store->operand(0)->definition ? store->operand(0)->definition : store,
             DiagId::CopyNotAhead,
             {fmt::format("'{}'", kernel.shared[store->getInt(Attr::buffer)].name), why});
    }
    if (slice.stores.empty()) return;
    remark(loop, DiagId::LoopPipelined,
           {std::to_string(stages),
            stages == 2 ? "1 iteration" : fmt::format("{} iterations", stages - 1)});
    Pipeline(kernel, loop, slice, stages, functions++).run();
  }
};

}  // namespace

llvm::LogicalResult pipeline_copies(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    State state{kernel, context};
    std::vector<Op *> loops;
    walkPostOrder(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::For) loops.push_back(op);
    });
    for (Op *loop : loops) state.pipeline(loop);
    if (state.functions) removeDeadCode(kernel.body);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
