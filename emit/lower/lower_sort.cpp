// Sorts: in each thread, in the warp by shuffles, then pairs of runs through shared memory. Where
// the first keys of a row alone are kept, each warp merges those of all warps.
#include "emit/lower/lowerings.h"
#include "emit/lower/reductions.h"
#include "emit/lower/scalars.h"
#include "emit/lower/shared_memory.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/layout/sort_layout.h"

namespace tile2cu::emit {
using namespace ir;

Expr sortKeyOf(const Op *op) {
  llvm::SmallVector<Expr, 2> arguments{typeOf(op->operand(0)->type.scalar())};
  if (op->getBool(Attr::descending)) arguments.push_back(word("true"));
  return instance(op->result(1)->unused() ? "tile2cu::sort_key" : "tile2cu::indexed_key",
                  arguments);
}

namespace {

class SortWriter {
 public:
  SortWriter(LoweringContext &ctx, Op *op)
      : ctx_(ctx),
        op_(op),
        axis_(op->getInt(Attr::axis)),
        layout_(*op->operand(0)->type.layout()),
        row_(*passes::sortedRow(layout_, axis_)),
        ofThread_(layout_.registerAxes().size() - 1),
        kept_(passes::keptKeys(SortOp(op))),
        key_(sortKeyOf(op)) {}

  void write() {
    declareResults();
    bool hasRows = false;
    for (unsigned axis = 0; axis < ofThread_; ++axis)
      hasRows |= !ctx_.constants.isDropped(layout_, axis);
    if (hasRows) ctx_.names.open();  // else there are no braces, and names stay taken
    openRows();
    keys_ = ctx_.names.take("keys");
    count_ = countIn(layout_);
    ctx_.out.add({Declare{key_, {Declarator{keys_, {count_}}}}});
    makeKeys();
    sortKeys();
    takeResults();
    for (unsigned i = 0; i < numRowLoops_; ++i) ctx_.out.close();
    if (hasRows) ctx_.names.close();
  }

 private:
  void declareResults() {
    for (const auto &result : op_->results) {
      if (result->unused()) continue;
      const Storage storage = makeStorage(ctx_, result->type,
                                          !result->name.empty()            ? result->name
                                          : result.get() == op_->result(0) ? "sorted"
                                                                           : "indices");
      describeLayout(ctx_, storage);
      ctx_.out.add(declare(ctx_, result->type, storage.name));
      ctx_.values.place(result.get(), storage);
    }
  }

  // The loops over the rows of a thread.
  void openRows() {
    for (unsigned axis = 0; axis < ofThread_; ++axis) {
      if (ctx_.constants.isDropped(layout_, axis)) {
        vars_.push_back(integer(0));
        continue;
      }
      const Symbol var = ctx_.info.loopNames.take(ctx_.names, numRowLoops_++);
      vars_.push_back(named(var));
      ctx_.out.open({unrolledLoop(var, ctx_.constants.extent(layout_, axis))});
    }
    vars_.push_back(integer(0));
  }

  // The consecutive elements of a row that a thread has: of the operand, or of the results.
  bool isOneKey(const Layout &layout) const { return ctx_.constants.isDropped(layout, ofThread_); }
  Expr countIn(const Layout &layout) const {
    return isOneKey(layout) ? integer(1) : ctx_.constants.extent(layout, ofThread_);
  }
  void openKeys(const Layout &layout) {
    if (isOneKey(layout)) return;
    ctx_.names.open();
    const Symbol var = ctx_.names.take(ctx_.info.loopNames.ofVector());
    ctx_.out.open({unrolledLoop(var, countIn(layout))});
    vars_.back() = named(var);
  }
  void closeKeys(const Layout &layout) {
    if (isOneKey(layout)) return;
    ctx_.out.close();
    ctx_.names.close();
    vars_.back() = integer(0);
  }
  Expr key() const { return elementOf(named(keys_), vars_.back()); }

  void makeKeys() {
    openKeys(layout_);
    const LayoutDim &dim = layout_.dim(axis_);
    const bool hasIndex = !op_->result(1)->unused();
    llvm::SmallVector<Expr, 2> arguments{
        storageRef(ctx_, ctx_.values.stored(op_->operand(0)), vars_)};
    Expr index;
    if (hasIndex || dim.isPadded()) index = coordinate(ctx_, layout_, axis_, vars_);
    if (hasIndex) {
      const Symbol name = ctx_.names.take("index");
      ctx_.out.declareConstant(word("int"), name, index);
      index = named(name);
      arguments.push_back(index);
    }
    Expr made = call(scoped(key_, "of"), arguments);
    if (dim.isPadded())
      made = conditional(binary(Prec::Relational, "<", index, ctx_.constants.number(dim.size)),
                         made, call(scoped(key_, "last"), {}));
    ctx_.out.set(key(), made);
    closeKeys(layout_);
  }

  // The name of a function of a warp, with these arguments, then the lanes of a row.
  Expr inWarp(const char *name, llvm::SmallVector<Expr, 3> arguments) const {
    const Digit &lanes = row_.lanes;
    if (lanes.extent < 32) arguments.append({integer(lanes.extent), integer(lanes.stride)});
    return arguments.empty() ? word(name) : instance(name, arguments);
  }

  void sortKeys() {
    llvm::SmallVector<Expr, 3> kept;
    if (kept_) kept.push_back(numKept());
    const Expr sorted = inWarp(kept_ ? "tile2cu::warp_first" : "tile2cu::warp_sort", kept);
    ctx_.out.add(evaluate(Effect::Synchronizes, call(sorted, {named(keys_)})));
    ctx_.names.change(keys_);
    if (row_.warps.extent == 1) return;
    if (kept_)
      mergeFirst();
    else
      mergeRuns();
  }

  Expr numKept() const {
    const Dim &size = op_->result(0)->type.shape()[axis_];
    return int64_t(size) == kept_->count ? ctx_.constants.number(size) : integer(kept_->count);
  }

  // tile2cu::share_first<K>(keys, smem.sorted, warp); a barrier;
  // tile2cu::merge_first<K, NUM_WARPS>(keys, smem.sorted, warp); a barrier;
  void mergeFirst() {
    const Expr shared = sharedTile(ctx_, op_->getInt(Attr::buffer));
    ctx_.out.add(evaluate(call(instance("tile2cu::share_first", {numKept()}),
                               {named(keys_), shared, named("warp")})));
    ctx_.out.add(barrierCall(ctx_, "the first keys of each warp are in " + shared.str()));
    ctx_.out.add(evaluate(Effect::Synchronizes,
                          call(instance("tile2cu::merge_first", {numKept(), named("NUM_WARPS")}),
                               {named(keys_), shared, named("warp")})));
    ctx_.names.change(keys_);
    ctx_.out.add(barrierCall(ctx_, "all threads have read " + shared.str()));
  }

  // for (int run = 32 * KEYS; run < NUM_THREADS * KEYS; run *= 2) { ... }
  void mergeRuns() {
    const Expr shared = sharedTile(ctx_, op_->getInt(Attr::buffer)), thread = named("tid"),
               all = product(named("NUM_THREADS"), count_);
    ctx_.names.open();
    const Symbol run = ctx_.names.take("run");
    For loop;
    loop.start = {word("int"), {{run, {}, product(integer(32), count_)}}};
    loop.condition = binary(Prec::Relational, "<", named(run), all);
    loop.advance = {named(run), "*=", integer(2)};
    ctx_.out.open({std::move(loop)});
    ctx_.out.add(evaluate(call("tile2cu::share_keys", {named(keys_), shared, thread})));
    ctx_.out.add(barrierCall(ctx_, "the sorted runs are in " + shared.str()));
    ctx_.out.add(evaluate(
        call(instance("tile2cu::merge_runs", {all}), {named(keys_), shared, named(run), thread})));
    ctx_.names.change(keys_);
    ctx_.out.add(barrierCall(ctx_, "all threads have read " + shared.str()));
    ctx_.out.close();
    ctx_.names.close();
  }

  void takeResults() {
    const Layout &layout = *op_->result(0)->type.layout();
    openKeys(layout);
    for (unsigned i : {0u, 1u}) {
      const Value *result = op_->result(i);
      if (result->unused()) continue;
      ctx_.out.set(storageRef(ctx_, ctx_.values.storageOf(result), vars_),
                   call(member(key(), i == 0 ? "value" : "index"), {}));
    }
    closeKeys(layout);
  }

  LoweringContext &ctx_;
  Op *const op_;
  const unsigned axis_;
  const Layout &layout_;
  const passes::SortedRow row_;
  const unsigned ofThread_;  // the register axis of a thread's part of a row
  const std::optional<passes::KeptKeys> kept_;
  const Expr key_;
  Symbol keys_;
  Expr count_;
  Vars vars_;
  unsigned numRowLoops_ = 0;
};

}  // namespace

void lower(LoweringContext &ctx, const SortOp &sort) {
  ctx.comments.statement(sort.op);
  SortWriter(ctx, sort.op).write();
}

}  // namespace tile2cu::emit
